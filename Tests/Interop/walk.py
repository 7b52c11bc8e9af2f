"""The same walk by two clients that know nothing of blescript: list, scan, connect, read, write, notifications.

usage: walk.py BLESCRIPT WORLD      (WORLD: scripts/worlds/lab.lua)
"""
import asyncio
import os
import pty
import re
import select
import subprocess
import sys
import time

PULSE, LAB = "C8:3F:26:00:00:01", "C8:3F:26:00:00:02"
LIMIT = 20      # seconds for each step


def lab(number):
    return f"7e57{number:04x}-b1e5-4c0d-9a00-0123456789ab"


class Terminal:
    """A program that believes it has a terminal."""

    def __init__(self, *command):
        self.text = ""
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "dumb"
            os.execvp(command[0], command)
        self.pid = pid

    def type(self, line):
        os.write(self.fd, line.encode() + b"\n")

    def wait_for(self, pattern):
        """Text up to the pattern, which has to come in time."""
        end = time.monotonic() + LIMIT
        while not (found := re.search(pattern, self.text)):
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"{pattern!r} did not come; there was {self.text[-800:]!r}")
            try:
                self.text += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"it ended before {pattern!r}: {self.text[-800:]!r}") from None
        self.text = self.text[found.end():]
        return found

    def end(self):
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def order(line):
    """Has the world do something."""
    subprocess.run(["dbus-send", "--system", "--print-reply", "--dest=org.blescript.Simulator1", "/org/blescript/simulator",
                    "org.blescript.Simulator1.Order", f"string:{line}"], check=True, stdout=subprocess.DEVNULL)


def by_bluetoothctl():
    ctl = Terminal("bluetoothctl")
    ctl.wait_for("Agent registered")
    ctl.type("list")
    ctl.wait_for(r"Controller AA:BB:CC:00:00:01 ")
    ctl.type("scan le")
    ctl.wait_for(f"Device {LAB} ")
    ctl.type(f"connect {LAB}")
    ctl.wait_for("Connection successful")
    ctl.wait_for("ServicesResolved: yes")
    ctl.type("scan off")
    ctl.wait_for("Discovery stopped")
    ctl.type("menu gatt")
    ctl.type(f"list-attributes {LAB}")
    ctl.wait_for(lab(2))
    ctl.type(f"select-attribute {lab(2)}")
    ctl.type("read")
    ctl.wait_for("hello")
    ctl.type('write "0x61 0x62"')
    ctl.type("read")
    ctl.wait_for(r"61 62 +ab")
    ctl.type(f"select-attribute {lab(5)}")
    ctl.type("notify on")
    ctl.wait_for("Notify started")
    order("lab notify notify 010203")       # it shows values of the selected attribute only
    ctl.wait_for(r"01 02 03")
    ctl.type("back")
    ctl.type(f"disconnect {LAB}")
    ctl.wait_for("Successful disconnected")
    ctl.type("quit")
    ctl.end()


async def by_bleak():
    from bleak import BleakClient, BleakScanner

    found = {d.address: d for d in await BleakScanner.discover(timeout=2)}
    assert {PULSE, LAB} <= found.keys(), found
    async with BleakClient(found[LAB], timeout=LIMIT) as client:
        uuids = {c.uuid for s in client.services for c in s.characteristics}
        assert lab(2) in uuids and lab(5) in uuids, uuids
        await client.write_gatt_char(lab(2), b"bleak", response=True)
        assert await client.read_gatt_char(lab(2)) == b"bleak"
        heard = asyncio.Queue()
        await client.start_notify(lab(5), lambda _, data: heard.put_nowait(bytes(data)))
        await client.write_gatt_char(lab(11), b"\1\2\3", response=True)
        assert await asyncio.wait_for(heard.get(), LIMIT) == b"\1\2\3"
        await client.stop_notify(lab(5))
    assert not client.is_connected


def main():
    program, world = sys.argv[1:]
    failures = 0
    print("TAP version 13")
    walks = [("bluetoothctl", by_bluetoothctl), ("bleak", lambda: asyncio.run(by_bleak()))]
    for number, (name, walk) in enumerate(walks, 1):
        with subprocess.Popen([program, "sim", world], stdout=subprocess.PIPE, text=True) as simulator:
            os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = simulator.stdout.readline().partition("=")[2].strip()
            try:
                walk()
                print(f"ok {number} - {name} lists, scans, connects, reads, writes, hears notifications", flush=True)
            except Exception as error:      # whatever it is, the other walk goes on
                failures += 1
                print(f"not ok {number} - {name}\n  # {error!r}", flush=True)
            finally:
                simulator.terminate()
    print(f"1..{len(walks)}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()

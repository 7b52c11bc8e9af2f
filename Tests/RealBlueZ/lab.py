"""The world of the behaviour tests, on emulated radios. README.md has it as tables:
scripts/worlds/lab.lua is the same world for the simulator.

Orders come as lines such as "lab notify notify 0102"; see `obey`.
"""
import asyncio
import subprocess

from bumble.att import ATT_Error
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.pairing import PairingConfig, PairingDelegate

from radios import Beacon, Peripheral, Room, advertising

READ, WRITE, COMMAND = Characteristic.READ, Characteristic.WRITE, Characteristic.WRITE_WITHOUT_RESPONSE
NOTIFY, INDICATE = Characteristic.NOTIFY, Characteristic.INDICATE
RELIABLE = Characteristic.Properties.EXTENDED_PROPERTIES
READABLE, WRITEABLE = Characteristic.READABLE, Characteristic.WRITEABLE
ENCRYPTED = Characteristic.READ_REQUIRES_ENCRYPTION | Characteristic.WRITE_REQUIRES_ENCRYPTION
AUTHENTICATED = Characteristic.READ_REQUIRES_AUTHENTICATION | Characteristic.WRITE_REQUIRES_AUTHENTICATION

attributes = {}         # for orders: a device's characteristics by name
stored = {}             # for the order "set": their changeable values


class Stored(CharacteristicValue):
    """Keeps what is written to it."""

    def __init__(self, value, longest=512):
        super().__init__(read=lambda connection: self.value, write=self.change)
        self.value, self.longest = value, longest

    def change(self, connection, value):
        if len(value) > self.longest:
            raise ATT_Error(error_code=0x0D)
        self.value = bytes(value)


class Computed(CharacteristicValue):
    """Asks `read(connection)`, tells `write(connection, value)`."""


def characteristic(name, uuid, properties, value=b"", also=0, descriptors=()):
    """`also`: permissions beside those that the properties speak of."""
    if READ & properties:
        also |= READABLE
    if (WRITE | COMMAND) & properties:
        also |= WRITEABLE
    if isinstance(value, Stored):
        stored[name] = value
    made = Characteristic(uuid, properties, also, value, list(descriptors))
    attributes.setdefault(name, made)
    return made


def refuses(test, code):
    def write(connection, value):
        if not test(bytes(value)):
            raise ATT_Error(error_code=code)
    return Computed(write=write)


room = Room()
hci0 = room.adapter("AA:BB:CC:00:00:01")
hci1 = room.adapter("AA:BB:CC:00:00:02")

# pulse: a heart rate monitor

pulse = room.peripheral(
    "C8:3F:26:00:00:01", name="Pulse", rssi=-50,
    data=advertising(name="Pulse", uuids=["180D", "180F"], manufacturer={0x0059: b"\1\2\3"}),
    scan_response=advertising(flags=None, service_data={"180F": b"\x55"}, tx_power=-4),
    services=[
        Service("180D", [
            characteristic("2a37", "2A37", NOTIFY),
            characteristic("2a38", "2A38", READ, b"\1"),
            characteristic("2a39", "2A39", WRITE, refuses(lambda value: value == b"\1", 0x80))]),
        Service("180F", [characteristic("2a19", "2A19", READ | NOTIFY, b"\x55")]),
        Service("180A", [
            characteristic("2a29", "2A29", READ, b"Example Ltd"),
            characteristic("2a24", "2A24", READ, b"P-1")])])


async def beat():
    """A heart rate measurement a second: 72 bpm and a little, one RR interval, in 1/1024 s."""
    for n in range(1_000_000):
        bpm = 72 + n % 5
        measurement = bytes([0x10, bpm]) + (60 * 1024 // bpm).to_bytes(2, "little")
        await pulse.notify(attributes["2a37"], measurement)
        await asyncio.sleep(1)

# lab: one characteristic for each thing that can happen

LAB = ("service extra.service read command long notify indicate both fault slow silent echo secret twin reliable deaf "
       "writeonly readonly custom extra").split()


def lab_uuid(name):
    return f"7e57{LAB.index(name):04x}-b1e5-4c0d-9a00-0123456789ab"


def of_lab(name, properties, value=b"", **options):
    return characteristic(name, lab_uuid(name), properties, value, **options)


class Fault:
    """Write n: from now on a read fails with ATT error n; with 0 it gives "ok".
    Write n and a second byte: that write itself fails with n."""

    code = 0

    def read(self, connection):
        if self.code:
            raise ATT_Error(error_code=self.code)
        return b"ok"

    def write(self, connection, value):
        if len(value) == 2:
            raise ATT_Error(error_code=value[0])
        self.code = value[0]


async def slow(connection):
    await asyncio.sleep(2)
    return b"slow"


async def silent(connection):
    await asyncio.Event().wait()


async def echo(connection, value):
    await lab.notify(attributes["notify"], bytes(value))


fault = Fault()
extra = Service(lab_uuid("extra.service"), [of_lab("extra", READ, b"extra")])
main = Service(lab_uuid("service"), included_services=[extra], characteristics=[
    of_lab("read", READ | WRITE, Stored(b"hello", 64), descriptors=[
        Descriptor("2901", READABLE, b"Greeting"),
        Descriptor("2904", READABLE, bytes.fromhex("19000027010000")),
        Descriptor(lab_uuid("custom"), READABLE | WRITEABLE, Stored(b"tag", 8))]),
    of_lab("command", READ | COMMAND, Stored(b"")),
    of_lab("long", READ | WRITE, Stored(bytes(range(256)) * 2)),
    of_lab("notify", NOTIFY),
    of_lab("indicate", INDICATE),
    of_lab("both", NOTIFY | INDICATE),
    of_lab("fault", READ | WRITE, Computed(read=fault.read, write=fault.write)),
    of_lab("slow", READ, Computed(read=slow)),
    of_lab("silent", READ, Computed(read=silent)),
    of_lab("echo", WRITE | COMMAND, Computed(write=echo)),
    of_lab("secret", READ | WRITE, Stored(b"secret"), also=ENCRYPTED),
    of_lab("twin", READ, b"first"),
    of_lab("twin", READ, b"second"),
    of_lab("reliable", READ | WRITE | RELIABLE, Stored(b""), descriptors=[Descriptor("2900", READABLE, b"\1\0")]),
    of_lab("deaf", NOTIFY, descriptors=[Descriptor("2902", READABLE, b"\0\0")]),
    of_lab("writeonly", WRITE, Stored(b"")),
    of_lab("readonly", READ, b"fixed")])
lab = room.peripheral(
    "C8:3F:26:00:00:02", name="Lab", rssi=-60, services=[extra, main],
    data=advertising(uuids=[lab_uuid("service")]),
    scan_response=advertising(flags=None, name="Lab", manufacturer={0xFFFF: b"lab"}))

# The others.


class Display(PairingDelegate):
    """Shows the passkey, which is always 123456."""

    def __init__(self):
        super().__init__(PairingDelegate.IoCapability.DISPLAY_OUTPUT_ONLY)

    async def generate_passkey(self):
        return 123456


class Shy(Peripheral):
    """Hangs up a second after somebody connects."""

    async def switch_on(self):
        await super().switch_on()
        self.device.on("connection", lambda connection: asyncio.ensure_future(self.flee(connection)))

    async def flee(self, connection):
        await asyncio.sleep(1)
        await connection.disconnect()


def named(name, address, rssi, flags=0x06, **options):
    return room.peripheral(address, name=name, rssi=rssi, data=advertising(name=name, flags=flags), **options)


lock = named("Lock", "C8:3F:26:00:00:03", -70, services=[
    Service("FFF0", [characteristic("lock", "FFF1", READ | WRITE, Stored(b"secret"), also=ENCRYPTED)])])
safe = named("Safe", "C8:3F:26:00:00:04", -80, pairing=PairingConfig(delegate=Display()), services=[
    Service("FFF0", [characteristic("safe", "FFF1", READ | WRITE, Stored(b"gold"), also=ENCRYPTED | AUTHENTICATED)])])
ghost = named("Ghost", "C8:3F:26:00:00:05", -65)
shy = named("Shy", "C8:3F:26:00:00:06", -65, kind=Shy)
hush = named("Hush", "C8:3F:26:00:00:07", -66, flags=0x04)

ibeacon = room.beacon("D0:00:00:00:00:01", rssi=-60, data=advertising(
    manufacturer={0x004C: b"\x02\x15" + bytes(range(16)) + bytes.fromhex("00010002c5")}))
eddystone = room.beacon("D0:00:00:00:00:02", rssi=-71, data=advertising(
    uuids=["FEAA"], service_data={"FEAA": bytes.fromhex("00ee0102")}, tx_power=8))
tag = room.beacon(
    "D0:00:00:00:00:03", rssi=-72, data=advertising(name="Tag", manufacturer={0x0499: bytes.fromhex("0512fc")}),
    scan_response=advertising(flags=None, service_data={lab_uuid("custom"): b"\7"}))
public = room.beacon("00:1A:7D:00:00:04", rssi=-73, public=True, data=advertising(name="Public"))
flagless = room.beacon("D0:00:00:00:00:05", rssi=-74, data=advertising(flags=None, name="Flagless"))

# Orders.

devices = {name: thing for name, thing in globals().items() if isinstance(thing, (Peripheral, Beacon))}
adapters = {"hci0": hci0, "hci1": hci1}
running = {}        # what "beat on" started


def orders_of_device(device):
    async def send(how, name, value=""):
        await how(attributes[name.lower()], bytes.fromhex(value))

    async def change(name, value):
        stored[name].value = bytes.fromhex(value)

    async def mute(on):
        device.muted = on

    async def manufacturer(company, value):
        field = bytes.fromhex(company)[::-1] + bytes.fromhex(value)
        device.data += bytes([len(field) + 1, 0xFF]) + field

    async def beats(on):
        if task := running.pop(device, None):
            task.cancel()
        if on == "on":
            running[device] = asyncio.ensure_future(beat())

    verbs = {"show": device.show, "hide": device.hide, "manufacturer": manufacturer, "set": change}
    if isinstance(device, Peripheral):
        verbs |= {
            "disconnect": device.disconnect, "lose": device.lose,
            "mute": lambda: mute(True), "unmute": lambda: mute(False),
            "notify": lambda *words: send(device.notify, *words),
            "indicate": lambda *words: send(device.indicate, *words)}
    if device is pulse:
        verbs["beat"] = beats
    return verbs


def orders_of_adapter(adapter):
    async def plug():
        adapter.plug()

    async def unplug():
        adapter.unplug()

    return {"plug": plug, "unplug": unplug}


def orders_of_bluetoothd():
    def kill(signal):
        subprocess.run(f"kill -{signal} $(pidof bluetoothd)", shell=True, check=True)

    async def stop():
        kill("TERM")
        await asyncio.sleep(1)

    async def crash():
        kill("KILL")
        await asyncio.sleep(1)

    async def start():
        subprocess.Popen(["/usr/libexec/bluetooth/bluetoothd", "-n"])

    async def restart():
        await stop()
        await start()

    return {"stop": stop, "start": start, "restart": restart, "crash": crash}


orders = {name: orders_of_device(device) for name, device in devices.items()}
orders |= {name: orders_of_adapter(adapter) for name, adapter in adapters.items()}
orders["bluetoothd"] = orders_of_bluetoothd()


async def obey(line):
    """Carry out an order: WHO VERB [ARGUMENT...]."""
    who, verb, *arguments = line.split()
    if verb not in orders.get(who, {}):
        raise ValueError("no such order")
    await orders[who][verb](*arguments)


room.run(obey)

"""Emulated Bluetooth LE radios for the guest.

A `Room` holds adapters, which the guest's kernel gets as hci0, hci1... through
/dev/vhci, and the peripherals and beacons that they hear.  All are virtual
controllers of bumble in one process; kernel and bluetoothd are real.

A world (lab.py) fills a room and ends with `room.run(obey)`: `obey` is a
coroutine function that carries out one order, a line of text from `air`.

Overridden methods keep bumble's names: setup pins the version they belong to.
"""
import asyncio
import collections
import itertools
import os
import secrets
from dataclasses import dataclass

from bumble import att, gatt_server, hci, ll
from bumble.controller import Controller
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address, HCI_ErrorCode, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.pairing import PairingConfig
from bumble.transport.common import AsyncPipeSink
from bumble.utils import AsyncRunner

ORDERS = "/run/air.sock"            # where `air` finds us
READY = "/run/radios.ready"         # says how many adapters there are, once they are

# Only what BlueZ uses by default: with the extended kind the kernel would take other commands.
FEATURES = Controller.le_features & ~(LeFeatureMask.LE_EXTENDED_ADVERTISING | LeFeatureMask.LE_PERIODIC_ADVERTISING)
PACKET = 251                        # bytes a link layer packet carries


def later(seconds, function, *arguments):
    asyncio.get_running_loop().call_later(seconds, function, *arguments)


def advertising(*, flags=0x06, name=None, uuids=(), manufacturer=None, service_data=None, tx_power=None):
    """Advertising data (Core Supplement, Part A).  uuids: strings of hex digits;
    manufacturer: {company: bytes}; service_data: {uuid: bytes}; flags None: without."""
    fields = []

    def add(kind, data):
        fields.append(bytes([1 + len(data), kind]) + data)

    def on_air(uuid):
        return bytes.fromhex(uuid.replace("-", ""))[::-1]

    if flags is not None:
        add(0x01, bytes([flags]))
    for length, kind in ((2, 0x03), (16, 0x07)):
        if group := [on_air(u) for u in uuids if len(on_air(u)) == length]:
            add(kind, b"".join(group))
    for company, data in (manufacturer or {}).items():
        add(0xFF, company.to_bytes(2, "little") + data)
    for uuid, data in (service_data or {}).items():
        add(0x16 if len(on_air(uuid)) == 2 else 0x21, on_air(uuid) + data)
    if tx_power is not None:
        add(0x0A, tx_power.to_bytes(1, "little", signed=True))
    if name:
        add(0x09, name.encode())
    return b"".join(fields)


@dataclass
class Advertisement:
    sender: Address
    data: bytes
    scan_response: bytes
    rssi: int
    connectable: bool

    @property
    def scannable(self):
        return self.connectable or bool(self.scan_response)


class Room(LocalLink):
    """What is within hearing of each other."""

    def __init__(self):
        super().__init__()
        self.things = []

    def adapter(self, address):
        return self._with(Adapter(self, address))

    def peripheral(self, address, kind=None, **options):
        """A connectable device; for the options see Peripheral."""
        return self._with((kind or Peripheral)(self, address, **options))

    def beacon(self, address, data, **options):
        """A device that only advertises; for the options see Beacon."""
        return self._with(Beacon(self, address, data, **options))

    def _with(self, thing):
        self.things.append(thing)
        return thing

    @property
    def adapters(self):
        return [thing for thing in self.things if isinstance(thing, Adapter)]

    def broadcast(self, advertisement):
        for adapter in self.adapters:
            if adapter.plugged:
                adapter.hear(advertisement)

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        # bumble would name the sender by its random address. The kernel connects
        # from the public one, and that is what the link was made with.
        link = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if link and receiver and not (sender_controller.muted or receiver.muted):
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, link.self_address, transport, data)

    def run(self, obey):
        """Switch all on, then carry out orders for ever."""
        asyncio.run(self._run(obey))

    async def _run(self, obey):
        async def answer(reader, writer):
            line = (await reader.read()).decode()
            try:
                await obey(line)
            except Exception as error:
                writer.write(f"{line}: {type(error).__name__}: {error}".encode())
            writer.close()

        for thing in self.things:
            await thing.switch_on()
        async with await asyncio.start_unix_server(answer, ORDERS) as server:
            with open(READY, "w") as file:
                print(len(self.adapters), file=file)
            await server.serve_forever()


class Adapter(Controller):
    """What the kernel drives, with those ways of bumble's controller mended that it stumbles over."""

    le_features = FEATURES
    le_acl_data_packet_length = supported_max_tx_octets = supported_max_rx_octets = PACKET
    muted = False

    def __init__(self, room, address):
        self.room, self.address, self.file = room, address, None

    @property
    def plugged(self):
        return self.file is not None

    async def switch_on(self):
        self.plug()

    def plug(self):
        """Plug the dongle in: a fresh controller and a new hciN."""
        super().__init__(self.address, link=self.room, public_address=self.address)
        self.handles, self.travelling = itertools.count(1), {}
        self.file = os.open("/dev/vhci", os.O_RDWR | os.O_NONBLOCK)
        os.write(self.file, b"\xff\x00")    # to the driver: a primary controller, please
        asyncio.get_running_loop().add_reader(self.file, self._packet_from_kernel)

    def unplug(self):
        """Pull the dongle out."""
        for link in list(self.le_connections.values()):
            self.lose(link)
        asyncio.get_running_loop().remove_reader(self.file)
        os.close(self.file)
        self.file = None
        self.room.remove_controller(self)

    def lose(self, link):
        """Both ends see a supervision timeout."""
        peer = self.room.find_le_controller(link.peer_address)
        far_end = peer and peer.le_connections.get(link.self_address)
        self.on_le_disconnected(link, HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
        if far_end:
            peer.on_le_disconnected(far_end, HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)

    def _packet_from_kernel(self):
        packet = os.read(self.file, 4096)
        if packet[0] != 0xFF:           # 0xFF is the driver's answer, not HCI
            self.on_packet(packet)

    # Scanning. bumble reports each advertisement as its own scan response, all at one strength.

    def hear(self, advertisement):
        if self.le_scan_enable:
            self._report(advertisement, advertisement.data, 0 if advertisement.connectable else 2 if advertisement.scannable else 3)
            # In an active scan the kernel waits for the response, be it empty.
            if self.le_scan_type == 1 and advertisement.scannable:
                self._report(advertisement, advertisement.scan_response, 4)
        wanted = self.pending_le_connection
        if wanted and advertisement.connectable and wanted.peer_address == advertisement.sender:
            self.create_le_connection(advertisement.sender)

    def _report(self, advertisement, data, event_type):
        report = hci.HCI_LE_Advertising_Report_Event.Report(
            event_type=event_type, address=advertisement.sender, address_type=advertisement.sender.address_type,
            data=data, rssi=advertisement.rssi)
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))

    # Connecting.

    def allocate_connection_handle(self):
        # bumble takes the lowest free one; its predecessor's end may still be on its way.
        return next(self.handles) % 0xF00

    def send_hci_packet(self, packet):
        # In no time at all bluetoothd gets "connected" from two sides at once, in either
        # order, and an answer before it has read the next call. So some packets travel.
        if isinstance(packet, hci.HCI_AclDataPacket):
            self._travel(packet, 0.005)
        elif isinstance(packet, (hci.HCI_LE_Read_Remote_Features_Complete_Event, hci.HCI_Disconnection_Complete_Event)):
            self._travel(packet, 0.03)
        elif isinstance(packet, hci.HCI_LE_Connection_Complete_Event) and self.le_event_mask >> 9 & 1:
            self._send_to_kernel(self._enhanced(packet))
        else:
            self._send_to_kernel(packet)

    def _travel(self, packet, seconds):
        """Packets that take equally long arrive in the order in which they left."""
        queue = self.travelling.setdefault(seconds, collections.deque())
        queue.append(packet)
        later(seconds, lambda: self._send_to_kernel(queue.popleft()))

    def _send_to_kernel(self, packet):
        if self.plugged:
            os.write(self.file, bytes(packet))

    @staticmethod
    def _enhanced(event):
        """The newer form of an event that bumble always sends in the older one: a
        kernel that asked for the newer waits for it, and sends nothing meanwhile."""
        kept = ("status", "connection_handle", "role", "peer_address_type", "peer_address", "connection_interval",
                "peripheral_latency", "supervision_timeout", "central_clock_accuracy")
        return hci.HCI_LE_Enhanced_Connection_Complete_Event(
            **{field: getattr(event, field) for field in kept},
            local_resolvable_private_address=Address.ANY, peer_resolvable_private_address=Address.ANY)

    def on_hci_le_create_connection_cancel_command(self, command):
        # bumble answers the command, and forgets to end the attempt.
        wanted, self.pending_le_connection = self.pending_le_connection, None
        if not wanted:
            return hci.HCI_StatusReturnParameters(HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        end = hci.HCI_LE_Connection_Complete_Event(
            status=HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, connection_handle=0, role=0,
            peer_address_type=wanted.peer_address.address_type, peer_address=wanted.peer_address,
            connection_interval=0, peripheral_latency=0, supervision_timeout=0, central_clock_accuracy=0)
        asyncio.get_running_loop().call_soon(self.send_hci_packet, end)     # after the answer
        return super().on_hci_le_create_connection_cancel_command(command)


class Peripheral(Controller):
    """A device with a GATT server: bumble's controller and, as `device`, its host."""

    le_features = FEATURES
    le_acl_data_packet_length = supported_max_tx_octets = supported_max_rx_octets = PACKET
    muted = False           # connected as before, but it neither hears nor says anything

    def __init__(self, room, address, *, name, data, scan_response=b"", rssi=-60, services=(), pairing=None):
        """name: in its GAP service; pairing: a PairingConfig, just works by default."""
        self.room, self.address, self.gap_name = room, address, name
        self.data, self.scan_response, self.rssi = data, scan_response, rssi
        self.services, self.pairing = list(services), pairing or PairingConfig(mitm=False)

    async def switch_on(self):
        super().__init__(self.gap_name, link=self.room)
        self.device = Device(
            config=DeviceConfiguration(name=self.gap_name, address=Address(self.address), irk=secrets.token_bytes(16)),
            host=Host(self, AsyncPipeSink(self)))
        self.device.add_services(self.services)
        self.device.gatt_server.max_mtu = 517
        self.device.pairing_config_factory = lambda connection: self.pairing
        await self.device.power_on()
        await self.show()

    async def show(self):
        """Advertise, ten times a second."""
        interval = 100 * 0.625      # bumble's controller takes units of 0.625 ms for milliseconds
        await self.device.start_advertising(
            auto_restart=True, advertising_interval_min=interval, advertising_interval_max=interval)

    async def hide(self):
        await self.device.stop_advertising()

    def send_advertising_pdu(self, packet):
        if isinstance(packet, ll.AdvInd):
            self.room.broadcast(
                Advertisement(packet.advertiser_address, self.data, self.scan_response, self.rssi, connectable=True))
        else:
            super().send_advertising_pdu(packet)

    async def disconnect(self):
        """Hang up."""
        for connection in list(self.device.connections.values()):
            await connection.disconnect()

    async def lose(self):
        """Go out of range while connected."""
        for adapter in self.room.adapters:
            for link in list(adapter.le_connections.values()) if adapter.plugged else ():
                if self.room.find_le_controller(link.peer_address) is self:
                    adapter.lose(link)

    async def notify(self, characteristic, value):
        await self.device.notify_subscribers(characteristic, value)

    async def indicate(self, characteristic, value):
        await self.device.indicate_subscribers(characteristic, value)


class Beacon:
    """Advertises ten times a second, not connectable; costs much less than a Peripheral."""

    def __init__(self, room, address, data, scan_response=b"", rssi=-60, public=False):
        kind = Address.PUBLIC_DEVICE_ADDRESS if public else Address.RANDOM_DEVICE_ADDRESS
        self.room, self.address = room, Address(address, kind)
        self.data, self.scan_response, self.rssi, self.hidden = data, scan_response, rssi, False

    async def switch_on(self):
        self._beat()

    def _beat(self):
        if not self.hidden:
            self.room.broadcast(
                Advertisement(self.address, self.data, self.scan_response, self.rssi, connectable=False))
        later(0.1, self._beat)

    async def show(self):
        self.hidden = False

    async def hide(self):
        self.hidden = True


# bumble's GATT server does not look whether an attribute may be read or written at
# all, and refuses a read from an offset where the whole value fits in one packet.

def _guard(access, permission, code):
    async def guarded(attribute, bearer, *value):
        if not attribute.permissions & permission:
            raise att.ATT_Error(error_code=code, att_handle=attribute.handle)
        return await access(attribute, bearer, *value)
    return guarded


@AsyncRunner.run_in_task()
async def _read_blob(server, bearer, request):
    handle, offset = request.attribute_handle, request.value_offset
    try:
        value = await server.get_attribute(handle).read_value(bearer)
        if offset > len(value):
            raise att.ATT_Error(error_code=0x07)
        answer = att.ATT_Read_Blob_Response(part_attribute_value=value[offset:offset + bearer.att_mtu - 1])
    except att.ATT_Error as error:
        answer = att.ATT_Error_Response(
            request_opcode_in_error=request.op_code, attribute_handle_in_error=handle, error_code=error.error_code)
    server.send_response(bearer, answer)


att.Attribute.read_value = _guard(att.Attribute.read_value, att.Attribute.READABLE, 0x02)
att.Attribute.write_value = _guard(att.Attribute.write_value, att.Attribute.WRITEABLE, 0x03)
gatt_server.Server.on_att_read_blob_request = _read_blob

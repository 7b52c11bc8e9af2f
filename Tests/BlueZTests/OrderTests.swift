import Bluetooth
import Central
import DBus
import EventLoop
import Glibc
import Simulator
import Testing

@testable import BlueZ

/// An object of a bluetoothd that does just what a test wants.
@LoopActor
private final class Object: ExportedInterface {
  let description: InterfaceDescription
  var properties: [String: Value]
  /// Called at each look at the property.
  var onLook: (String) -> Void = { _ in }

  init(_ interface: String, _ properties: [String: Value]) {
    self.properties = properties
    description = InterfaceDescription(interface, properties: properties.map { .init($0.key, $0.value.signature) })
  }

  func call(_ call: IncomingCall) {}

  func get(_ property: String) -> Value? {
    defer { onLook(property) }
    return properties[property]
  }
}

/// What is told counts in the order in which it was told.
@Suite struct OrderTests {
  init() { EventLoop.runInBackground() }

  private static let path: ObjectPath = "/org/bluez/hci0/dev_C8_3F_26_00_00_01"

  @Test @LoopActor func aSignalThatComesWithTheAnswerIsNewer() async throws {
    let bus = SimulatedBus()
    let address = try await bus.start()
    let bluetoothd = try await Connection.open(.address(address), timeout: 10)
    let objects = ObjectServer(bluetoothd)
    let adapter: [String: Value] = ["Address": .string("AA:BB:CC:00:00:01"), "Powered": .bool(true)]
    objects.add([Object("org.bluez.Adapter1", adapter)], at: "/org/bluez/hci0")
    let device = Object(
      "org.bluez.Device1",
      [
        "Address": .string("C8:3F:26:00:00:01"), "AddressType": .string("random"), "Adapter": .path("/org/bluez/hci0"),
        "Connected": .bool(true),
      ])
    objects.add([device], at: Self.path)
    try await bluetoothd.requestName("org.bluez")

    let backend = BlueZBackend(bus: .address(address), clock: EventLoop.shared.clock)
    #expect(await backend.open() == .ready)
    let id = DeviceID(adapter: "hci0", address: try #require(Address("C8:3F:26:00:00:01")))
    #expect(backend.state(of: id)?.isConnected == true)

    device.onLook = { property in
      guard property == "Connected" else { return }
      device.onLook = { _ in }
      // Right behind the answer; and nothing is read until the bus has passed on both.
      EventLoop.shared.clock.after(0) {
        device.properties["Connected"] = .bool(false)
        objects.send(now: Self.path, "org.bluez.Device1", "Connected")
        bluetoothd.flush()
        usleep(100_000)
      }
    }
    try await backend.synchronize(id)
    try await backend.connection?.roundTrip()
    #expect(backend.state(of: id)?.isConnected == false)
    await backend.close()
    bluetoothd.close()
    await bus.stop()
  }
}

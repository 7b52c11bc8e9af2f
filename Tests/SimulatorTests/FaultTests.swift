import DBus
import EventLoop
import Testing

@testable import Simulator

@Suite struct FaultTests {
  init() { EventLoop.runInBackground() }

  private static let value: ObjectPath = "/org/bluez/hci0/dev_C8_3F_26_00_00_01/service000e/char000f"

  @LoopActor private func read(_ stage: Stage, timeout: Seconds = 5) async throws(DBusError) -> Value? {
    try await stage.call(Self.value, "GattCharacteristic1", "ReadValue", [.properties()], timeout: timeout).first
  }

  @Test @LoopActor func theSecondReadFails() async throws {
    let stage = try await Stage(
      onePeripheral
        + #"sim.fault { on = "ReadValue", characteristic = c, nth = 2, times = 1, error = "Failed", message = "boo" }"#)
    try await stage.connect()
    #expect(try await read(stage) == .bytes([1]))
    await #expect(throws: DBusError(name: "org.bluez.Error.Failed", message: "boo")) { try await read(stage) }
    #expect(try await read(stage) == .bytes([1]))
    await stage.close()
  }

  @Test @LoopActor func aCallIsNeverAnswered() async throws {
    let stage = try await Stage(onePeripheral + #"sim.fault { on = "ReadValue", silent = true }"#)
    try await stage.connect()
    await #expect(throws: DBusError.noReply) { try await read(stage, timeout: 0.3) }
    await stage.close()
  }

  @Test @LoopActor func theBusHasTheLimitsOfASystemBus() async throws {
    let stage = try await Stage(onePeripheral + #"sim.fault { on = "ReadValue", silent = true }"#)
    try await stage.connect()
    var refused = 0
    for _ in 0..<140 {
      let call = MethodCall("org.bluez", Self.value, "org.bluez.GattCharacteristic1", "ReadValue", [.properties()])
      stage.client.send(call, timeout: 2) { answer in
        if case .failure(let error) = answer, error.name.hasSuffix(".LimitsExceeded") { refused += 1 }
      }
    }
    try await stage.client.roundTrip()
    #expect(refused == 12)
    await stage.close()
  }

  @Test @LoopActor func aCallIsCarriedOutLate() async throws {
    let stage = try await Stage(onePeripheral + #"sim.fault { on = "ReadValue", delay = 0.3 }"#)
    try await stage.connect()
    let start = EventLoop.shared.clock.now
    #expect(try await read(stage) == .bytes([1]))
    #expect(EventLoop.shared.clock.now >= start + 0.3)
    await stage.close()
  }

  @Test @LoopActor func thePeripheralHangsUpInARead() async throws {
    let stage = try await Stage(
      onePeripheral + #"sim.fault { on = "ReadValue", peripheral = p, silent = true, disconnect = true }"#)
    try await stage.connect()
    await #expect(throws: DBusError.noReply) { try await read(stage, timeout: 0.3) }
    #expect(try await stage.get(Stage.device, "Device1", "Connected") == .bool(false))
    await stage.close()
  }

  @Test @LoopActor func theAdapterGoesOffInARead() async throws {
    let stage = try await Stage(onePeripheral + #"sim.fault { on = "ReadValue", power_off = true }"#)
    try await stage.connect()
    await #expect(throws: DBusError(name: "org.bluez.Error.Failed", message: "Not connected")) { try await read(stage) }
    #expect(try await stage.get(Stage.adapter, "Adapter1", "Powered") == .bool(false))
    await stage.close()
  }

  @Test @LoopActor func bluetoothdCrashesInARead() async throws {
    let stage = try await Stage(onePeripheral + #"sim.fault { on = "ReadValue", times = 1, crash = true }"#)
    try await stage.connect()
    let error = await #expect(throws: DBusError.self) { try await read(stage) }
    #expect(error?.name == "org.freedesktop.DBus.Error.NoReply")
    #expect(await stage.client.owner(of: "org.bluez") == nil)
    try await stage.simulator.order("bluetoothd start")
    try await stage.until { try await stage.objects()[.path(Stage.device)] != nil }
    await stage.close()
  }

  @Test @LoopActor func theWorldDoesSomethingAtAStep() async throws {
    let stage = try await Stage(onePeripheral + #"sim.fault { on = "ReadValue", run = function() c.value = "\7" end }"#)
    try await stage.connect()
    #expect(try await read(stage) == .bytes([7]))
    await stage.close()
  }

  @Test @LoopActor func theBusDeniesBluetoothd() async throws {
    let stage = try await Stage(
      onePeripheral + "sim.denied = true; sim.order(function() sim.denied = false return true end)")
    let error = await #expect(throws: (any Error).self) { try await stage.objects() }
    #expect((error as? DBusError)?.name == "org.freedesktop.DBus.Error.AccessDenied")
    try await stage.simulator.order("allow")
    try await stage.until { (try? await stage.objects()) != nil }
    await stage.close()
  }

  @Test @LoopActor func thePeripheralHangsUpAtOnce() async throws {
    let stage = try await Stage(onePeripheral + #"p:on("connect", function(n) if n == 1 then p:disconnect() end end)"#)
    try await stage.call(Stage.adapter, "Adapter1", "StartDiscovery")
    try await stage.until { try await stage.objects()[.path(Stage.device)] != nil }
    _ = try? await stage.call(Stage.device, "Device1", "Connect")
    try await stage.until { try await stage.get(Stage.device, "Device1", "Connected") == .bool(false) }
    try await stage.call(Stage.device, "Device1", "Connect")
    #expect(try await stage.get(Stage.device, "Device1", "Connected") == .bool(true))
    await stage.close()
  }

  @Test @LoopActor func aConnectionFails() async throws {
    let world = #"p:on("connect", function(n) if n == 1 then return sim.fail("le-connection-abort-by-local") end end)"#
    let stage = try await Stage(onePeripheral + world)
    await #expect(throws: DBusError(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local")) {
      try await stage.connect()
    }
    try await stage.call(Stage.device, "Device1", "Connect")
    await stage.close()
  }
}

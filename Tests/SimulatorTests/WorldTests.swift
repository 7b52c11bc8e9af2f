import DBus
import EventLoop
import LuaRuntime
import Testing

@testable import Simulator

@Suite struct WorldTests {
  init() { EventLoop.runInBackground() }

  /// Mistakes, and what is said about them; each is in the world's second line.
  static let mistakes: [(String, String)] = [
    (#"sim.peripheral { name = "x" }"#, "address: an address expected, got nothing"),
    (#"sim.peripheral { address = "C8:3F" }"#, #"address: AA:BB:CC:DD:EE:FF expected, got "C8:3F""#),
    (#"sim.peripheral { address = "C8:3F:26:00:00:01", nmae = "x" }"#, "sim.peripheral: there is no field 'nmae'"),
    (
      #"sim.peripheral { address = "C8:3F:26:00:00:01", rssi = 99 }"#,
      "rssi: a whole number from -127 to 20 expected, got 99"
    ),
    (#"sim.peripheral { address = "C8:3F:26:00:00:01" }:service "heart""#, #"service: a UUID expected, got "heart""#),
    ("sim.after(-1, print)", "sim.after: seconds expected, got -1"),
    (#"sim.fault { on = "ReadValue" }"#, "a fault has to do something"),
    ("sim.att(0)", "sim.att: a whole number from 1 to 255 expected, got 0"),
    ("sim.adapter { name = \"usb0\" }", "name: 'hci' and a number expected, got \"usb0\""),
    ("sim.nonesuch = 1", "sim has no field 'nonesuch'"),
    (
      "local p = sim.peripheral { address = \"C8:3F:26:00:00:01\" } p:service { \"180d\", handle = 3 }",
      "handle 0x0003 is taken"
    ),
    ("x = = 1", "unexpected symbol near '='"),
  ]

  @Test(arguments: mistakes) @LoopActor func aMistakeIsToldWithItsLine(_ mistake: (String, String)) async throws {
    let file = try WorldFile("local sim = require \"sim\"\n" + mistake.0 + "\n")
    defer { file.remove() }
    let error = await #expect(throws: LuaError.self) {
      try await Simulator.start(world: file.path, path: ModulePath(library: project("scripts/lib")))
    }
    let text = error?.description ?? ""
    #expect(text.contains("\(file.path):2: "), "\(text)")
    #expect(text.contains(mistake.1), "\(text)")
  }

  @Test @LoopActor func anErrorWhileTheWorldRunsIsTold() async throws {
    let stage = try await Stage(
      onePeripheral + "sim.order(function() sim.after(0, function() error \"oh\" end) return true end)")
    try await stage.simulator.order("fail")
    try await stage.until { !stage.errors.isEmpty }
    #expect(stage.errors.first?.contains(":5: oh") == true)
    await stage.close()
  }

  @Test @LoopActor func ordersAreCarriedOutOrRefused() async throws {
    let stage = try await Stage(
      onePeripheral + "sim.order(function(line) if line == \"dance\" then c.value = \"\\9\" return true end end)")
    try await stage.connect()
    try await stage.simulator.order("dance")
    let path: ObjectPath = "/org/bluez/hci0/dev_C8_3F_26_00_00_01/service000e/char000f"
    #expect(try await stage.call(path, "GattCharacteristic1", "ReadValue", [.properties()]) == [.bytes([9])])
    try await stage.simulator.order("one set 2a37 0a0b")
    #expect(try await stage.call(path, "GattCharacteristic1", "ReadValue", [.properties()]) == [.bytes([10, 11])])
    for (order, reason) in [
      ("sing", "WHO VERB [ARGUMENT …] expected"), ("one fly", "nobody here knows the order 'one fly'"),
      ("one notify 2a38 00", "there is no characteristic \"2a38\""),
      ("one notify 2a37 0", "bytes in hexadecimal expected"),
    ] {
      let error = await #expect(throws: LuaError.self) { try await stage.simulator.order(order) }
      #expect(error?.description.contains(reason) == true)
    }
    await stage.close()
  }

  @Test @LoopActor func ordersComeOverTheBusToo() async throws {
    let stage = try await Stage(onePeripheral)
    let name = "org.blescript.Simulator1"
    #expect(
      try await stage.client.call(name, "/org/blescript/simulator", name, "Order", [.string("one hide")], timeout: 5)
        == [])
    let error = await #expect(throws: DBusError.self) {
      try await stage.client.call(name, "/org/blescript/simulator", name, "Order", [.string("two hide")], timeout: 5)
    }
    #expect(error?.name == "org.blescript.Simulator1.Error.Failed")
    await stage.close()
  }

  @Test @LoopActor func aWorldMayHaveNoBluetoothd() async throws {
    let stage = try await Stage("local sim = require \"sim\"\nsim.bluetoothd:stop()")
    #expect(stage.simulator.connection == nil)
    let error = await #expect(throws: (any Error).self) { try await stage.objects() }
    #expect((error as? DBusError)?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    try await stage.simulator.order("bluetoothd start")
    try await stage.until { try await stage.objects().count == 2 }
    await stage.close()
  }

  @Test @LoopActor func aWorldMayHaveNoAdapter() async throws {
    let stage = try await Stage("local sim = require \"sim\"\nsim.adapter:unplug()")
    try await EventLoop.shared.clock.sleep(0.1)
    #expect(try await stage.objects().count == 1)
    try await stage.simulator.order("hci0 plug")
    try await stage.until { try await stage.objects().count == 2 }
    await stage.close()
  }

  @Test @LoopActor func aWorldMayBeginWithTheAdapterOff() async throws {
    let stage = try await Stage("local sim = require \"sim\"\nsim.adapter:power(false)")
    try await stage.until { (try? await stage.get(Stage.adapter, "Adapter1", "Powered")) == .bool(false) }
    await stage.close()
  }

  @Test @LoopActor func nothingIsLeftOfAWorldThatHasEnded() async throws {
    let stage = try await Stage(onePeripheral + "sim.every(0.05, function() c:notify \"x\" end)")
    try await stage.connect()
    weak let world = stage.simulator.world
    weak let device = stage.simulator.world.bluetoothd.adapters.first?.devices.first
    weak let peripheral = stage.simulator.world.air.peripherals.first
    #expect(device != nil)
    await stage.end()
    // Timers that are still to fire hold what they are about.
    try await EventLoop.shared.clock.sleep(0.2)
    #expect(world == nil)
    #expect(device == nil)
    #expect(peripheral == nil)
  }

  @Test @LoopActor func theShippedWorldsCanBeRead() async throws {
    for name in ["heart-rate", "radio-off", "lab"] {
      let simulator = try await Simulator.start(
        world: project("scripts/worlds/\(name).lua"), path: ModulePath(library: project("scripts/lib")))
      await simulator.stop()
    }
  }
}

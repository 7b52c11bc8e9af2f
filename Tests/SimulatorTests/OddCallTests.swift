import DBus
import EventLoop
import Testing

@testable import Simulator

/// Whatever comes over the bus, bluetoothd answers with an error and goes on.
@Suite struct OddCallTests {
  init() { EventLoop.runInBackground() }

  private static let methods: [(String, [String])] = [
    ("AgentManager1", ["RegisterAgent", "UnregisterAgent", "RequestDefaultAgent"]),
    ("ProfileManager1", ["RegisterProfile"]), ("HealthManager1", ["CreateApplication"]),
    ("Adapter1", ["SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "RemoveDevice", "GetDiscoveryFilters"]),
    ("GattManager1", ["RegisterApplication"]), ("Media1", ["RegisterPlayer"]),
    ("Device1", ["CancelPairing", "ConnectProfile", "Pair", "Connect"]),
    ("GattCharacteristic1", ["ReadValue", "WriteValue", "StartNotify", "StopNotify", "AcquireNotify", "AcquireWrite"]),
    ("GattDescriptor1", ["ReadValue", "WriteValue"]),
  ]

  private static let arguments: [[Value]] = [
    [], [.string("\u{1F4A1}")], [.path("/")], [.properties()],
    [.properties([("offset", .uint16(65535)), ("type", .string(""))])],
    [.properties([("offset", .string("x"))])], [.properties([("RSSI", .int16(-128)), ("UUIDs", .strings([""]))])],
    [.properties([("Pattern", .string("\u{1F4A1}")), ("Pathloss", .uint16(0))])],
    [.bytes([]), .properties([("type", .string("reliable"))])],
    [.bytes(Array(repeating: 7, count: 70000)), .properties([("offset", .uint16(65535))])],
    [.bytes(Array(repeating: 7, count: 513)), .properties([("TYPE", .string("command"))])],
    [.path("/agent"), .string("NoInputNoOutput")], [.path("/x"), .string("180d"), .properties()],
    [.path("/x"), .properties()],
  ]

  @Test @LoopActor func nothingFallsOverThem() async throws {
    let stage = try await Stage(onePeripheral)
    try await stage.connect()
    let characteristic: ObjectPath = "/org/bluez/hci0/dev_C8_3F_26_00_00_01/service000e/char000f"
    let descriptor = try #require(characteristic.appending("desc0011"))
    let paths: [ObjectPath] = ["/", "/org/bluez", Stage.adapter, Stage.device, characteristic, descriptor]
    var count = 0
    for path in paths {
      for (interface, members) in Self.methods {
        for member in members {
          for arguments in Self.arguments {
            let call = MethodCall("org.bluez", path, "org.bluez." + interface, member, arguments)
            stage.client.send(call, timeout: 1) { _ in count += 1 }
          }
        }
        // The bus allows 128 calls that wait.
        try await stage.client.roundTrip()
        try await stage.until { stage.client.pendingReplies < 40 }
      }
    }
    #expect(count > 1000)
    _ = try await stage.objects()
    #expect(stage.errors.isEmpty)
    await stage.close()
  }

  @Test @LoopActor func settingOddValues() async throws {
    let stage = try await Stage(onePeripheral)
    try await stage.connect()
    for (path, interface) in [(Stage.adapter, "Adapter1"), (Stage.device, "Device1")] {
      for name in [
        "Alias", "Powered", "Trusted", "Blocked", "Discoverable", "PairableTimeout", "RSSI", "", "\u{1F4A1}",
      ] {
        for value in [Value.bool(false), .string(""), .uint32(.max), .int16(.min), .bytes([]), .variant(.bool(true))] {
          _ = try? await stage.client.call(
            "org.bluez", path, "org.freedesktop.DBus.Properties", "Set",
            [.string("org.bluez." + interface), .string(name), .variant(value)], timeout: 2)
        }
      }
    }
    _ = try await stage.objects()
    await stage.close()
  }
}

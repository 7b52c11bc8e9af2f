import DBus
import EventLoop
import Glibc
import LuaRuntime
import Testing

@testable import Simulator

/// A simulator with a world that the test writes, and a client on its bus.
@LoopActor
final class Stage {
  private(set) var simulator: Simulator!  // until the end
  let client: Connection
  private(set) var signals: [Signal] = []
  private(set) var errors: [String] = []
  private var listener: Listener?

  init(_ world: String) async throws {
    let file = try WorldFile(world)
    defer { file.remove() }
    simulator = try await Simulator.start(world: file.path, path: ModulePath(library: project("scripts/lib")))
    client = try await Connection.open(.address(simulator.address), timeout: 5)
    simulator.onError = { [weak self] in self?.errors.append($0) }
    listener = client.listen(MatchRule(sender: "org.bluez")) { [weak self] in self?.signals.append($0) }
    try await client.roundTrip()
  }

  func close() async {
    client.close()
    await simulator.stop()
  }

  /// Closes, and lets go.
  func end() async {
    await close()
    simulator = nil
  }

  static let adapter: ObjectPath = "/org/bluez/hci0"
  static let device: ObjectPath = "/org/bluez/hci0/dev_C8_3F_26_00_00_01"

  @discardableResult
  func call(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [], timeout: Seconds = 5)
    async throws(DBusError) -> [Value]
  {
    try await client.call("org.bluez", path, "org.bluez." + interface, member, arguments, timeout: timeout)
  }

  func objects() async throws -> Entries {
    let values = try await client.call(
      "org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", timeout: 5)
    return try #require(values.first?.entries)
  }

  func get(_ path: ObjectPath, _ interface: String, _ name: String) async throws(DBusError) -> Value? {
    try await client.call(
      "org.bluez", path, "org.freedesktop.DBus.Properties", "Get", [.string("org.bluez." + interface), .string(name)],
      timeout: 5
    ).first?.unwrapped
  }

  /// Discovers, and connects the one device.
  func connect() async throws {
    try await call(Self.adapter, "Adapter1", "StartDiscovery")
    try await until { try await self.objects()[.path(Self.device)] != nil }
    try await call(Self.adapter, "Adapter1", "StopDiscovery")
    try await call(Self.device, "Device1", "Connect")
    try await until { try await self.get(Self.device, "Device1", "ServicesResolved") == .bool(true) }
  }

  func until(_ isSo: () async throws -> Bool) async throws {
    for _ in 0..<200 {
      if try await isSo() { return }
      try await EventLoop.shared.clock.sleep(0.02)
    }
    Issue.record("it did not come to that within four seconds")
  }
}

/// A world in a file, which goes again.
struct WorldFile {
  let path: String

  init(_ world: String) throws {
    var template = Array("/tmp/world-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array(world.utf8)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    Glibc.close(descriptor)
  }

  func remove() {
    unlink(path)
  }
}

/// A peripheral with one characteristic at 0x000f.
let onePeripheral = """
  local sim = require "sim"
  local p = sim.peripheral { address = "C8:3F:26:00:00:01", name = "One", interval = 0.02 }
  local s = p:service "180d"
  local c = s:characteristic { "2a37", "read", "write", "notify", value = "\\1" }

  """

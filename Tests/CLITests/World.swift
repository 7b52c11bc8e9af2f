import DBus
import EventLoop
import Foundation
import Testing

/// A world that `blescript sim` plays, and a look at it from outside.
@LoopActor
final class World {
  let address: String
  let folder: Folder
  private let simulator: Program
  private let outside: Connection

  /// One device with a characteristic for each thing that a test may wait for.
  static let device = """
    local sim = require "sim"
    local device = sim.peripheral { id = "it", address = "C8:3F:26:00:00:01", name = "It" }
    local service = device:service "fff0"
    service:characteristic { "fff1", "read", "write", value = "ok" }
    service:characteristic { "fff2", "read", "write", "notify", id = "silent",
      on_read = function() return sim.never end, on_write = function() return sim.never end }

    """

  private init(_ source: String, script: String) async throws {
    folder = try Folder(["world.lua": source, "script.lua": script])
    simulator = try Program(["sim", folder.path + "/world.lua"])
    let prefix = "DBUS_SYSTEM_BUS_ADDRESS="
    let line = try await simulator.firstLine()
    try #require(line.hasPrefix(prefix))
    address = String(line.dropFirst(prefix.count))
    outside = try await Connection.open(.address(address), timeout: 30)
  }

  /// Plays `world` for `body`, and then looks that nothing is left of what `body` did.
  static func with(_ world: String = World.device, script: String = "", _ body: (World) async throws -> Void)
    async throws
  {
    let world = try await World(world, script: script)
    try await body(world)
    try await world.expectNothingIsLeft()
    world.outside.close()
    world.simulator.send(SIGTERM)
    #expect(try await world.simulator.end().status == 0)
  }

  /// The script of this world's folder, by itself or after a word or two.
  func start(_ arguments: [String] = [], through wrapper: [String] = []) throws -> Program {
    try Program([folder.path + "/script.lua"] + arguments, bus: address, through: wrapper)
  }

  func run(_ arguments: [String] = []) async throws -> Ending {
    var ending = try await start(arguments).end()
    ending.errors = ending.errors.replacing(folder.path + "/", with: "")
    return ending
  }

  /// Has something happen in the world.
  func order(_ line: String) async throws {
    let name = "org.blescript.Simulator1"
    _ = try await outside.call(name, "/org/blescript/simulator", name, "Order", [.string(line)], timeout: 10)
  }

  /// No link, no discovery; and on the bus nobody but the simulator and we.
  private func expectNothingIsLeft() async throws {
    for path in try await paths(with: "org.bluez.Device1") {
      #expect(
        try await property("Connected", of: "org.bluez.Device1", at: path) == .bool(false), "\(path) is connected")
    }
    for path in try await paths(with: "org.bluez.Adapter1") {
      #expect(
        try await property("Discovering", of: "org.bluez.Adapter1", at: path) == .bool(false), "\(path) discovers")
    }
    try await eventually("whoever was on the bus has left") { try await self.strangers().isEmpty }
  }

  private func paths(with interface: String) async throws -> [ObjectPath] {
    guard await outside.owner(of: "org.bluez") != nil else { return [] }
    let manager = "org.freedesktop.DBus.ObjectManager"
    let answer: [Value]
    do {
      answer = try await outside.call("org.bluez", "/", manager, "GetManagedObjects", timeout: 10)
    } catch {
      // The world in which nobody may ask.
      try #require(error.name.hasSuffix("AccessDenied"))
      return []
    }
    return answer.first?.entries?.compactMap { $0.value.entries?[interface] == nil ? nil : $0.key.path } ?? []
  }

  private func property(_ name: String, of interface: String, at path: ObjectPath) async throws -> Value? {
    let arguments: [Value] = [.string(interface), .string(name)]
    let properties = "org.freedesktop.DBus.Properties"
    return try await outside.call("org.bluez", path, properties, "Get", arguments, timeout: 10).first?.unwrapped
  }

  /// Connections, with the match rules that the bus keeps for them, that are neither the simulator's nor ours.
  private func strangers() async throws -> [String] {
    let bus = "org.freedesktop.DBus"
    let answer = try await outside.call(
      bus, "/org/freedesktop/DBus", bus + ".Debug.Stats", "GetAllMatchRules", timeout: 10)
    let all = answer.first?.entries?.compactMap(\.key.string) ?? []
    var known = [outside.uniqueName]
    for name in ["org.bluez", "org.blescript.Simulator1"] { known += [await outside.owner(of: name)].compactMap { $0 } }
    return all.filter { !known.contains($0) }
  }
}

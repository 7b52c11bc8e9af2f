import DBus
import EventLoop

/// An interface whose properties a test sets.
@LoopActor
final class Exported: ExportedInterface {
  let description: InterfaceDescription
  var values: [String: Value]

  init(_ description: InterfaceDescription, _ values: [String: Value] = [:]) {
    (self.description, self.values) = (description, values)
  }

  func call(_ call: IncomingCall) { call.reply() }

  func get(_ property: String) -> Value? { values[property] }

  func set(_ property: String, _ value: Value, _ call: IncomingCall) {
    values[property] = value
    call.reply()
  }

  static func adapter(_ values: [String: Value] = ["Address": .string("AA:BB:CC:00:00:01")]) -> Exported {
    Exported(
      InterfaceDescription(
        "org.bluez.Adapter1",
        methods: [
          .init("StartDiscovery"), .init("SetDiscoveryFilter", in: [.init("properties", "a{sv}")]),
          .init("RemoveDevice", in: [.init("device", "o")]),
          .init("GetDiscoveryFilters", out: [.init("filters", "as")]),
          .init("Old", annotations: [.deprecated]),
        ],
        properties: [
          .init("Address", .text), .init("Alias", .text, .readwrite), .init("Powered", .bool, .readwrite),
          .init("Modalias", .text), .init("Secret", .text, .write),
        ]), values)
  }

  static func agents() -> Exported {
    Exported(
      InterfaceDescription(
        "org.bluez.AgentManager1",
        methods: [
          .init("RegisterAgent", in: [.init("agent", "o"), .init("capability", "s")]),
          .init("UnregisterAgent", in: [.init("agent", "o")]),
        ]))
  }

  static func device(_ values: [String: Value] = [:]) -> Exported {
    Exported(
      InterfaceDescription(
        "org.bluez.Device1", methods: [.init("Connect")],
        properties: [.init("RSSI", .int16), .init("Name", .text), .init("Connected", .bool)]), values)
  }
}

/// A server on one connection, a client on another, and what the client heard.
@LoopActor
final class Exports {
  let server: ObjectServer
  let connection: Connection
  let client: Connection
  private(set) var heard: [String] = []
  private var listener: Listener?

  init() async throws {
    connection = try await Bus.shared().connect()
    client = try await Bus.shared().connect()
    server = ObjectServer(connection)
    listener = client.listen(MatchRule(sender: connection.uniqueName)) { [weak self] signal in
      self?.heard.append(Self.text(signal))
    }
    try await client.roundTrip()
  }

  private static func text(_ signal: Signal) -> String {
    let values = signal.arguments
    switch signal.member {
    case "PropertiesChanged":
      let changed = values[1].entries!.map { "\($0.key.string!)=\(show($0.value.unwrapped))" }  // its type is known
      return (["\(signal.path)"] + changed + (values[2].strings ?? []).map { "-\($0)" }).joined(separator: " ")
    case "InterfacesAdded":
      let names = values[1].entries!.map { entry in  // its type is known
        let properties = entry.value.properties ?? [:]
        return short(entry.key.string!)
          + properties.sorted { $0.key < $1.key }.map { ",\($0.key)=\(show($0.value))" }.joined()
      }
      return "added \(signal.path) \(values[0].string!): \(names.joined(separator: " "))"
    case "InterfacesRemoved":
      return "removed \(values[0].string!): \((values[1].strings ?? []).map(short).joined(separator: " "))"
    default: return "signal \(signal.path) \(signal.member)"
    }
  }

  private static func short(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? "" }

  private static func show(_ value: Value) -> String {
    value.string ?? value.int.map(String.init) ?? value.bool.map(String.init) ?? value.signature.string
  }

  /// What came since the last look, once all is through.
  func news() async throws -> [String] {
    await EventLoop.shared.settle()
    try await connection.roundTrip()
    try await client.roundTrip()
    defer { heard = [] }
    return heard
  }

  /// Calls the server; an answer, or the error's last word and its text.
  func call(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: Value...) async -> String {
    let name = connection.uniqueName
    do throws(DBusError) {
      let values = try await client.call(name, path, interface, member, arguments, timeout: 30)
      return values.map { Self.show($0.unwrapped) }.joined(separator: " ")
    } catch {
      return "\(Self.short(error.name)): \(error.message)"
    }
  }

  func close() {
    listener?.cancel()
    server.close()
    connection.close()
    client.close()
  }
}

let propertiesName = "org.freedesktop.DBus.Properties"

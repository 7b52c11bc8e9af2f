internal import DBus
internal import EventLoop
internal import Glibc

/// One connection to the bus, with an agent that says what it was told to say.
@LoopActor
final class Client {
  let name: String
  let connection: Connection
  private let server: ObjectServer
  private let agent: AgentFace

  init(_ name: String, _ address: String, asked: @escaping (String, [Value]) -> Void) async throws {
    self.name = name
    connection = try await Connection.open(.address(address), timeout: 5)
    server = ObjectServer(connection)
    agent = AgentFace(asked)
    server.add([agent], at: "/agent")
  }

  var answers: [String: JSON] {
    get { agent.answers }
    set { agent.answers = newValue }
  }

  func close() {
    server.close()
    connection.close()
  }
}

/// `org.bluez.Agent1`.
@LoopActor
private final class AgentFace: ExportedInterface {
  var answers: [String: JSON] = [:]
  private let asked: (String, [Value]) -> Void

  init(_ asked: @escaping (String, [Value]) -> Void) {
    self.asked = asked
  }

  let description = InterfaceDescription(
    "org.bluez.Agent1",
    methods: [
      .init("Release"), .init("Cancel"),
      .init("RequestPasskey", in: [.init("device", "o")], out: [.init("passkey", "u")]),
      .init("RequestAuthorization", in: [.init("device", "o")]),
      .init("RequestConfirmation", in: [.init("device", "o"), .init("passkey", "u")]),
    ])

  func call(_ call: IncomingCall) {
    asked(call.member, call.arguments)
    switch answers[call.member] {
    case .text(let error) where error.hasPrefix("org."): call.fail(error, "")
    case .number(let passkey): call.reply([.uint32(UInt32(clamping: passkey))])
    default: call.reply()
    }
  }
}

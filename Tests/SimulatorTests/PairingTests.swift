import DBus
import EventLoop
import Testing

@testable import Simulator

/// Ways to pair that the transcripts have not.
@Suite struct PairingTests {
  init() { EventLoop.runInBackground() }

  private static func world(_ pairing: String) -> String {
    """
    local sim = require "sim"
    local p = sim.peripheral { address = "C8:3F:26:00:00:01", name = "One", interval = 0.02, pairing = { \(pairing) } }
    """
  }

  /// Pairs with an agent that agrees to everything; gives what it was asked, and the error.
  @LoopActor private func pair(_ pairing: String, _ capability: String) async throws -> ([String], String?) {
    let stage = try await Stage(Self.world(pairing))
    let server = ObjectServer(stage.client)
    let agent = Agent()
    server.add([agent], at: "/agent")
    try await stage.call("/org/bluez", "AgentManager1", "RegisterAgent", [.path("/agent"), .string(capability)])
    try await stage.connect()
    var problem: String?
    do throws(DBusError) {
      try await stage.call(Stage.device, "Device1", "Pair", timeout: 10)
    } catch {
      problem = error.message
    }
    #expect(try await stage.get(Stage.device, "Device1", "Paired") == .bool(problem == nil))
    server.close()
    await stage.close()
    return (agent.asked, problem)
  }

  @Test @LoopActor func numbersAreCompared() async throws {
    let (asked, problem) = try await pair("compare = 42", "DisplayYesNo")
    #expect(asked == ["RequestConfirmation 42"])
    #expect(problem == nil)
  }

  @Test @LoopActor func aPasskeyIsTypedThere() async throws {
    let (asked, problem) = try await pair("type = 123", "DisplayOnly")
    #expect(asked == ["DisplayPasskey 123"])
    #expect(problem == nil)
  }

  @Test @LoopActor func anAgentThatCantHelpIsNoUse() async throws {
    let (asked, problem) = try await pair("compare = 42", "NoInputNoOutput")
    #expect(asked == [])
    #expect(problem == "Authentication Failed")
  }

  @Test @LoopActor func thePeripheralRefuses() async throws {
    #expect(try await pair("refuse = true", "KeyboardDisplay").1 == "Authentication Failed")
  }
}

@LoopActor
private final class Agent: ExportedInterface {
  private(set) var asked: [String] = []

  let description = InterfaceDescription(
    "org.bluez.Agent1",
    methods: [
      .init("RequestConfirmation", in: [.init("device", "o"), .init("passkey", "u")]),
      .init("DisplayPasskey", in: [.init("device", "o"), .init("passkey", "u"), .init("entered", "q")]),
      .init("RequestAuthorization", in: [.init("device", "o")]), .init("Release"), .init("Cancel"),
    ])

  func call(_ call: IncomingCall) {
    asked.append(([call.member] + call.arguments.compactMap(\.int).prefix(1).map { "\($0)" }).joined(separator: " "))
    call.reply()
  }
}

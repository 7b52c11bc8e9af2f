internal import DBus
internal import EventLoop

/// The agents that clients have registered: one for each client, and one that is the default of all.
@LoopActor
final class Agents {
  struct Agent: Equatable {
    let client: String
    let path: ObjectPath
    let capability: String

    var hasKeyboard: Bool { ["", "KeyboardOnly", "KeyboardDisplay"].contains(capability) }
    var hasDisplay: Bool { ["", "DisplayOnly", "DisplayYesNo", "KeyboardDisplay"].contains(capability) }
    var canConfirm: Bool { ["", "DisplayYesNo", "KeyboardDisplay"].contains(capability) }
  }

  static let capabilities = ["", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"]
  static let patience: Seconds = 60

  private unowned let daemon: Bluetoothd
  private var agents: [Agent] = []
  private var preferred: Agent?

  init(_ daemon: Bluetoothd) {
    self.daemon = daemon
  }

  func agent(for client: String?) -> Agent? { agents.first { $0.client == client } ?? preferred }

  func register(_ path: ObjectPath, _ capability: String, by client: String) throws(BlueZError) {
    if agents.contains(where: { $0.client == client }) { throw .alreadyExists }
    guard Agents.capabilities.contains(capability) else { throw .invalidArguments }
    let agent = Agent(client: client, path: path, capability: capability)
    agents.append(agent)
    if preferred == nil { preferred = agent }
  }

  func unregister(_ path: ObjectPath, by client: String) throws(BlueZError) {
    guard agents.contains(where: { $0.client == client && $0.path == path }) else { throw .doesNotExist }
    remove(client)
  }

  func makeDefault(_ path: ObjectPath, by client: String) throws(BlueZError) {
    guard let agent = agents.first(where: { $0.client == client && $0.path == path }) else { throw .doesNotExist }
    preferred = agent
  }

  private func remove(_ client: String) {
    agents.removeAll { $0.client == client }
    if preferred?.client == client { preferred = agents.first }
  }

  /// An adapter can be paired with while there is an agent (seen: transcript agents).
  func showPairable() {
    for adapter in daemon.adapters where adapter.isPairable == agents.isEmpty {
      adapter.isPairable = !agents.isEmpty
      adapter.store()
      adapter.face.changed("Pairable")
    }
  }

  /// A client has left the bus.
  func forget(_ client: String) {
    guard agents.contains(where: { $0.client == client }) else { return }
    remove(client)
    if agents.isEmpty { showPairable() }
  }

  /// Nil: it refused, or did not answer.
  func ask(_ agent: Agent, _ member: String, _ arguments: [Value], _ done: @escaping @LoopActor ([Value]?) -> Void) {
    guard let connection = daemon.connection else { return done(nil) }
    daemon.server?.flush()
    let call = MethodCall(agent.client, agent.path, "org.bluez.Agent1", member, arguments)
    connection.send(call, timeout: Agents.patience) { done(try? $0.get()) }
  }

  func release() {
    for agent in agents {
      try? daemon.connection?.post(MethodCall(agent.client, agent.path, "org.bluez.Agent1", "Release"))
    }
  }

  func clear() {
    (agents, preferred) = ([], nil)
  }
}

/// `org.bluez.AgentManager1`.
@LoopActor
final class AgentManagerInterface: Face {
  init(_ daemon: Bluetoothd) {
    super.init(
      daemon, Bluetoothd.root,
      InterfaceDescription(
        "org.bluez.AgentManager1",
        methods: [
          .init("RegisterAgent", in: [.init("agent", "o"), .init("capability", "s")]),
          .init("UnregisterAgent", in: [.init("agent", "o")]),
          .init("RequestDefaultAgent", in: [.init("agent", "o")]),
        ]))
  }

  override func handle(_ call: IncomingCall) {
    guard let path = call.arguments.first?.path else { return call.fail(.invalidArguments) }
    let agents = daemon.agents
    do throws(BlueZError) {
      switch call.member {
      case "RegisterAgent": try agents.register(path, call.arguments.last?.string ?? "", by: call.sender)
      case "UnregisterAgent": try agents.unregister(path, by: call.sender)
      default: try agents.makeDefault(path, by: call.sender)
      }
      call.reply()
      agents.showPairable()
    } catch {
      call.fail(error)
    }
  }
}

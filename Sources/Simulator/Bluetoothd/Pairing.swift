internal import DBus
internal import EventLoop

/// Pairing with one device: by `Pair`, or because a request was refused for want of encryption.
@LoopActor
final class Pairing {
  /// What the Security Manager's exchange takes.
  static let latency: Seconds = 0.3
  /// What it takes to type a passkey.
  static let typing: Seconds = 2

  private unowned let device: Device
  private var call: (client: String, completion: Completion)?
  /// `Connect` came meanwhile: 5.66 then never answers the `Pair` (seen: transcript pair_twice).
  private var isUnanswered = false
  private var isBonded = false
  private var exchange: Clock.Timer?
  private var isExchanging = false
  /// Calls of `Pair` on a device that is bonded already: they end with the link (seen: transcript pair).
  private var idle: [Completion] = []
  private var elevating: [(Bool) -> Void] = []
  /// Counts exchanges, so that an answer of the agent to an old one is ignored.
  private var era = 0

  init(_ device: Device) {
    self.device = device
  }

  var isActive: Bool { call != nil && !isBonded }

  private var agents: Agents { device.daemon.agents }

  // MARK: Pair

  func pair(by client: String, _ completion: Completion) {
    if call != nil || device.attempt.isPending { return completion.finish(.inProgress) }
    if device.isBonded {
      if device.link == nil { return completion.finish(.alreadyExists) }
      idle.append(completion)
      return
    }
    call = (client, completion)
    (isUnanswered, isBonded) = (false, false)
    if device.link != nil { return begin() }
    let linked = Completion { [weak self] error in
      guard let self else { return }
      if error == nil { begin() } else { finish(.connectionAttemptFailed) }
    }
    device.attempt.begin(byConnect: false, linked)
  }

  func connectCalled() {
    if call != nil { isUnanswered = true }
  }

  private func begin() {
    guard let call else { return }
    let agent = agents.agent(for: call.client)
    run { pairing in
      pairing.ask(agent, isWanted: true)
    }
  }

  private func run(_ step: @escaping @LoopActor (Pairing) -> Void) {
    era += 1
    isExchanging = true
    exchange = EventLoop.shared.clock.after(Pairing.latency) { [weak self] in
      guard let self, isExchanging else { return }
      step(self)
    }
  }

  /// What the agent has to say, by what both sides can do. `isWanted`: Pair was called, so Just Works asks nothing.
  private func ask(_ agent: Agents.Agent?, isWanted: Bool) {
    guard let peripheral = device.peripheral, let agent else { return end(nil) }
    let era = era
    let finish: @LoopActor (Security?) -> Void = { [weak self] security in
      if self?.era == era { self?.end(security) }
    }
    let path = Value.path(device.path)
    switch peripheral.pairing {
    case .refuses: finish(nil)
    case .justWorks where isWanted: finish(.encrypted)
    case .justWorks: agents.ask(agent, "RequestAuthorization", [path]) { finish($0 == nil ? nil : .encrypted) }
    // The peripheral insists on protection against a man in the middle: an agent that can't help is no use.
    case .shows(let passkey) where agent.hasKeyboard:
      agents.ask(agent, "RequestPasskey", [path]) { finish($0?.first == .uint32(passkey) ? .authenticated : nil) }
    case .compares(let number) where agent.canConfirm:
      agents.ask(agent, "RequestConfirmation", [path, .uint32(number)]) { finish($0 == nil ? nil : .authenticated) }
    case .types(let passkey) where agent.hasDisplay:
      agents.ask(agent, "DisplayPasskey", [path, .uint32(passkey), .uint16(0)]) { _ in }
      EventLoop.shared.clock.after(Pairing.typing) { finish(.authenticated) }
    case .shows, .compares, .types: finish(nil)
    }
  }

  /// The exchange is over. Nil: it failed.
  private func end(_ security: Security?) {
    isExchanging = false
    let waiting = elevating
    elevating = []
    guard let security, let link = device.link, let peripheral = device.peripheral else {
      let wasPair = call != nil
      finish(.authenticationFailed)
      for done in waiting { done(false) }
      if wasPair, !device.isResolved { device.gatt.explore() }
      return
    }
    link.security = security
    peripheral.bonds[device.adapter.dongle.address] = security
    isBonded = true
    device.bonded()
    for done in waiting { done(true) }
    guard call != nil else { return }
    // The answer comes when the services are known.
    if device.isResolved { finish(nil) } else { device.gatt.explore() }
  }

  func resolved() {
    if call != nil, isBonded { finish(nil) }
  }

  private func finish(_ error: BlueZError?) {
    let completion = call?.completion
    call = nil
    if isUnanswered { completion?.drop() } else { completion?.finish(error) }
  }

  // MARK: Encryption that a request needs

  /// Calls `done` with true when the link is encrypted; with no agent it never is (seen: transcript
  /// read_secret_without_agent).
  func elevate(_ done: @escaping (Bool) -> Void) {
    elevating.append(done)
    guard !isExchanging else { return }
    let agent = agents.agent(for: nil)
    run { $0.ask(agent, isWanted: false) }
  }

  // MARK: The end

  func cancelPairing(_ completion: Completion) {
    guard call != nil else {
      completion.finish(.doesNotExist)
      // On the way it drops the link of a bonded device (seen: transcript pair_cancel_nothing).
      if device.isBonded { device.link?.end() }
      return
    }
    let isConnecting = device.link == nil
    device.attempt.drop()
    cancel(.authenticationCanceled)
    completion.finish(nil)
    if isConnecting, device.isTemporary { device.adapter.remove(device) } else { device.link?.end() }
  }

  func cancel(_ error: BlueZError) {
    exchange?.cancel()
    isExchanging = false
    era += 1
    if call != nil { finish(error) }
  }

  func linkEnded() {
    let calls = idle
    idle = []
    cancel(.authenticationCanceled)
    elevating = []
    for call in calls { call.finish(.authenticationCanceled) }
  }

  func drop() {
    call?.completion.drop()
    for call in idle { call.drop() }
    (call, idle, elevating) = (nil, [], [])
    cancel(.authenticationCanceled)
  }
}

public import Bluetooth
public import EventLoop

/// A peripheral, as one adapter of this machine sees it.
@LoopActor
public final class Device {
  public nonisolated let id: DeviceID
  let central: Central
  let queue: OperationQueue

  /// Those who asked for the link and have not released it.
  public private(set) var holds = 0
  /// Connects that have not ended: they will hold the link, so it stays for them.
  private var connecting: Set<ObjectIdentifier> = []
  /// Whether this program made the link. A link that was there before is left as it was.
  public private(set) var isOurs = false {
    didSet { central.linkChanged(self, isOurs: isOurs) }
  }

  var subscriptions = Subscriptions()
  private var last: DeviceState?
  private var waiters: [Waiter] = []
  private var disconnectWatchers: [EventStream<CentralError>] = []
  private var attributeWatchers: [EventStream<Void>] = []

  private struct Waiter {
    let condition: @LoopActor (DeviceState?) -> Bool
    let wake: OneShot<Void>
  }

  init(_ id: DeviceID, central: Central) {
    self.id = id
    self.central = central
    queue = OperationQueue(clock: central.clock)
    last = central.backend.state(of: id)
  }

  isolated deinit { central.forget(id) }

  var backend: any CentralBackend { central.backend }

  /// As the stack has it; defaults where it does not know the device.
  public var state: DeviceState { backend.state(of: id) ?? DeviceState() }

  public var attributes: AttributeTable { backend.attributes(of: id) }

  /// The largest ATT packet of the link in bytes; nil when unknown.
  public var mtu: Int? { backend.mtu(of: id) }

  /// What was read or notified last, by this program or another; nil when the attribute is not there.
  public func cachedValue(_ handle: UInt16) -> [UInt8]? { backend.cachedValue(of: AttributeID(id, handle)) }

  public func isNotifying(_ handle: UInt16) -> Bool { backend.isNotifying(AttributeID(id, handle)) }

  // MARK: Who needs the link

  func hold() { holds += 1 }

  /// One of those who asked for the link does not need it any more; the last one takes it down if it is ours.
  public func release() async throws(CentralError) {
    holds = max(0, holds - 1)
    if isAbandoned { try await disconnect(timeout: Central.closingTime) }
  }

  func connectBegins(_ connect: AnyObject) { connecting.insert(ObjectIdentifier(connect)) }
  func connectEnds(_ connect: AnyObject) { connecting.remove(ObjectIdentifier(connect)) }

  /// There is a link of ours that nobody holds or is about to.
  var isAbandoned: Bool { holds == 0 && isOurs && connecting.isEmpty }

  func linkIsOurs() { isOurs = true }

  func linkIsDown() {
    isOurs = false
    holds = 0
  }

  // MARK: What the stack tells

  /// Each loss of the link from now on, with its reason.
  public func disconnects() -> EventStream<CentralError> {
    disconnectWatchers.removeAll(where: \.isFinished)
    let stream = EventStream<CentralError>()
    disconnectWatchers.append(stream)
    return stream
  }

  /// Each change of the attribute table from now on.
  public func attributeChanges() -> EventStream<Void> {
    attributeWatchers.removeAll(where: \.isFinished)
    let stream = EventStream<Void>()
    attributeWatchers.append(stream)
    return stream
  }

  /// Nil: the stack does not know the device any more; `cause`: for it knows nothing any more.
  func changed(_ state: DeviceState?, because cause: CentralError? = nil) {
    let wasConnected = last?.isConnected == true
    last = state
    if wasConnected, state?.isConnected != true {
      let removed = CentralError.disconnected("BlueZ removed the device", reason: "removed")
      let gone = cause.map { CentralError.disconnected($0.what, reason: $0.code.rawValue) } ?? removed
      linkLost(state == nil ? gone : .disconnected())
    }
    let ready = waiters.filter { $0.condition(state) }
    waiters.removeAll { waiter in ready.contains { $0.wake === waiter.wake } }
    ready.forEach { $0.wake.finish(()) }
  }

  func attributesChanged() {
    attributeWatchers.removeAll(where: \.isFinished)
    attributeWatchers.forEach { $0.send(()) }
  }

  private func linkLost(_ error: CentralError) {
    linkIsDown()
    queue.linkLost(error)
    endSubscriptions(error)
    disconnectWatchers.removeAll(where: \.isFinished)
    disconnectWatchers.forEach { $0.send(error) }
  }

  /// The adapter or the stack is gone, or the program ends.
  func endAll(_ error: CentralError) {
    queue.endAll(error)
    if error.code != .cancelled { changed(nil, because: error) }
    endSubscriptions(error)
  }

  /// Suspends until the stack's picture of the device fulfils the condition. Throws `cancelled` when the task is.
  func wait(until condition: @escaping @LoopActor (DeviceState?) -> Bool) async throws(CentralError) {
    guard !condition(backend.state(of: id)) else { return }
    let wake = OneShot<Void>()
    waiters.append(Waiter(condition: condition, wake: wake))
    await withLoopCancellation {
      await wake.value
    } onCancel: {
      wake.finish(())
    }
    waiters.removeAll { $0.wake === wake }
    if Task.isCancelled { throw .cancelled }
  }
}

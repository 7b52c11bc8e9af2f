internal import CDBus
public import EventLoop

/// A connection to a message bus. Nothing here blocks; callbacks come on the loop, never from within a call of ours.
@LoopActor
public final class Connection {
  public typealias Answer = Result<[Value], DBusError>

  /// Our name on the bus, `:1.42`.
  public private(set) var uniqueName = ""

  /// False once the bus is lost or ``close()`` was called.
  public var isOpen: Bool { handle != nil }

  /// Called once when the bus goes, after every pending call has ended. Not called for ``close()``.
  public var onLost: (@LoopActor (DBusError) -> Void)?

  /// The bus did not take the rule of a listener (there may be 512 on the system bus): the listener hears nothing.
  public var onRuleRefused: (@LoopActor (MatchRule, DBusError) -> Void)?

  /// Messages sent and received, without those of ``roundTrip()``.
  public private(set) var traffic: UInt64 = 0

  /// Calls that wait for their answer, those to the bus itself included.
  public var pendingReplies: Int { pending.count }

  /// Rules that the bus has been given and not been told to forget.
  public var matchRules: Int { signals.count }

  let signals = Signals()
  var owners: [String: WeakOwner] = [:]
  private let address: Address
  private let watches = Watches()
  private let names = NameCache()
  private var handle: OpaquePointer?
  private var pending: [UInt32: PendingReply] = [:]
  private var servers: [WeakServer] = []
  private var isDispatchScheduled = false

  struct WeakOwner { weak var owner: NameOwner? }
  struct WeakServer { weak var server: ObjectServer? }

  /// Connects, authenticates and says Hello, within `timeout`. The error says which address it was.
  public static func open(_ address: Address, timeout: Seconds) async throws(DBusError) -> Connection {
    // Nobody can ask a connection that is not there yet whether something is under way, so virtual time stands still.
    guard let time = EventLoop.shared.virtualTime else { return try await connect(address, timeout: timeout) }
    return try await time.hold { () throws(DBusError) in try await connect(address, timeout: timeout) }
  }

  private static func connect(_ address: Address, timeout: Seconds) async throws(DBusError) -> Connection {
    do throws(DBusError) {
      let connection = try Connection(address)
      try await connection.sayHello(timeout: timeout)
      return connection
    } catch {
      throw error.at(address.place)
    }
  }

  private init(_ address: Address) throws(DBusError) {
    self.address = address
    let text = address.text
    guard !text.hasNUL else { throw .standard("BadAddress", "an address with a NUL inside") }
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let handle = dbus_connection_open_private(text, &error) else {
      throw DBusError(
        name: error.name.map { String(cString: $0) } ?? DBusError.noMemory.name,
        message: error.message.map { String(cString: $0) } ?? "can't connect")
    }
    self.handle = handle
    dbus_connection_set_exit_on_disconnect(handle, 0)
    watches.onInput = { [weak self] in self?.scheduleDispatch() }
    guard watches.attach(to: handle) else {
      close()
      throw .noMemory
    }
    watches.apply()
  }

  private func sayHello(timeout: Seconds) async throws(DBusError) {
    do throws(DBusError) {
      let values = try await call(BusDriver.call("Hello"), timeout: timeout)
      guard let name = values.first?.string else { throw .inconsistent("the bus gave us no name") }
      uniqueName = name
    } catch {
      let wasAuthenticated = isAuthenticated
      close()
      guard error == .disconnected, !wasAuthenticated else { throw error }
      throw .standard("AuthFailed", "the message bus closed the connection before we were authenticated")
    }
  }

  /// Still told after the loss, which forgets the handle.
  private var isAuthenticated = false

  /// Closes the connection: every pending call ends with `Disconnected`, in the order they were sent.
  public func close() {
    flush()
    shut()
  }

  private func shut() {
    guard let handle else { return }
    self.handle = nil
    isAuthenticated = dbus_connection_get_is_authenticated(handle) != 0
    dbus_connection_close(handle)
    watches.detach(from: handle)
    dbus_connection_unref(handle)
    let calls = pending.values.sorted { $0.serial < $1.serial }
    pending = [:]
    for call in calls { call.finish(.failure(.disconnected)) }
  }

  isolated deinit { close() }

  /// Writes what is queued, as far as the socket takes it now. What was sent is written at once anyway, but for what a
  /// full socket holds up.
  public func flush() {
    // A turn writes a bounded amount; a hundred are more than a socket's buffer holds.
    for _ in 0..<100 {
      guard let handle, dbus_connection_has_messages_to_send(handle) != 0 else { return }
      watches.write()
    }
  }
}

// MARK: - Sending

extension Connection {
  /// Calls a method and waits for its answer. Cancelling the task ends the wait with ``DBusError/cancelled``; the other
  /// side is not told.
  ///
  /// Throws the other side's error verbatim; `NoReply` when `timeout` has passed, `Disconnected` when the bus is lost,
  /// `InvalidArgs`, `InvalidSignature` or `LimitsExceeded` for what D-Bus does not allow.
  public func call(
    _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [],
    timeout: Seconds
  ) async throws(DBusError) -> [Value] {
    try await call(MethodCall(destination, path, interface, member, arguments), timeout: timeout)
  }

  public func call(_ call: MethodCall, timeout: Seconds) async throws(DBusError) -> [Value] {
    try await wait { self.send(call, timeout: timeout, $0) }
  }

  private func wait(_ send: (@escaping @LoopActor (Answer) -> Void) -> PendingReply) async throws(DBusError) -> [Value]
  {
    if Task.isCancelled { throw .cancelled }
    let answer = OneShot<Answer>()
    let reply = send { answer.finish($0) }
    let result = await withTaskCancellationHandler {
      await answer.value
    } onCancel: {
      LoopActor.assumeIsolated {
        reply.cancel()
        answer.finish(.failure(.cancelled))
      }
    }
    return try result.get()
  }

  /// Calls a method; `done` is called once, with the answer or what came instead (see ``call(_:timeout:)``), and never
  /// before this returns. `timeout` may be infinite.
  @discardableResult
  public func send(_ call: MethodCall, timeout: Seconds, _ done: @escaping @LoopActor (Answer) -> Void) -> PendingReply
  {
    send(call, timeout: timeout, isCounted: true, done)
  }

  private func send(
    _ call: MethodCall, timeout: Seconds, isCounted: Bool, _ done: @escaping @LoopActor (Answer) -> Void
  ) -> PendingReply {
    do throws(DBusError) {
      let message = try Message.call(call)
      let serial = try transmit(message, isCounted: isCounted, flushing: isCounted)
      let reply = PendingReply(serial: serial, isCounted: isCounted, connection: self, done: done)
      pending[serial] = reply
      if timeout.isFinite {
        reply.timer = EventLoop.shared.clock.after(timeout) { [weak self] in
          self?.pending.removeValue(forKey: serial)?.finish(.failure(.noReply))
        }
      }
      return reply
    } catch {
      let reply = PendingReply(serial: 0, isCounted: isCounted, connection: nil, done: done)
      Task { @LoopActor in reply.finish(.failure(error)) }
      return reply
    }
  }

  /// Sends a call that wants no reply.
  public func post(_ call: MethodCall) throws(DBusError) {
    let message = try Message.call(call)
    dbus_message_set_no_reply(message.pointer, 1)
    try transmit(message)
  }

  /// Sends a signal, to all who listen or to `destination` alone.
  public func emit(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [], to destination: String? = nil
  ) throws(DBusError) {
    try transmit(try Message.signal(path, interface, member, arguments, to: destination))
  }

  /// A round trip to the bus itself: when it ends, all that was sent before has been routed, and all that was routed to
  /// us before has been dispatched.
  public func roundTrip() async throws(DBusError) {
    let ping = MethodCall(BusDriver.name, BusDriver.path, "org.freedesktop.DBus.Peer", "Ping")
    _ = try await wait { self.send(ping, timeout: .infinity, isCounted: false, $0) }
  }

  func forget(_ reply: PendingReply) {
    pending[reply.serial] = nil
  }

  /// Gives a message to libdbus, after what ``ObjectServer`` holds back: property changes that were queued before
  /// anything else is sent arrive before it.
  @discardableResult
  func transmit(
    _ message: borrowing Message, isCounted: Bool = true, flushing: Bool = true
  ) throws(DBusError) -> UInt32 {
    if flushing {
      for server in servers { server.server?.flush() }
    }
    guard let handle else { throw .disconnected }
    if message.containsDescriptors, dbus_connection_can_send_type(handle, Int32(UInt8(ascii: "h"))) == 0 {
      throw .standard("NotSupported", "this connection can't carry file descriptors")
    }
    var serial: UInt32 = 0
    guard dbus_connection_send(handle, message.pointer, &serial) != 0 else { throw .noMemory }
    if isCounted { traffic += 1 }
    watches.apply()
    // Where writing finds that the other end is gone, nothing is left to be watched.
    if dbus_connection_get_is_connected(handle) == 0 { scheduleDispatch() }
    return serial
  }
}

// MARK: - Receiving

extension Connection {
  /// So many messages a turn, that timers and other connections have theirs.
  private static var batch: Int { 64 }

  /// In a job, where Swift knows which actor this is: what handlers let go ends there and then, which in a callback of
  /// libuv it would not.
  private func scheduleDispatch() {
    guard !isDispatchScheduled else { return }
    isDispatchScheduled = true
    Task { @LoopActor [weak self] in
      self?.isDispatchScheduled = false
      self?.dispatch()
    }
  }

  /// Takes what has come in. libdbus's own dispatch is not used: it would call back from within, and keep a record of
  /// its own of each pending call.
  private func dispatch() {
    for _ in 0..<Self.batch {
      guard let handle, let pointer = dbus_connection_pop_message(handle) else { break }
      receive(Message(pointer))
    }
    watches.apply()
    if let handle, dbus_connection_get_dispatch_status(handle) != DBUS_DISPATCH_COMPLETE { scheduleDispatch() }
  }

  private func receive(_ message: consuming Message) {
    switch message.kind {
    case .reply, .error: receiveAnswer(message)
    case .signal: receiveSignal(message)
    case .call:
      traffic += 1
      receiveCall(message)
    case .unknown: traffic += 1
    }
  }

  private func receiveAnswer(_ message: borrowing Message) {
    let reply = pending.removeValue(forKey: message.replySerial)
    if reply?.isCounted ?? true { traffic += 1 }
    guard let reply else { return }
    let decoder = Decoder(names: names)
    if message.kind == .error {
      reply.finish(.failure(message.asError(decoder)))
    } else {
      reply.finish(Result { () throws(DBusError) in try decoder.values(of: message.pointer) })
    }
  }

  private func receiveSignal(_ message: borrowing Message) {
    guard let member = dbus_message_get_member(message.pointer), let path = dbus_message_get_path(message.pointer),
      let interface = dbus_message_get_interface(message.pointer)
    else { return }
    if message.isLoss { return lose() }
    traffic += 1
    let name = names.string(member)
    let rules = signals.candidates(name)
    if rules.isEmpty { return }
    // Without a sender it does not come from a bus.
    let sender = dbus_message_get_sender(message.pointer).map { names.string($0) } ?? ""
    deliver(
      message, ObjectPath(unchecked: names.string(path)), names.string(interface), name, from: sender, to: rules)
  }

  private func deliver(
    _ message: borrowing Message, _ path: ObjectPath, _ interface: String, _ member: String, from sender: String,
    to rules: [SignalRule]
  ) {
    var signal: Signal?
    for rule in rules
    where rule.rule.accepts(path: path, interface: interface, member: member) && rule.accepts(sender: sender) {
      if signal == nil {
        guard let arguments = try? Decoder(names: names).values(of: message.pointer) else { return }
        signal = Signal(sender: sender, path: path, interface: interface, member: member, arguments: arguments)
      }
      guard let signal, !rule.rule.looksAtArguments || rule.rule.accepts(first: signal.arguments.first) else {
        continue
      }
      for subscriber in rule.subscribers { subscriber.handler?(signal) }
    }
  }

  private func lose() {
    shut()
    let onLost = onLost
    self.onLost = nil
    onLost?(.disconnected.at(address.place))
  }

  private func receiveCall(_ message: consuming Message) {
    let call = IncomingCall(message, Decoder(names: names), on: self)
    guard let call else { return }
    // A path that nobody has is answered by the first, as gdbus's one tree does.
    let live = servers.compactMap(\.server)
    if let server = live.first(where: { $0.knows(call.path) }) ?? live.first {
      server.receive(call)
    } else {
      ObjectServer.answerWithoutObjects(call)
    }
  }

  func attach(_ server: ObjectServer) {
    servers.append(WeakServer(server: server))
  }

  func detach(_ server: ObjectServer) {
    servers.removeAll { $0.server == nil || $0.server === server }
  }
}

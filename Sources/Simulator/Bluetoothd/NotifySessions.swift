internal import DBus
internal import EventLoop

/// Who has subscribed to a characteristic: clients, bluetoothd's own battery reader, or the holder of a socket.
/// The first writes the client characteristic configuration, the last one clears it.
@LoopActor
final class NotifySessions {
  private enum Configuration { case off, writing, on }

  private unowned let characteristic: RemoteCharacteristic
  private var clients: [String] = []
  private(set) var isNotifying = false
  private var configuration = Configuration.off
  /// Who waits for the write of the configuration.
  private var waiting: [(Answer) -> Void] = []
  private var watcher: (([UInt8]) -> Void)?
  private var calls: [IncomingCall] = []
  private var socket: AcquiredSocket?
  private(set) var isAcquired = false

  init(_ characteristic: RemoteCharacteristic) {
    self.characteristic = characteristic
  }

  private var declared: AttributeTable.Characteristic { characteristic.declared }
  private var device: Device { characteristic.device }
  private var isIdle: Bool { clients.isEmpty && watcher == nil && !isAcquired }

  // MARK: Clients

  func start(_ call: IncomingCall) {
    do throws(BlueZError) {
      if device.isDisconnecting { throw .notConnected }
      if isAcquired { throw .notPermitted("Notify acquired") }
      guard declared.canNotify || declared.canIndicate else { throw .notSupported }
      let isAttached = device.link != nil
      if clients.contains(call.sender) {
        // Also while the first one is being written (seen: transcript notify_twice).
        guard isAttached else { throw .inProgress }
        return call.reply()
      }
      clients.append(call.sender)
      // Remembered for the next connection.
      guard isAttached else { return call.reply() }
      calls.append(call)
      enable { [weak self] answer in self?.started(call, answer) }
    } catch {
      call.fail(error)
    }
  }

  private func started(_ call: IncomingCall, _ answer: Answer) {
    calls.removeAll { $0 === call }
    if case .error(let code) = answer {
      clients.removeAll { $0 == call.sender }
      return call.fail(.att(code))
    }
    setNotifying(true)
    call.reply()
  }

  func stop(_ call: IncomingCall) {
    if isAcquired {
      release()
      return call.reply()
    }
    guard clients.contains(call.sender) else { return call.fail(.noSession) }
    forget(call.sender)
    call.reply()
  }

  /// A client stops, or has left the bus.
  func forget(_ client: String) {
    guard clients.contains(client) else { return }
    clients.removeAll { $0 == client }
    if clients.isEmpty { setNotifying(false) }
    disableIfIdle()
  }

  private func setNotifying(_ isNotifying: Bool) {
    guard isNotifying != self.isNotifying else { return }
    self.isNotifying = isNotifying
    characteristic.changed("Notifying")
  }

  // MARK: The configuration on the peripheral

  private func enable(_ done: @escaping (Answer) -> Void) {
    // Without a configuration to write it succeeds without more ado.
    guard configuration != .on, let handle = declared.clientConfiguration?.handle else { return done(.value([])) }
    waiting.append(done)
    guard configuration == .off else { return }
    configuration = .writing
    // Notifications rather than indications, where there are both.
    let bits: [UInt8] = declared.canNotify ? [1, 0] : [2, 0]
    let send: (Link, @escaping (Answer) -> Void) -> Void = { $0.write(handle, bits, $1) }
    characteristic.table.request(send) { [weak self] answer in
      guard let self, configuration == .writing else { return }
      if case .value = answer { configuration = .on } else { configuration = .off }
      let waiting = waiting
      self.waiting = []
      for done in waiting { done(answer) }
      disableIfIdle()
    }
  }

  private func disableIfIdle() {
    guard isIdle, configuration == .on else { return }
    configuration = .off
    guard let handle = declared.clientConfiguration?.handle else { return }
    device.link?.write(handle, [0, 0]) { _ in }
  }

  /// A new link: who is still there is subscribed again.
  func linked() {
    guard !clients.isEmpty else { return }
    enable { [weak self] answer in
      guard let self, case .value = answer, !clients.isEmpty else { return }
      setNotifying(true)
    }
  }

  /// Sessions outlive the link, and `Notifying` stays true (seen: transcript notify_reconnect).
  func linkEnded() {
    configuration = .off
    let waiting = waiting
    self.waiting = []
    for done in waiting { done(.error(0x0e)) }
    if isAcquired { release() }
  }

  func received(_ value: [UInt8]) {
    watcher?(value)
    if let socket { return socket.send(value) }
    for _ in clients { characteristic.signalNotification(value) }
  }

  // MARK: bluetoothd's own

  func watch(_ watcher: @escaping ([UInt8]) -> Void, _ done: @escaping (Bool) -> Void) {
    self.watcher = watcher
    enable { answer in
      if case .value = answer { done(true) } else { done(false) }
    }
  }

  func unwatch() {
    watcher = nil
    if device.link?.isUp == true { disableIfIdle() }
  }

  // MARK: A socket

  func acquire(_ call: IncomingCall) {
    do throws(BlueZError) {
      guard let link = device.link else { throw .notAttached }
      if isAcquired { throw .notPermitted("Notify acquired") }
      if !clients.isEmpty { throw .inProgress }
      guard declared.canNotify else { throw .notSupported }
      isAcquired = true
      calls.append(call)
      enable { [weak self] answer in self?.acquired(call, link.mtu, answer) }
    } catch {
      call.fail(error)
    }
  }

  private func acquired(_ call: IncomingCall, _ mtu: Int, _ answer: Answer) {
    calls.removeAll { $0 === call }
    // Where that write is refused 5.66 never answers, and keeps it locked (seen: transcript acquire_notify_refused).
    guard case .value = answer else { return call.drop() }
    let socket = AcquiredSocket { _ in
    } onClose: { [weak self] in
      self?.release()
    }
    guard let socket, let descriptor = socket.take() else {
      isAcquired = false
      return call.fail(.failed("Too many open files"))
    }
    self.socket = socket
    characteristic.changed("NotifyAcquired")
    call.reply([.descriptor(descriptor), .uint16(UInt16(mtu))])
  }

  private func release() {
    guard isAcquired else { return }
    socket?.close()
    socket = nil
    isAcquired = false
    characteristic.changed("NotifyAcquired")
    disableIfIdle()
  }

  func dropCalls() {
    for call in calls { call.drop() }
    (calls, waiting) = ([], [])
  }

  /// The object goes.
  func close() {
    socket?.close()
    (socket, watcher, clients) = (nil, nil, [])
  }
}

internal import EventLoop

/// An attempt to connect: it waits until the peripheral can be heard, at most as long as the kernel does.
@LoopActor
final class ConnectionAttempt {
  /// Seen: transcript connect_absent.
  static let patience: Seconds = 40
  /// From hearing an advertisement to a link.
  static let latency: Seconds = 0.1

  private unowned let device: Device
  private var calls: [Completion] = []
  private(set) var isPending = false
  /// Whether `Connect` began it, not `Pair`.
  private(set) var isByConnect = false
  private var deadline: Clock.Timer?
  private var beginning: Clock.Timer?

  init(_ device: Device) {
    self.device = device
  }

  func begin(byConnect: Bool, _ completion: Completion) {
    calls.append(completion)
    if byConnect { isByConnect = true }
    guard !isPending else { return }
    isPending = true
    deadline = EventLoop.shared.clock.after(ConnectionAttempt.patience) { [weak self] in self?.end(.connectAborted) }
    look()
  }

  /// Whether the peripheral can be had now.
  func look() {
    guard isPending, beginning == nil, isReachable else { return }
    beginning = EventLoop.shared.clock.after(ConnectionAttempt.latency) { [weak self] in
      guard let self else { return }
      beginning = nil
      link()
    }
  }

  private var isReachable: Bool {
    guard let peripheral = device.peripheral else { return false }
    return peripheral.isAdvertising && peripheral.isConnectable && !device.isBlocked
  }

  private func link() {
    guard isPending, isReachable, let peripheral = device.peripheral else { return }
    switch peripheral.connect(from: device.adapter.dongle) {
    case .success(let link):
      device.linked(link)
      end(nil)
    case .failure(let failure):
      end(.failed(failure.text))
    }
  }

  func cancel(_ error: BlueZError) {
    if isPending { end(error) }
  }

  /// Nobody is answered.
  func drop() {
    for call in take() { call.drop() }
  }

  private func end(_ error: BlueZError?) {
    for call in take() { call.finish(error) }
  }

  private func take() -> [Completion] {
    defer { calls = [] }
    (isPending, isByConnect) = (false, false)
    deadline?.cancel()
    beginning?.cancel()
    (deadline, beginning) = (nil, nil)
    return calls
  }
}

internal import EventLoop

/// Who is told what a link brings: bluetoothd's device.
@LoopActor
protocol LinkOwner: AnyObject {
  func received(_ value: [UInt8], from handle: UInt16)
  /// The link is gone; requests that waited on it have failed with 0x0e before.
  func linkEnded()
}

/// A connection between an adapter and a peripheral, with its ATT bearer: one request at a time, in order.
@LoopActor
final class Link {
  /// One exchange, in connection events of some milliseconds.
  static let latency: Seconds = 0.004
  /// Core Vol 3 Part F 3.3.3.
  static let timeout: Seconds = 30

  let peripheral: Peripheral
  let dongle: Dongle
  weak var owner: (any LinkOwner)?
  let mtu: Int
  var security = Security.open
  private(set) var isUp = true
  /// What was written to client characteristic configurations, by their handles. It ends with the link.
  private var configurations: [UInt16: [UInt8]] = [:]
  private var requests: [Request] = []
  private var isBusy = false
  private var patience: Clock.Timer?
  private var isGivenUp = false

  private struct Request {
    let exchanges: Int
    let perform: () -> Response
    let done: (Answer) -> Void
  }

  init(_ dongle: Dongle, _ peripheral: Peripheral) {
    (self.dongle, self.peripheral) = (dongle, peripheral)
    // bluetoothd asks for 517 by default.
    mtu = min(517, max(23, peripheral.mtu))
  }

  // MARK: What the central does

  func read(_ handle: UInt16, offset: Int = 0, _ done: @escaping (Answer) -> Void) {
    enqueue(
      1,
      { [unowned self] in
        guard let attribute = peripheral.table.attribute(handle) else { return Response(answer: .error(0x01)) }
        if attribute.isClientConfiguration, attribute.isWritable {
          let value = configurations[handle] ?? [0, 0]
          return Response(answer: offset > value.count ? .error(0x07) : .value(Array(value.dropFirst(offset))))
        }
        return attribute.read(from: offset, over: security)
      }, done)
  }

  func write(_ handle: UInt16, _ value: [UInt8], _ done: @escaping (Answer) -> Void) {
    enqueue(1, { [unowned self] in perform(handle, value) }, done)
  }

  /// So many exchanges that only look for what there is.
  func explore(_ exchanges: Int, _ done: @escaping (Answer) -> Void) {
    enqueue(exchanges, { Response(answer: .value([])) }, done)
  }

  /// Prepared writes from `offset` on, and their execution. The peripheral puts them together from 0 on.
  func writeLong(_ handle: UInt16, _ value: [UInt8], offset: Int, _ done: @escaping (Answer) -> Void) {
    let part = mtu - 5
    enqueue(
      2 + value.count / part,
      { [unowned self] in
        if let attribute = peripheral.table.attribute(handle), attribute.isWritable, security >= attribute.security {
          if offset > 0 { return Response(answer: .error(0x07)) }
          if value.count > 512 { return Response(answer: .error(0x0d)) }
        }
        return perform(handle, value)
      }, done)
  }

  /// A write without response: it waits for nothing, and nobody hears of an error.
  func command(_ handle: UInt16, _ value: [UInt8]) {
    EventLoop.shared.clock.after(Link.latency / 2) { [weak self] in
      guard let self, isUp, !peripheral.isMuted else { return }
      _ = perform(handle, value)
    }
  }

  private func perform(_ handle: UInt16, _ value: [UInt8]) -> Response {
    guard let attribute = peripheral.table.attribute(handle) else { return Response(answer: .error(0x01)) }
    guard attribute.isClientConfiguration, attribute.isWritable else { return attribute.write(value, over: security) }
    if let onWrite = attribute.onWrite {
      let response = onWrite(value)
      if case .error = response.answer { return response }
    }
    let before = configurations[handle]?.first ?? 0
    configurations[handle] = value
    if (value.first ?? 0) != before { peripheral.subscriptionChanged(handle, isOn: (value.first ?? 0) != 0) }
    return Response(answer: .value([]))
  }

  private func enqueue(_ exchanges: Int, _ perform: @escaping () -> Response, _ done: @escaping (Answer) -> Void) {
    guard isUp, !isGivenUp else { return done(.error(0x0e)) }
    requests.append(Request(exchanges: exchanges, perform: perform, done: done))
    if !isBusy { sendNext() }
  }

  private func sendNext() {
    guard isUp, let request = requests.first else { return }
    isBusy = true
    let clock = EventLoop.shared.clock
    patience = clock.after(Link.timeout) { [weak self] in self?.giveUp() }
    let finish: @LoopActor (Answer) -> Void = { [weak self] answer in
      guard let self, isUp, !isGivenUp, !peripheral.isMuted else { return }
      patience?.cancel()
      requests.removeFirst()
      isBusy = false
      request.done(answer)
      if !isBusy { sendNext() }
    }
    clock.after(Link.latency * Seconds(request.exchanges)) { [weak self] in
      guard let self, isUp, !peripheral.isMuted else { return }
      let response = request.perform()
      switch response.answer {
      case .never: break
      case let answer where response.delay > 0: clock.after(response.delay) { finish(answer) }
      case let answer: finish(answer)
      }
    }
  }

  /// An answer did not come: all requests fail, and the link goes two seconds later (seen: transcript read_silent).
  private func giveUp() {
    isGivenUp = true
    let waiting = requests
    requests = []
    for request in waiting { request.done(.error(0x0e)) }
    EventLoop.shared.clock.after(2) { [weak self] in self?.end() }
  }

  // MARK: What the peripheral does

  /// Whether the central has subscribed at this configuration.
  func isSubscribed(_ configuration: UInt16, bit: UInt8) -> Bool {
    (configurations[configuration]?.first ?? 0) & bit != 0
  }

  func notify(_ value: [UInt8], from handle: UInt16) {
    guard isUp, !peripheral.isMuted else { return }
    owner?.received(Array(value.prefix(mtu - 3)), from: handle)
  }

  // MARK: The end

  /// The link goes down. `quietly`: the requests that wait are forgotten instead of failed.
  func end(quietly: Bool = false) {
    guard isUp else { return }
    isUp = false
    patience?.cancel()
    let waiting = requests
    requests = []
    peripheral.linkEnded(self)
    dongle.links.removeAll { $0 === self }
    for request in waiting where !quietly { request.done(.error(0x0e)) }
    owner?.linkEnded()
  }
}

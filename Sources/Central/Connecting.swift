internal import Bluetooth
public import EventLoop

/// How often and how patiently a connect is tried. The pauses are bleak-retry-connector's.
public struct ConnectOptions: Sendable {
  /// Seconds for everything, attempts and pauses included.
  public var timeout: Seconds = 20
  public var attempts = 4

  public init() {}
}

extension Device {
  /// Brings the link up and waits for the services. The caller holds the link until ``release()``.
  public func connect(_ options: ConnectOptions = ConnectOptions()) async throws(CentralError) {
    let progress = Progress()
    connectBegins(progress)
    defer { connectEnds(progress) }
    do throws(CentralError) {
      try await central.open()
      try await queue.run(timeout: options.timeout, for: .connect) { () throws(CentralError) in
        try await self.establishAndHold(attempts: options.attempts, progress)
      }
    } catch {
      connectEnds(progress)
      // Who would have taken the link down has left it to this connect, whose turn never came.
      if progress.stage == .queue, isAbandoned { Task { @LoopActor in try? await release() } }
      throw progress.explain(error, timeout: options.timeout).during(
        "connect", device: id.address, stage: progress.stage)
    }
  }

  /// Takes the link down, whoever holds it; what is queued ends with `disconnected`.
  public func disconnect(timeout: Seconds = Central.closingTime) async throws(CentralError) {
    queue.disconnectBegins(.disconnected("disconnected by this script", reason: "local"))
    do throws(CentralError) {
      try await queue.run(timeout: timeout, for: .disconnect) { () throws(CentralError) in
        guard self.backend.state(of: self.id) != nil else { return }
        try await self.takeDown()
      }
    } catch {
      throw error.during("disconnect", device: id.address, stage: .disconnect)
    }
  }

  private func takeDown() async throws(CentralError) {
    // Also where no link is up: it ends an attempt that is still under way.
    try await backend.disconnect(id)
    // Which comes first, the reply or the news, depends on BlueZ's version.
    try await wait { $0?.isConnected != true }
    linkIsDown()
  }

  private func establishAndHold(attempts: Int, _ progress: Progress) async throws(CentralError) {
    do throws(CentralError) {
      try await establish(attempts: attempts, progress)
      hold()
    } catch {
      connectEnds(progress)
      if isAbandoned { try? await backend.disconnect(id) }
      throw error
    }
  }

  private func establish(attempts: Int, _ progress: Progress) async throws(CentralError) {
    var failures = 0
    while true {
      do throws(CentralError) {
        return try await attempt(progress)
      } catch {
        failures += 1
        guard error.isRetryable, failures < attempts, !Task.isCancelled else {
          throw failures > 1 ? error.after(attempts: failures) : error
        }
        progress.lastFailure = error
        try await central.pause(error.pause(before: failures + 1))
      }
    }
  }

  private func attempt(_ progress: Progress) async throws(CentralError) {
    progress.stage = .adapter
    let adapter = try central.adapter(id.adapter)
    try adapter.requirePower()
    guard !state.isConnected else {
      // Somebody else's link, or ours from before.
      progress.stage = .services
      return try await servicesReady()
    }
    let sighting = try await sight(on: adapter, progress)
    // The stack forgets a device that it does not hear, so the scan goes on until the link is there.
    defer { sighting?.cancel() }
    do throws(CentralError) {
      progress.stage = .connect
      try await adapter.turnstile.pass { () throws(CentralError) in try await linkUp() }
      linkIsOurs()
      progress.stage = .services
      try await confirmLink()
      try await servicesReady()
      if Task.isCancelled { throw .cancelled }
    } catch {
      // Whatever is left of the attempt would keep the device from everyone. This takes its time; nobody waits for it.
      if backend.state(of: id) != nil, adapter.state.isPowered { try? await backend.disconnect(id) }
      linkIsDown()
      throw error
    }
  }

  /// Makes sure that the stack knows the device. Gives the scan that found it, if one was needed.
  private func sight(on adapter: Adapter, _ progress: Progress) async throws(CentralError) -> Scan? {
    guard backend.state(of: id) == nil else { return nil }
    progress.stage = .scan
    var filter = ScanFilter()
    filter.address = id.address
    let scan = try await central.scan(filter, adapter: adapter.name)
    do throws(CentralError) {
      while backend.state(of: id) == nil {
        guard try await scan.next() != nil else { break }
      }
    } catch {
      scan.cancel()
      throw error
    }
    return scan
  }

  private func linkUp() async throws(CentralError) {
    let result = await withLoopCancellation {
      await Result { () async throws(CentralError) in try await self.backend.connect(self.id) }
    } onCancel: {
      Task { @LoopActor in try? await self.backend.disconnect(self.id) }
    }
    try result.get()
    if Task.isCancelled { throw .cancelled }
  }

  /// The reply to a connect may come before the news that the device is connected, and that may be lost on the way.
  private func confirmLink() async throws(CentralError) {
    try await backend.synchronize(id)
    guard !state.isConnected else { return }
    let grace = central.clock.after(2) { [weak self] in
      guard let self else { return }
      changed(backend.state(of: id))
    }
    defer { grace.cancel() }
    let end = central.clock.now + 2
    let clock = central.clock
    try await wait { $0?.isConnected == true || clock.now >= end }
    if !state.isConnected { throw .disconnected("the link was lost as soon as it was up") }
  }

  private func servicesReady() async throws(CentralError) {
    let lost = CentralError.disconnected("the link was lost before the services were known")
    try await wait { $0?.isConnected != true || $0?.areServicesResolved == true }
    guard state.isConnected else { throw lost }
    // The services may be announced after the news that they are resolved.
    try await backend.synchronize(id)
    guard state.isConnected else { throw lost }
    guard !attributes.services.isEmpty else {
      throw CentralError(
        .connectFailed, "the device showed no GATT services", retryable: true,
        advice: "either their discovery failed, or BlueZ connected a dual-mode device over BR/EDR")
    }
  }
}

/// How far a connect has come, for its error.
@LoopActor
private final class Progress {
  var stage = CentralError.Stage.queue
  var lastFailure: CentralError?

  /// The true cause behind a deadline.
  func explain(_ error: CentralError, timeout: Seconds) -> CentralError {
    guard error.code == .timeout else { return error }
    if stage == .scan {
      return CentralError(
        .notFound, "not seen within \(tidy(timeout)) s", retryable: true,
        advice: "is it on, in range, and not connected to something else?")
    }
    var error = error
    if let lastFailure {
      error.what += "; the last attempt failed: \(lastFailure.what)"
      error.dbus = lastFailure.dbus
      error.reason = lastFailure.reason
    }
    return error
  }
}

extension CentralError {
  fileprivate func after(attempts: Int) -> CentralError {
    var error = self
    error.what += " (\(attempts) attempts)"
    return error
  }

  /// Seconds to wait before attempt number `attempt`, after this failure.
  fileprivate func pause(before attempt: Int) -> Seconds {
    switch code {
    case .disconnected: 0
    case .notFound, .limit: 4
    default: [0.25, 0.5, 1][min(attempt - 2, 2)]
    }
  }
}

extension Result where Failure == CentralError, Success: Sendable {
  /// What an asynchronous call gives.
  @LoopActor
  init(_ body: @LoopActor () async throws(CentralError) -> Success) async {
    do throws(CentralError) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

internal import Bluetooth
public import EventLoop

/// The scans of this program on one adapter. The stack has one discovery for all of them: the first scan starts it,
/// the last one stops it.
@LoopActor
public final class Discovery {
  private let adapter: String
  private unowned let central: Central
  private let turnstile: Turnstile
  private var scans: [Scan] = []
  /// Whether the stack was asked for it.
  private var isRunning = false
  private var change: OneShot<Void>?
  /// Why the stack has not begun yet, where it has refused so far.
  private(set) var refusal: CentralError?

  init(adapter: String, central: Central, turnstile: Turnstile) {
    self.adapter = adapter
    self.central = central
    self.turnstile = turnstile
  }

  func add(_ scan: Scan) {
    scans.append(scan)
    update()
  }

  func remove(_ scan: Scan) {
    scans.removeAll { $0 === scan }
    update()
  }

  func endAll(_ error: CentralError) {
    let ending = scans
    scans = []
    ending.forEach { $0.finish(error) }
    // The stack drops all discovery of an adapter that is off or gone without a word.
    if error.code == .cancelled { update() } else { isRunning = false }
  }

  /// Returns when the stack does what is wanted of it.
  func settle() async {
    await change?.value
  }

  func heard(_ advertisement: Advertisement) {
    for scan in scans { scan.heard(advertisement) }
  }

  private func update() {
    guard change == nil, isRunning == scans.isEmpty else { return }
    let change = OneShot<Void>()
    self.change = change
    // The task keeps the central, which we do not.
    Task { @LoopActor [central] in
      defer { withExtendedLifetime(central) {} }
      while isRunning == scans.isEmpty { await makeItSo() }
      self.change = nil
      change.finish(())
    }
  }

  private func makeItSo() async {
    let isWanted = !scans.isEmpty
    do throws(CentralError) {
      if isWanted { try await start() } else { try await stop() }
      isRunning = isWanted
    } catch {
      // A stop that failed has ended our session all the same (bluetoothd drops it first).
      isRunning = false
      let failed = scans
      scans = []
      failed.forEach { $0.finish(error.during("scan", stage: .scan)) }
    }
  }

  /// Seconds between the attempts to start. After bluetoothd has crashed in a scan, the kernel refuses another one until
  /// it has ended the old: it scans for 10.24 s at a time (net/bluetooth/hci_core.h, DISCOV_LE_TIMEOUT).
  private static let pauses: [Seconds] = [0.25, 0.5, 1, 2, 4, 4]

  /// The stack refuses a start that comes too close to another program's; that passes. Who wants to connect may do so
  /// between the attempts.
  private func start() async throws(CentralError) {
    defer { refusal = nil }
    for pause in Self.pauses {
      do throws(CentralError) {
        return try await startOnce()
      } catch {
        guard error.code == .busy else { throw error }
        refusal = error
      }
      try await central.pause(pause)
      if scans.isEmpty { throw .cancelled }
    }
    try await startOnce()
  }

  private func startOnce() async throws(CentralError) {
    try await turnstile.pass { () throws(CentralError) in try await central.backend.startDiscovery(on: adapter) }
  }

  private func stop() async throws(CentralError) {
    try await turnstile.pass { () throws(CentralError) in try await central.backend.stopDiscovery(on: adapter) }
  }
}

extension Central {
  func pause(_ seconds: Seconds) async throws(CentralError) {
    do { try await clock.sleep(seconds) } catch { throw .cancelled }
  }
}

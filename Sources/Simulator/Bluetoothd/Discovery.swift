internal import EventLoop

/// The discovery sessions of one adapter: one for each client, and one scan for all.
@LoopActor
final class Discovery {
  typealias Done = @LoopActor (BlueZError?) -> Void

  /// What the kernel takes to begin or end a scan.
  static let latency: Seconds = 0.02

  private(set) var isRunning = false
  private(set) var filter = MergedFilter([])
  private var filters: [String: DiscoveryFilter] = [:]
  private var sessions: [String] = []
  private var starting: [(client: String, done: Done)] = []
  private var stopping: Set<String> = []
  /// Counts the times that all was forgotten, so that what the kernel says late is ignored.
  private var era = 0
  private unowned let adapter: Adapter

  init(_ adapter: Adapter) {
    self.adapter = adapter
  }

  /// Kept for the client until it is replaced, the adapter is switched off or the client leaves.
  func setFilter(_ filter: DiscoveryFilter?, of client: String) {
    filters[client] = filter
    merge()
  }

  func start(_ client: String, _ done: @escaping Done) {
    guard adapter.isPowered else { return done(.notReady) }
    let isStarting = starting.contains { $0.client == client }
    guard !isStarting, !sessions.contains(client) else { return done(.discoveryInProgress) }
    if isRunning {
      sessions.append(client)
      merge()
      return done(nil)
    }
    starting.append((client, done))
    if starting.count == 1 { later { $0.started() } }
  }

  private func started() {
    let calls = starting
    starting = []
    sessions += calls.map(\.client)
    guard !sessions.isEmpty else { return }
    for call in calls { call.done(nil) }
    isRunning = true
    merge()
    adapter.dongle.onReport = { [weak adapter] in adapter?.heard($0) }
    adapter.face.changed("Discovering")
  }

  func stop(_ client: String, _ done: @escaping Done) {
    guard adapter.isPowered else { return done(.notReady) }
    let isStarting = starting.contains { $0.client == client }
    guard !isStarting, !stopping.contains(client) else { return done(.discoveryInProgress) }
    guard sessions.contains(client) else { return done(.noDiscovery) }
    if sessions.count > 1 {
      end(client)
      return done(nil)
    }
    stopping.insert(client)
    later { discovery in
      discovery.stopping.remove(client)
      discovery.sessions.removeAll { $0 == client }
      done(nil)
      discovery.endIfIdle()
    }
  }

  /// A client has left the bus.
  func forget(_ client: String) {
    filters[client] = nil
    starting.removeAll { $0.client == client }
    guard sessions.contains(client) else { return }
    end(client)
    if sessions.isEmpty { later { $0.endIfIdle() } }
  }

  /// The adapter is off: every session and filter is freed without a word, only a call that waits is told.
  func reset() {
    era += 1
    let calls = starting
    (starting, sessions, filters, stopping) = ([], [], [:], [])
    for call in calls { call.done(.discoveryInProgress) }
    adapter.dongle.onReport = nil
    isRunning = false
    merge()
  }

  private func end(_ client: String) {
    sessions.removeAll { $0 == client }
    merge()
  }

  private func endIfIdle() {
    merge()
    guard sessions.isEmpty, isRunning else { return }
    adapter.dongle.onReport = nil
    isRunning = false
    adapter.discoveryEnded()
    adapter.face.changed("Discovering")
  }

  private func merge() {
    filter = MergedFilter(sessions.map { filters[$0] })
  }

  private func later(_ action: @escaping @LoopActor (Discovery) -> Void) {
    let era = era
    EventLoop.shared.clock.after(Discovery.latency) { [weak self] in
      guard let self, self.era == era else { return }
      action(self)
    }
  }
}

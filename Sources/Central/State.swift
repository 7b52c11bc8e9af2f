public import EventLoop

extension Central {
  /// What the radio is up to, seen from the script.
  public enum State: String, Sendable {
    case on, off, resetting, unsupported, unauthorized, unavailable
  }

  /// Somebody who is told of the state of one adapter: a name, an address, or nil for the one in use.
  struct StateWatcher {
    let adapter: String?
    let stream: EventStream<State>
    var last: State
  }

  /// Of the adapter in use.
  public var state: State { state(of: nil) }

  /// Of the adapter of this name or address; `unsupported` where it is not there.
  public func state(of name: String?) -> State {
    switch availability {
    case nil: return .unavailable
    case .unavailable(let error): return error.code == .accessDenied ? .unauthorized : .unavailable
    case .ready:
      guard let adapter = try? adapter(name) else { return .unsupported }
      return adapter.isChangingPower ? .resetting : adapter.state.isPowered ? .on : .off
    }
  }

  /// Each change of ``state(of:)`` from now on.
  public func stateChanges(of name: String? = nil) -> EventStream<State> {
    stateWatchers.removeAll(where: \.stream.isFinished)
    let stream = EventStream<State>()
    stateWatchers.append(StateWatcher(adapter: name, stream: stream, last: state(of: name)))
    return stream
  }

  /// Waits until ``state(of:)`` is `on`.
  public func ready(_ name: String? = nil, timeout: Seconds) async throws(CentralError) {
    let changes = stateChanges(of: name)
    let deadline = clock.after(timeout) { [weak self] in
      let state = self?.state(of: name).rawValue ?? "gone"
      let which = name.map { " \($0)" } ?? ""
      changes.finish(CentralError(.timeout, "the adapter\(which) is not on after \(tidy(timeout)) s: it is \(state)"))
    }
    defer {
      deadline.cancel()
      changes.cancel()
    }
    try? await open()
    while state(of: name) != .on { _ = try await changes.next() }
  }

  func tellState() {
    stateWatchers.removeAll(where: \.stream.isFinished)
    for index in stateWatchers.indices {
      let state = state(of: stateWatchers[index].adapter)
      guard state != stateWatchers[index].last else { continue }
      stateWatchers[index].last = state
      stateWatchers[index].stream.send(state)
    }
  }
}

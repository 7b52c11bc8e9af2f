public import EventLoop

/// So many seconds on this clock.
public struct TimeLimit: Sendable {
  public let seconds: Seconds
  public let clock: Clock

  public init(_ seconds: Seconds, on clock: Clock) {
    self.seconds = seconds
    self.clock = clock
  }
}

/// Events for one reader, kept until it takes them. When `limit` are waiting the oldest goes, and is counted.
@LoopActor
public final class EventStream<Event: Sendable> {
  /// Events that went because the reader was slow.
  public private(set) var dropped = 0

  private let limit: Int
  private var events: [Event] = []
  private var end: Result<Void, CentralError>?
  private var reader: OneShot<Void>?
  private var onCancel: (@LoopActor () -> Void)?
  private var waiters: [OneShot<Void>] = []

  public init(limit: Int = 1024, onCancel: (@LoopActor () -> Void)? = nil) {
    self.limit = limit
    self.onCancel = onCancel
  }

  public var isFinished: Bool { end != nil }

  public func send(_ event: Event) {
    guard end == nil else { return }
    if events.count >= limit {
      events.removeFirst()
      dropped += 1
    }
    events.append(event)
    wakeReader()
  }

  /// No more events. Those that wait are still delivered, then the error, or nil.
  public func finish(_ error: CentralError? = nil) {
    guard end == nil else { return }
    end = error.map { .failure($0) } ?? .success(())
    onCancel = nil
    waiters.forEach { $0.finish(()) }
    waiters = []
    wakeReader()
  }

  /// Returns when no more events come, or the calling task is cancelled.
  public func ended() async {
    guard end == nil else { return }
    let over = OneShot<Void>()
    waiters.append(over)
    await withLoopCancellation {
      await over.value
    } onCancel: {
      over.finish(())
    }
  }

  /// The reader wants no more.
  public func cancel() {
    let action = onCancel
    events = []
    finish()
    action?()
  }

  /// The next event; nil at the end. Throws the error that ended the stream (each time it is asked), `cancelled` when
  /// the calling task is, and `timeout` where none comes within the limit.
  public func next(within limit: TimeLimit? = nil) async throws(CentralError) -> Event? {
    var isLate = false
    let deadline = limit.map { limit in
      limit.clock.after(limit.seconds) { [weak self] in
        isLate = true
        self?.wakeReader()
      }
    }
    defer { deadline?.cancel() }
    while true {
      if !events.isEmpty { return events.removeFirst() }
      if let end {
        try end.get()
        return nil
      }
      let wake = OneShot<Void>()
      reader = wake
      await withLoopCancellation {
        await wake.value
      } onCancel: {
        wake.finish(())
      }
      if Task.isCancelled { throw .cancelled }
      if isLate, events.isEmpty, end == nil, let limit { throw .timeout(after: limit.seconds) }
    }
  }

  private func wakeReader() {
    reader?.finish(())
    reader = nil
  }
}

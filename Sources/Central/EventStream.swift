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

/// Events, kept until a reader takes them; each goes to one. When `limit` are waiting the oldest goes, and is counted.
@LoopActor
public final class EventStream<Event: Sendable> {
  /// Events that went because the reader was slow.
  public private(set) var dropped = 0

  private let limit: Int
  private var events: [Event] = []
  private var end: Result<Void, CentralError>?
  private var readers: [OneShot<Void>] = []
  private var waiters: [OneShot<Void>] = []

  public init(limit: Int = 1024) {
    self.limit = limit
  }

  public var isFinished: Bool { end != nil }

  public func send(_ event: Event) {
    guard end == nil else { return }
    if events.count >= limit {
      events.removeFirst()
      dropped += 1
    }
    events.append(event)
    wakeReaders()
  }

  /// No more events. Those that wait are still delivered, then the error, or nil.
  public func finish(_ error: CentralError? = nil) {
    guard end == nil else { return }
    end = error.map { .failure($0) } ?? .success(())
    waiters.forEach { $0.finish(()) }
    waiters = []
    wakeReaders()
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
    waiters.removeAll { $0 === over }
  }

  /// The reader wants no more.
  public func cancel() {
    events = []
    finish()
  }

  /// The next event; nil at the end. Throws the error that ended the stream (each time it is asked), `cancelled` when
  /// the calling task is, and `timeout` where none comes within the limit.
  public func next(within limit: TimeLimit? = nil) async throws(CentralError) -> Event? {
    var isLate = false
    let deadline = limit.map { limit in
      limit.clock.after(limit.seconds) { [weak self] in
        isLate = true
        self?.wakeReaders()
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
      readers.append(wake)
      await withLoopCancellation {
        await wake.value
      } onCancel: {
        wake.finish(())
      }
      readers.removeAll { $0 === wake }
      if Task.isCancelled { throw .cancelled }
      if isLate, events.isEmpty, end == nil, let limit { throw .timeout(after: limit.seconds) }
    }
  }

  /// All of them look; who finds nothing waits on.
  private func wakeReaders() {
    let waking = readers
    readers = []
    waking.forEach { $0.finish(()) }
  }
}

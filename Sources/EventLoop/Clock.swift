/// Seconds, as a span or as a point on a ``Clock``.
public typealias Seconds = Double

/// Timers over a time that somebody else moves: the event loop, or a test by hand.
@LoopActor
public final class Clock {
  /// Seconds since the clock was made. It moves only in ``advance(to:)``.
  public private(set) var now: Seconds

  fileprivate var timers = TimerHeap()
  private var count: UInt64 = 0

  public init(now: Seconds = 0) {
    self.now = now
  }

  /// One timer. Dropping it does not cancel it.
  @LoopActor
  public final class Timer {
    /// The time at which it fires.
    public let time: Seconds
    let order: UInt64
    /// Where it is in the clock's heap; nil: it is not.
    var position: Int?
    fileprivate var action: (@LoopActor () -> Void)?
    private weak var clock: Clock?

    fileprivate init(_ clock: Clock, time: Seconds, order: UInt64, action: @escaping @LoopActor () -> Void) {
      (self.clock, self.time, self.order, self.action) = (clock, time, order, action)
    }

    /// The timer will not fire. No harm if it has fired already.
    public func cancel() {
      action = nil
      clock?.timers.remove(self)
    }
  }

  /// Calls `action` once, when `seconds` have passed. Timers of one time fire in the order they were made.
  @discardableResult
  public func after(_ seconds: Seconds, _ action: @escaping @LoopActor () -> Void) -> Timer {
    at(now + max(0, seconds), action)
  }

  /// Calls `action` once, at `time`; in the next turn where that is past.
  @discardableResult
  public func at(_ time: Seconds, _ action: @escaping @LoopActor () -> Void) -> Timer {
    count += 1
    let timer = Timer(self, time: time, order: count, action: action)
    timers.insert(timer)
    return timer
  }

  /// The time of the next timer, or nil.
  public var next: Seconds? { timers.first?.time }

  /// Timers that have neither fired nor been cancelled.
  public var timerCount: Int { timers.count }

  /// Moves the time, never backwards, and fires what is due. Returns how many timers fired.
  @discardableResult
  public func advance(to time: Seconds) -> Int {
    now = max(now, time)
    let last = count
    var fired = 0
    // A timer made meanwhile waits for the next turn, so that `after(0)` in a loop starves nobody.
    var later: [Timer] = []
    while let timer = timers.first, timer.time <= now {
      timers.remove(timer)
      if timer.order > last {
        later.append(timer)
      } else if let action = timer.action {
        timer.action = nil
        action()
        fired += 1
      }
    }
    // One that was cancelled meanwhile has no action any more.
    for timer in later where timer.action != nil { timers.insert(timer) }
    return fired
  }

  /// Moves the time, never backwards, and fires nothing yet.
  func note(_ time: Seconds) {
    now = max(now, time)
  }

  /// Suspends the calling task. Throws `CancellationError` as soon as the task is cancelled.
  public func sleep(_ seconds: Seconds) async throws {
    let wake = OneShot<Bool>()
    let timer = after(seconds) { wake.finish(true) }
    let slept = await withLoopCancellation {
      await wake.value
    } onCancel: {
      wake.finish(false)
    }
    timer.cancel()
    if !slept { throw CancellationError() }
  }
}

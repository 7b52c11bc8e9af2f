/// Seconds, as a span or as a point on a ``Clock``.
public typealias Seconds = Double

/// Timers over a time that somebody else moves: the event loop, or a test by hand.
@LoopActor
public final class Clock {
  /// Seconds since the clock was made. It moves only in ``advance(to:)``.
  public private(set) var now: Seconds

  private var heap = Heap()
  private var count: UInt64 = 0

  public nonisolated init(now: Seconds = 0) {
    self.now = now
  }

  /// One timer. Dropping it does not cancel it.
  @LoopActor
  public final class Timer {
    /// The time at which it fires.
    public let time: Seconds
    fileprivate let order: UInt64
    fileprivate var action: (@LoopActor () -> Void)?

    fileprivate init(time: Seconds, order: UInt64, action: @escaping @LoopActor () -> Void) {
      (self.time, self.order, self.action) = (time, order, action)
    }

    /// The timer will not fire. No harm if it has fired already.
    public func cancel() {
      action = nil
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
    let timer = Timer(time: time, order: count, action: action)
    heap.insert(timer)
    return timer
  }

  /// The time of the next timer, or nil.
  public var next: Seconds? {
    while let first = heap.first, first.action == nil { heap.removeFirst() }
    return heap.first?.time
  }

  /// Moves the time, never backwards, and fires what is due. Returns how many timers fired.
  @discardableResult
  public func advance(to time: Seconds) -> Int {
    now = max(now, time)
    let last = count
    var fired = 0
    // A timer made meanwhile waits for the next turn, so that `after(0)` in a loop starves nobody.
    var later: [Timer] = []
    while let due = next, due <= now {
      let timer = heap.removeFirst()
      if timer.order > last {
        later.append(timer)
      } else if let action = timer.action {
        timer.action = nil
        action()
        fired += 1
      }
    }
    for timer in later { heap.insert(timer) }
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

  /// A binary heap, the earliest first.
  private struct Heap {
    private var timers: [Timer] = []

    var first: Timer? { timers.first }

    mutating func insert(_ timer: Timer) {
      timers.append(timer)
      var child = timers.count - 1
      while child > 0, Self.before(timers[child], timers[(child - 1) / 2]) {
        timers.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    @discardableResult
    mutating func removeFirst() -> Timer {
      timers.swapAt(0, timers.count - 1)
      let first = timers.removeLast()
      var parent = 0
      while true {
        let children = (2 * parent + 1)..<min(2 * parent + 3, max(timers.count, 2 * parent + 1))
        guard let least = children.min(by: { Self.before(timers[$0], timers[$1]) }),
          Self.before(timers[least], timers[parent])
        else { return first }
        timers.swapAt(least, parent)
        parent = least
      }
    }

    private static func before(_ a: Timer, _ b: Timer) -> Bool {
      (a.time, a.order) < (b.time, b.order)
    }
  }
}

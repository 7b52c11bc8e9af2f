internal import CUV

/// libuv's loop as the executor of ``LoopActor``. There is one; whoever calls ``run(_:)`` lends it a thread.
@LoopActor
public final class EventLoop {
  public static let shared = EventLoop()

  /// Timers of this loop. In real time unless ``virtualTime`` is set.
  public let clock = Clock()

  /// Set: the clock stands still, and jumps to the next timer when nothing is under way.
  public var virtualTime: VirtualTime? {
    // Real time goes on from where virtual time has come to.
    didSet { start = uv_hrtime() &- UInt64(clock.now * 1e9) }
  }

  /// libuv's own. It is there before any thread is the loop's.
  nonisolated(unsafe) static let loop: UnsafeMutablePointer<uv_loop_t> = {
    let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    // It fails only for want of memory or descriptors, before anything was begun.
    precondition(uv_loop_init(loop) == 0, "libuv can't make a loop")
    return loop
  }()

  private let loop = EventLoop.loop
  private let alarm = Handle<uv_timer_t>()
  private var idlers: [OneShot<Void>] = []
  private var start = uv_hrtime()

  private init() {
    uv_timer_init(loop, alarm.pointer)
  }

  /// Runs the loop on the calling thread until `main` returns, and gives what it returned.
  public nonisolated static func run<Result: Sendable>(_ main: @escaping @LoopActor () async -> Result) -> Result {
    let bell = Bell()
    LoopExecutor.shared.adopt { bell.ring() }
    return LoopActor.assumeIsolated {
      var result: Result?
      Task { @LoopActor in result = await main() }
      while true {
        shared.runReady()
        if let result {
          shared.runOut()
          return result
        }
        shared.poll()
      }
    }
  }

  /// Lends the loop a thread of its own, for good. For tests, whose runner keeps the first thread.
  public nonisolated static func runInBackground() {
    _ = background
  }

  private nonisolated static let background: Void = startThread {
    EventLoop.run { () async -> Void in await never.value }
  }

  /// Kept here, so that the task that waits for it is no leak.
  private static let never = OneShot<Void>()

  /// Suspends until no job is ready: whatever was set going by now has gone as far as it can without I/O or time.
  public func settle() async {
    let idler = OneShot<Void>()
    idlers.append(idler)
    await idler.value
  }

  private var realTime: Seconds { Seconds(Int64(bitPattern: uv_hrtime() &- start)) / 1e9 }

  /// The wait for I/O may have been long: what an event sets off counts from now.
  func noteTime() {
    if virtualTime == nil { clock.note(realTime) }
  }

  /// What has been ended comes to its end; whoever starts something new all the time is not waited for.
  private func runOut() {
    for _ in 0..<100 where LoopExecutor.shared.hasJobs { LoopExecutor.shared.runJobs() }
  }

  private func runReady() {
    // Before the jobs: the wait for I/O may have been long, and what they set off counts from now.
    if virtualTime == nil { clock.advance(to: realTime) }
    LoopExecutor.shared.runJobs()
  }

  /// Looks for I/O; waits for it only when nothing else is ready.
  private func poll() {
    if LoopExecutor.shared.hasJobs {
      uv_run(loop, UV_RUN_NOWAIT)
    } else if !idlers.isEmpty {
      let ready = idlers
      idlers = []
      for idler in ready { idler.finish(()) }
    } else if let virtualTime {
      uv_run(loop, UV_RUN_NOWAIT)
      if !LoopExecutor.shared.hasJobs, !virtualTime.idle(clock) { uv_run(loop, UV_RUN_ONCE) }
    } else {
      setAlarm()
      uv_run(loop, UV_RUN_ONCE)
    }
  }

  private func setAlarm() {
    guard let next = clock.next else {
      uv_timer_stop(alarm.pointer)
      return
    }
    // Rounded up: a turn too early would find nothing due, and spin.
    let milliseconds = min(max(0, (next - realTime) * 1000), 1e12).rounded(.up)
    uv_update_time(loop)
    // It repeats: libuv runs what is due before it waits, and would then wait for I/O without an end.
    uv_timer_start(alarm.pointer, { _ in }, UInt64(milliseconds), 1)
  }
}

/// Wakes the loop from another thread; `uv_async_send` is the one call of libuv that allows it.
private struct Bell: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)

  init() {
    uv_async_init(EventLoop.loop, handle) { _ in }
  }

  func ring() {
    uv_async_send(handle)
  }
}

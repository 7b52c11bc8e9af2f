internal import CUV
internal import Synchronization

/// Jobs of ``LoopActor``, in the order they came. Any thread may add one; only the loop's thread runs them.
final class LoopExecutor: SerialExecutor {
  static let shared = LoopExecutor()

  private struct State {
    var jobs: [UnownedJob] = []
    var wake: (@Sendable () -> Void)?
    var thread: uv_thread_t?
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wake = state.withLock { state in
      state.jobs.append(job)
      // The loop looks for jobs before it waits, so only other threads need to wake it.
      return state.thread == uv_thread_self() ? nil : state.wake
    }
    wake?()
  }

  /// Makes the calling thread the loop's. `wake` makes it look for jobs; it may be called on any thread.
  func adopt(wake: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.wake = wake
      state.thread = uv_thread_self()
    }
  }

  var hasJobs: Bool { state.withLock { !$0.jobs.isEmpty } }

  /// Runs what is there now. Jobs that these add wait for the next call, so that I/O is never starved.
  func runJobs() {
    let jobs = state.withLock { state in
      let jobs = state.jobs
      state.jobs = []
      return jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    precondition(state.withLock { $0.thread } == uv_thread_self(), "not on the loop's thread")
  }
}

/// Starts a thread that nobody waits for.
func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = uv_thread_t()
  let box = Unmanaged.passRetained(Box(body))
  let status = uv_thread_create(&thread, { Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body() }, box.toOpaque())
  precondition(status == 0, "no thread to be had")
}

internal import CSwiftRuntime
internal import CUV
internal import Synchronization

/// Jobs of ``LoopActor``, in the order they came. Any thread may add one; only the loop's thread runs them.
final class LoopExecutor: SerialExecutor {
  static let shared = LoopExecutor()

  private enum Work {
    case isolated(UnownedJob)
    /// A task between two parts of its work, on no actor.
    case between(UnownedJob)
  }

  private struct State {
    var work: [Work] = []
    var wake: (@Sendable () -> Void)?
    var thread: uv_thread_t?
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    add(.isolated(UnownedJob(job)))
  }

  /// Runs what belongs to no actor.
  private final class Between: TaskExecutor {
    static let shared = Between()

    func enqueue(_ job: consuming ExecutorJob) {
      LoopExecutor.shared.add(.between(UnownedJob(job)))
    }
  }

  /// From now on what belongs to no actor runs on the loop, too. A task that resumes goes through there first, whatever
  /// it waited for (swift_continuation_init): by Swift's thread pool that would cost two changes of thread each time,
  /// and the order of events.
  private static let takesAll: Void = loop_take_global_jobs { job, _ in
    // A pointer to the job is all that an `UnownedJob` is.
    LoopExecutor.shared.add(.between(unsafeBitCast(job, to: UnownedJob.self)))
  }

  private func add(_ work: Work) {
    let wake = state.withLock { state in
      state.work.append(work)
      // The loop looks for jobs before it waits, so only other threads need to wake it.
      return state.thread == uv_thread_self() ? nil : state.wake
    }
    wake?()
  }

  /// Makes the calling thread the loop's. `wake` makes it look for jobs; it may be called on any thread.
  func adopt(wake: @escaping @Sendable () -> Void) {
    Self.takesAll
    state.withLock { state in
      state.wake = wake
      state.thread = uv_thread_self()
    }
  }

  var hasJobs: Bool { state.withLock { !$0.work.isEmpty } }

  /// Runs what is there now. Jobs that these add wait for the next call, so that I/O is never starved.
  func runJobs() {
    let work = state.withLock { state in
      let work = state.work
      state.work = []
      return work
    }
    for work in work {
      switch work {
      case .isolated(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .between(let job): job.runSynchronously(on: Between.shared.asUnownedTaskExecutor())
      }
    }
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

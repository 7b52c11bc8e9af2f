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

  /// A task resumes on no actor first, whatever it waited for; this keeps that on the loop, too.
  final class ForTasks: TaskExecutor {
    static let shared = ForTasks()

    func enqueue(_ job: consuming ExecutorJob) {
      LoopExecutor.shared.add(.between(UnownedJob(job)))
    }
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
      case .between(let job): job.runSynchronously(on: ForTasks.shared.asUnownedTaskExecutor())
      }
    }
  }

  func checkIsolated() {
    precondition(state.withLock { $0.thread } == uv_thread_self(), "not on the loop's thread")
  }
}

/// Starts a task that never leaves the loop's thread. A plain `Task` would: each time that it resumes it goes through
/// Swift's thread pool first, which costs two changes of thread and the order of events.
@discardableResult
public func onLoop<Value: Sendable>(_ body: @escaping @LoopActor () async -> Value) -> Task<Value, Never> {
  Task(executorPreference: LoopExecutor.ForTasks.shared, operation: body)
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

public import EventLoop
internal import LuaGate

/// A Lua task: a coroutine that may wait for the host while others go on.
@LoopActor
public final class LuaTask: LuaObject {
  public enum Status: String, Sendable { case ready, running, waiting, done, failed, cancelled }

  public private(set) var status: Status = .ready
  /// Does not keep the script alive.
  public let isBackground: Bool
  /// Its errors are only for those who wait for it.
  public let isWatched: Bool

  let number: UInt64
  private weak var runtime: LuaRuntime?
  private let thread: Int32
  /// A wait that Lua has asked for and that begins once Lua has let go.
  private var prepared: (number: Int64, call: LuaCall, body: LuaFunctionDefinition.Waiting)?
  private var operation: (number: Int64, task: Task<Void, Never>)?
  private var outcome: Result<[LuaValue], LuaError>?
  private var waiters: [OneShot<Void>] = []
  private var isCancelRequested = false
  /// Told when the task has ended, before those who wait for it.
  var onEnd: (@LoopActor (LuaTask) -> Void)?

  init(_ runtime: LuaRuntime, thread: Int32, number: UInt64, background: Bool, watched: Bool) {
    (self.runtime, self.thread, self.number) = (runtime, thread, number)
    (isBackground, isWatched) = (background, watched)
  }

  public var hasEnded: Bool { outcome != nil }

  /// Ends the task where it waits: its operation is cancelled and its `<close>` values run, before this returns. A
  /// running task ends at its next wait.
  public func cancel() {
    switch status {
    case .running: isCancelRequested = true
    case .ready, .waiting: endByCancel()
    case .done, .failed, .cancelled: break
    }
  }

  /// What the task's function returned, or its error; `cancelled` if it, or who waits, was.
  public func wait() async throws(LuaError) -> [LuaValue] {
    if outcome == nil {
      let end = OneShot<Void>()
      waiters.append(end)
      await withTaskCancellationHandler {
        await end.value
      } onCancel: {
        LoopActor.assumeIsolated { _ = end.finish(()) }
      }
      waiters.removeAll { $0 === end }
    }
    guard let outcome else { throw .cancelled }
    return try outcome.get()
  }

  /// Of a task that has ended.
  var result: [LuaValue] {
    get throws(LuaError) { try (outcome ?? .failure(.cancelled)).get() }
  }

  func start(_ arguments: [LuaValue]) {
    if status == .ready { proceed { $0.put(arguments) } }
  }

  /// Remembers what to wait for.
  func prepare(_ call: LuaCall, _ body: @escaping LuaFunctionDefinition.Waiting) -> Int64 {
    guard let runtime else { return 0 }
    runtime.operationNumber += 1
    prepared = (runtime.operationNumber, call, body)
    return runtime.operationNumber
  }

  private func proceed(_ put: (Gate) -> Int) {
    guard let runtime else { return }
    operation = nil
    status = .running
    do throws(LuaError) {
      let gate = runtime.gate
      let mark = put(gate)
      var number: Int64 = 0
      let (isWaiting, values) = try runtime.running(self) { () throws(LuaError) in
        try gate.run { gate, receiver in gate_resume(gate, thread, mark, &number, receiver) }
      }
      if isWaiting { wait(for: number) } else { end(.done, .success(values)) }
    } catch {
      prepared = nil
      end(.failed, .failure(close() ?? error))
    }
    runtime.closeIfDue()
  }

  private func wait(for number: Int64) {
    guard !isCancelRequested else { return endByCancel() }
    status = .waiting
    guard let (prepared, call, body) = prepared, prepared == number else { return }
    self.prepared = nil
    let task = Task { @LoopActor in
      do throws(LuaError) {
        let values = try await body(call)
        operationEnded(number) { $0.put([true] + values) }
      } catch {
        operationEnded(number) { gate in
          let mark = gate.put([false])
          gate.put(error)
          return mark
        }
      }
    }
    operation = (number, task)
  }

  private func operationEnded(_ number: Int64, _ put: (Gate) -> Int) {
    if status == .waiting, operation?.number == number { proceed(put) }
  }

  private func endByCancel() {
    prepared = nil
    operation?.task.cancel()
    operation = nil
    status = .running
    let fault = close()
    end(.cancelled, .failure(.cancelled))
    // Nobody waits for what goes wrong in a `<close>` value now.
    if let fault { runtime?.report(fault) }
  }

  /// Runs what is left of `<close>` values; gives the error if one of them fails.
  private func close() -> LuaError? {
    guard let runtime else { return nil }
    do throws(LuaError) {
      _ = try runtime.running(self) { () throws(LuaError) in
        try runtime.gate.run { gate, receiver in gate_thread_close(gate, thread, receiver) }
      }
      return nil
    } catch {
      return error
    }
  }

  private func end(_ status: Status, _ outcome: Result<[LuaValue], LuaError>) {
    self.status = status
    self.outcome = outcome
    runtime?.gate.release(thread)
    onEnd?(self)
    onEnd = nil
    let waiting = waiters
    waiters = []
    waiting.forEach { $0.finish(()) }
    if case .failure(let error) = outcome, status == .failed, !isWatched, waiting.isEmpty { runtime?.report(error) }
    runtime?.taskEnded(self)
  }

  public static let luaType = LuaType("task", of: LuaTask.self) { type in
    type.get("status") { LuaValue($0.status.rawValue) }
    type.method("cancel") { task, _ in
      task.cancel()
      return []
    }
    type.waiting("wait") { task, call async throws(LuaError) in
      if task === call.task { throw LuaError("a task can't wait for itself") }
      return try await task.wait()
    }
    type.tostring { "task: \($0.number) (\($0.status.rawValue))" }
  }
}

internal import EventLoop
internal import LuaGate

extension LuaRuntime {
  /// A new task. It starts in the loop's next turn. A background task does not keep the script alive; the errors of a
  /// watched one are only for those who wait for it.
  @discardableResult
  public func spawn(
    _ function: LuaFunction, _ arguments: [LuaValue] = [], background: Bool = false, watched: Bool = false
  ) throws(LuaError) -> LuaTask {
    var thread: Int32 = 0
    let reference = function.reference
    guard reference.anchor.gate === gate else { throw .closed }
    try gate.perform { gate, receiver in
      gate_thread(gate, reference.anchor.number, reference.entry, &thread, receiver)
    }
    taskNumber += 1
    let task = LuaTask(self, thread: thread, number: taskNumber, background: background, watched: watched)
    tasks[taskNumber] = task
    Task { @LoopActor in task.start(arguments) }
    return task
  }

  /// Runs a main chunk as a task, until it and all foreground tasks have ended or one of them has failed. Then the
  /// tasks that are left are cancelled.
  public func run(_ main: LuaFunction, _ arguments: [LuaValue] = []) async -> Outcome {
    let ended = OneShot<Outcome>()
    self.ended = ended
    do throws(LuaError) {
      try spawn(main, arguments)
    } catch {
      report(error)
    }
    let outcome = await ended.value
    self.ended = nil
    cancelTasks()
    return outcome
  }

  /// Ends what ``run(_:_:)`` runs.
  public func stop() {
    ended?.finish(.stopped)
  }

  /// Tasks that have not ended.
  public var taskCount: Int { tasks.count }

  /// All of them, the newest first: what it uses was there before it.
  public func cancelTasks() {
    while let task = tasks.values.max(by: { $0.number < $1.number }) {
      tasks[task.number] = nil
      task.cancel()
    }
  }

  func exit(_ status: Int32) {
    if let ended { ended.finish(.exited(status)) } else { onExit?(status) }
  }

  func report(_ error: LuaError) {
    onUncaughtError?(error)
    ended?.finish(.failed(error))
  }

  func taskEnded(_ task: LuaTask) {
    tasks[task.number] = nil
    if !task.isBackground, !tasks.values.contains(where: { !$0.isBackground }) { ended?.finish(.finished) }
  }

  /// Says for the time of `body` whose code runs.
  func running<Result>(_ task: LuaTask, _ body: () throws(LuaError) -> Result) throws(LuaError) -> Result {
    let previous = current
    current = task
    defer { current = previous }
    return try body()
  }
}

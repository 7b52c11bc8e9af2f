public import EventLoop
internal import LuaGate

/// A Lua task: a coroutine that may wait for the host while others go on.
@LoopActor
public final class LuaTask: LuaObject {
  public enum Status: String, Sendable { case ready, running, waiting, done, failed, cancelled }

  public internal(set) var status: Status = .ready
  /// Does not keep the script alive.
  public let isBackground: Bool
  /// Its errors are only for those who wait for it.
  let isWatched: Bool

  init(background: Bool, watched: Bool) {
    (isBackground, isWatched) = (background, watched)
  }

  public var hasEnded: Bool { false }

  /// Ends the task where it waits: its operation is cancelled and its `<close>` values run, before this returns. A
  /// running task ends at its next wait.
  public func cancel() { fatalError() }

  /// What the task's function returned, or its error; `cancelled` if it, or who waits, was.
  public func wait() async throws(LuaError) -> [LuaValue] { fatalError() }
  public static let luaType = LuaType("task", of: LuaTask.self) { type in }
}

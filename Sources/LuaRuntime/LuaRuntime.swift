public import EventLoop
internal import LuaGate

/// A Lua state and its tasks. It knows nothing of Bluetooth: see ``register(module:_:)``.
@LoopActor
public final class LuaRuntime {
  /// How a script ended.
  public enum Outcome: Sendable {
    case finished
    case failed(LuaError)
    /// By `os.exit`.
    case exited(Int32)
    /// By ``stop()`` or ``close()``.
    case stopped
  }

  /// Called once for each error that nothing in Lua caught; its description and traceback are for the user.
  public var onUncaughtError: (@LoopActor (LuaError) -> Void)?
  /// Lua's warnings, and errors of `__gc`, one line each.
  public var onWarning: (@LoopActor (String) -> Void)?

  /// `memoryLimit` in bytes. `path` is where `require` looks.
  public init(memoryLimit: Int? = nil, path: ModulePath = ModulePath()) throws(LuaError) {}

  public func register(module: String, _ functions: [LuaFunctionDefinition]) throws(LuaError) {}
  public func setGlobal(_ name: String, _ value: LuaValue) throws(LuaError) {}
  /// Compiles; nothing runs. `name` as Lua wants it: `@file.lua`, `=stdin`.
  public func load(_ code: [UInt8], name: String) throws(LuaError) -> LuaFunction { fatalError() }
  public func load(file: String) throws(LuaError) -> LuaFunction { fatalError() }
  /// A plain call, at once. The function may not wait.
  @discardableResult
  public func call(_ function: LuaFunction, _ arguments: [LuaValue] = []) throws(LuaError) -> [LuaValue] { [] }
  /// A new task. It starts in the loop's next turn.
  @discardableResult
  public func spawn(
    _ function: LuaFunction, _ arguments: [LuaValue] = [], background: Bool = false, watched: Bool = false
  ) throws(LuaError) -> LuaTask { fatalError() }
  /// Runs a main chunk as a task, until it and all foreground tasks have ended or one has failed. Then the tasks that
  /// are left are cancelled.
  public func run(_ main: LuaFunction, _ arguments: [LuaValue] = []) async -> Outcome { fatalError() }
  /// Ends what ``run(_:_:)`` runs, at each task's next wait.
  public func stop() {}
  public func close() {}
}
/// Where `require` looks, in this order; then where Lua and LuaRocks keep theirs.
public struct ModulePath: Sendable {
  public var library: String?
  public var script: String?
  public var user: String?
  public init(library: String? = nil, script: String? = nil, user: String? = nil) {
    (self.library, self.script, self.user) = (library, script, user)
  }
}
@LoopActor final class Gate { func release(_ n: Int32) {} }
extension LuaValue { var display: String { text ?? "?" } }

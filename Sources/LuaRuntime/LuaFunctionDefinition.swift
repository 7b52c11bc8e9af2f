internal import EventLoop

/// A Swift function for Lua.
public struct LuaFunctionDefinition: Sendable {
  public typealias Plain = @LoopActor (LuaCall) throws(LuaError) -> [LuaValue]
  public typealias Waiting = @LoopActor (LuaCall) async throws(LuaError) -> [LuaValue]

  enum Body: Sendable {
    case plain(Plain)
    case waiting(check: @LoopActor (LuaCall) throws(LuaError) -> Void, Waiting)
  }

  public let name: String
  let keepsTables: Bool
  let body: Body

  /// Returns at once. With `keepsTables`, tables among the arguments come as references instead of copies.
  public static func plain(
    _ name: String, keepsTables: Bool = false, _ body: @escaping Plain
  ) -> LuaFunctionDefinition {
    LuaFunctionDefinition(name: name, keepsTables: keepsTables, body: .plain(body))
  }

  /// Suspends the Lua task until it returns; cancelling the Lua task cancels the Swift task it runs in. `check` runs
  /// at once, so that wrong arguments are told even where nothing can wait.
  public static func waiting(
    _ name: String, keepsTables: Bool = false,
    check: @escaping @LoopActor (LuaCall) throws(LuaError) -> Void = { _ in }, _ body: @escaping Waiting
  ) -> LuaFunctionDefinition {
    LuaFunctionDefinition(name: name, keepsTables: keepsTables, body: .waiting(check: check, body))
  }
}

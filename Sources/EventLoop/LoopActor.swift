/// The one actor of the program. All state lives on it; it runs on the thread that calls ``EventLoop/run(_:)``.
@globalActor
public actor LoopActor {
  public static let shared = LoopActor()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    LoopExecutor.shared.asUnownedSerialExecutor()
  }

  /// The door for C callbacks (libuv, libdbus, Lua): they come on the loop's thread, which the compiler can't see.
  public static func assumeIsolated<Result>(_ operation: @LoopActor () throws -> Result) rethrows -> Result {
    shared.preconditionIsolated("a C callback came on a thread that is not the loop's")
    typealias Unchecked = () throws -> Result
    return try withoutActuallyEscaping(operation) { escaping in
      try unsafeBitCast(escaping, to: Unchecked.self)()
    }
  }
}

internal import EventLoop

/// Tasks that belong to one call of another task, and end with it: the ground of `task.all`, `race` and `timeout`.
/// It is not written in Lua because a child must be seen to end even when Lua has no memory left to say so.
@LoopActor
final class TaskGroup: LuaObject {
  private var children: [LuaTask] = []
  /// Those that have ended and were not yet asked for, by their place in `children`.
  private var ended: [Int] = []
  private let place = ParkingPlace()

  func start(_ function: LuaFunction, _ arguments: [LuaValue], in runtime: LuaRuntime) throws(LuaError) {
    let child = try runtime.spawn(function, arguments, watched: true)
    let index = children.count
    children.append(child)
    child.onEnd = { [weak self] _ in self?.hasEnded(index) }
  }

  private func hasEnded(_ index: Int) {
    ended.append(index)
    place.wake()
  }

  /// The next child to end.
  func next() async throws(LuaError) -> Int {
    while ended.isEmpty { try await place.wait() }
    return ended.removeFirst()
  }

  func cancel() {
    children.reversed().forEach { $0.cancel() }
  }

  static let luaType = LuaType("task group", of: TaskGroup.self) { type in
    type.method("start", keepsTables: true) { group, call throws(LuaError) in
      try group.start(try call[1].function(), Array(call.arguments.dropFirst()), in: call.runtime)
      return []
    }
    // The number of the child and its results; raises its error.
    type.waiting("next") { group, _ async throws(LuaError) in
      let index = try await group.next()
      return [LuaValue(index + 1)] + (try group.children[index].result)
    }
    type.close { $0.cancel() }
  }
}

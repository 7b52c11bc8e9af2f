internal import EventLoop

extension LuaRuntime {
  /// The module `task.native`, on which `scripts/lib/task.lua` is built.
  static let taskFunctions: [LuaFunctionDefinition] = [
    .plain("spawn", keepsTables: true) { call throws(LuaError) in
      let function = try call[1].function()
      let kind = try call[2].ifPresent?.word(["foreground", "background", "watched"])
      let task = try call.runtime.spawn(
        function, Array(call.arguments.dropFirst(2)), background: kind == "background", watched: kind == "watched")
      return [.object(task)]
    },
    .waiting("sleep", check: { call throws(LuaError) in _ = try call[1].seconds() }) { call throws(LuaError) in
      let seconds = try call[1].seconds()
      do { try await EventLoop.shared.clock.sleep(seconds) } catch { throw .cancelled }
      return []
    },
    .plain("now") { _ in [.number(EventLoop.shared.clock.now)] },
    .plain("park") { _ in [.object(ParkingPlace())] },
    .plain("current") { call in [call.task.map { .object($0) } ?? .nil] },
    .plain("raise") { call throws(LuaError) in
      throw LuaError(fields: try call[1].table().fields.map { ($0.key.text ?? "?", $0.value) })
    },
    .waiting(
      "exit",
      check: { call throws(LuaError) in
        let status = call[1]
        if let went = status.value.boolean {
          call.runtime.exit(went ? 0 : 1)
        } else {
          call.runtime.exit(status.isNil ? 0 : Int32(try status.integer(in: 0...255)))
        }
      },
      { _ throws(LuaError) in
        // Until the end of the script cancels it.
        try await ParkingPlace().wait()
        return []
      }),
  ]
}

/// Where a task waits until another wakes it. A wake that comes first is kept, once.
@LoopActor
final class ParkingPlace: LuaObject {
  private var waiting: OneShot<Bool>?
  private var isAwake = false

  func wake() {
    if let waiting { waiting.finish(true) } else { isAwake = true }
    waiting = nil
  }

  func wait() async throws(LuaError) {
    if isAwake {
      isAwake = false
      return
    }
    guard waiting == nil else { throw LuaError("another task waits here") }
    let place = OneShot<Bool>()
    waiting = place
    let woken = await withTaskCancellationHandler {
      await place.value
    } onCancel: {
      LoopActor.assumeIsolated { _ = place.finish(false) }
    }
    if waiting === place { waiting = nil }
    if !woken { throw .cancelled }
  }

  static let luaType = LuaType("parking place", of: ParkingPlace.self) { type in
    type.waiting("wait") { place, _ async throws(LuaError) in
      try await place.wait()
      return []
    }
    type.method("wake") { place, _ in
      place.wake()
      return []
    }
  }
}

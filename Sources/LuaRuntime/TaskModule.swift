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
    .plain("group") { _ in [.object(TaskGroup())] },
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

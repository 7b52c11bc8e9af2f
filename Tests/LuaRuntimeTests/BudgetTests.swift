import EventLoop
import Testing

@testable import LuaRuntime

/// The instruction limit of plain calls.
@Suite struct BudgetTests {
  init() { EventLoop.runInBackground() }

  @LoopActor private func fault(_ code: String, limit: Int = 50_000) throws -> String? {
    let lua = try Harness()
    lua.runtime.instructionLimit = limit
    do {
      try lua.call(code)
      return nil
    } catch let error as LuaError {
      return error.message
    }
  }

  @Test(arguments: [
    "while true do end",
    // Catching the error helps for one instruction.
    "while true do pcall(function() while true do end end) end",
    "local function f() return pcall(f) end while true do f() end",
    // Coroutines spend of the same budget.
    "while true do coroutine.wrap(function() for i = 1, 2000 do end end)() end",
    "coroutine.wrap(function() while true do end end)()",
    // Few instructions, much memory.
    "for i = 1, 4000 do local s = ('x'):rep(1 << 20) end",
    "require('host').call(function() while true do end end)",
  ])
  @LoopActor func itEndsWhatDoesNotEnd(code: String) throws {
    let message = try #require(try fault(code))
    #expect(message.hasSuffix("too many instructions"), "\(message)")
  }

  @Test @LoopActor func theErrorNamesTheLine() throws {
    #expect(try fault("local x\nwhile true do x = 1 end") == "test.lua:2: too many instructions")
  }

  @Test @LoopActor func eachCallHasAllOfIt() throws {
    let lua = try Harness()
    lua.runtime.instructionLimit = 50_000
    for _ in 0..<20 { try lua.call("for i = 1, 20000 do end") }
    #expect(throws: LuaError.self) { try lua.call("while true do end") }
    #expect(try lua.call("return 1") == [1])
  }

  @Test @LoopActor func withoutALimitNothingIsCounted() async throws {
    let lua = try Harness()
    lua.runtime.instructionLimit = 50_000
    #expect(throws: LuaError.self) { try lua.call("while true do end") }
    lua.runtime.instructionLimit = nil
    #expect(try lua.call("for i = 1, 1000000 do end return 1") == [1])
    // A task has no limit, nor has what was made under one.
    lua.runtime.instructionLimit = 50_000
    try lua.call("kept = coroutine.wrap(function() for i = 1, 1000000 do end return 'all' end)")
    #expect(try await lua.logged("host.log(kept()) for i = 1, 1000000 do end host.log(2)") == ["all", 2])
  }
}

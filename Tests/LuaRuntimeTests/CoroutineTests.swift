import EventLoop
import Testing

@testable import LuaRuntime

@Suite struct CoroutineTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func waitsPassThroughCoroutinesOfTheScript() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local co = coroutine.wrap(function(a)
          host.log(host.turn(a))
          local b = coroutine.yield("y1")
          host.log(host.turn(b))
          for v in coroutine.wrap(function() for i = 1, 2 do coroutine.yield(host.turn(i)) end end) do host.log(v) end
          return "end"
        end)
        host.log(co("a")) host.log(co("b"))
        local inner = coroutine.create(function() host.turn_error() end)
        local ok, e = coroutine.resume(inner)
        host.log(ok, e.code, coroutine.status(inner))
        host.log(select(2, pcall(coroutine.wrap(function() host.turn() error({ n = 7 }) end))).n)
        """) == ["a", "y1", "b", 1, 2, "end", false, "busy", "dead", 7])
  }

  @Test @LoopActor func pcallHoldsAcrossWaits() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        host.log(pcall(function() return host.turn(1, nil, 3) end))
        host.log((select(2, xpcall(function() host.turn() error("x", 0) end, function(m) return m .. "!" end))))
        host.log(select(4, pcall(pcall, pcall, function() host.turn_error() end)).code)
        for i = 1, 3 do host.log(pcall(host.turn, i)) end
        """) == [true, 1, nil, 3, "x!", "busy", true, 1, true, 2, true, 3])
  }

  @Test @LoopActor func coroutinesBehaveAsLuasOwn() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local co
        co = coroutine.create(function(...)
          host.log(coroutine.status(co), coroutine.isyieldable(), coroutine.running() == co, select("#", ...))
          local _ <close> = setmetatable({}, {__close = function() host.log("closed") end})
          coroutine.yield()
        end)
        host.log(coroutine.status(co), coroutine.resume(co, nil, nil))
        host.log(coroutine.close(co), coroutine.status(co))
        host.log(coroutine.resume(co))
        local w = coroutine.wrap(function() error("in wrap") end)
        host.log(select(2, pcall(w)), select(2, pcall(w)))
        host.log(select(2, pcall(coroutine.wrap(function()
          local _ <close> = setmetatable({}, {__close = function() error("other", 0) end})
          error("first")
        end))))
        host.log((pcall(coroutine.resume, 1)), (pcall(coroutine.wrap, 1)))
        """) == [
          "running", true, true, 2, "suspended", true, "closed", true, "dead", false, "cannot resume dead coroutine",
          "test.lua:11: in wrap", "cannot resume dead coroutine", "other", false, false,
        ])
  }

  @Test @LoopActor func whereNothingCanWaitItSaysSo() async throws {
    let lua = try Harness()
    let results = try await lua.logged(
      """
      local function try(f, ...) host.log((select(2, pcall(f, ...)))) end
      try(string.gsub, "a", "a", function() host.turn() end)
      try(table.sort, {1, 2}, function() host.turn() return true end)
      try(string.gsub, "a", "a", coroutine.wrap(function() host.turn() end))
      try(host.call, function() host.turn() end)
      package.preload.waits = function() host.turn() end
      try(require, "waits")
      -- It goes on after being refused.
      host.log(("a"):gsub("a", coroutine.wrap(function() pcall(host.turn) return "b" end)))
      host.log(host.turn("fine"))
      """)
    #expect(results.count == 8)
    for message in results.prefix(5) { #expect(message.text?.contains("cannot wait here") ?? false, "\(message)") }
    #expect(Array(results.suffix(3)) == ["b", 1, "fine"])
  }

  @Test @LoopActor func aWaitingCoroutineIsNobodyElsesToResume() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local co = coroutine.create(function() host.turn() host.turn() return "mine" end)
        local thread
        local t = task.spawn(function() thread = coroutine.running() return select(2, coroutine.resume(co)) end)
        host.turn()
        host.log(coroutine.status(co), coroutine.resume(co))
        host.log((pcall(coroutine.close, co)))
        host.log(coroutine.resume(thread))
        host.log((pcall(coroutine.close, thread)))
        host.log(t:wait())
        """) == [
          "normal", false, "cannot resume a coroutine that waits", false, false, "cannot resume a task", false, "mine",
        ])
  }

  @Test @LoopActor func aTaskCantYield() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged("host.log((select(2, pcall(coroutine.yield, 1))))")
        == ["attempt to yield from outside a coroutine"])
  }

  @Test @LoopActor func cancelClosesCoroutinesThatWait() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local t = task.spawn(function()
          local _ <close> = setmetatable({}, {__close = function() host.log("task") end})
          coroutine.wrap(function()
            local _ <close> = setmetatable({}, {__close = function() host.log("inner") end})
            task.sleep(1000)
          end)()
        end)
        host.turn() host.turn()
        t:cancel()
        """) == ["inner", "task"])
  }
}

import EventLoop
import Testing

@testable import LuaRuntime

@Suite struct TaskTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func aScriptEndsWithItsForegroundTasks() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        task.spawn(function() for i = 1, 3 do host.turn() host.log(i) end end)
        task.background(function()
          local _ <close> = setmetatable({}, {__close = function() host.log("closed") end})
          while true do host.turn() end
        end)
        host.log("main")
        """) == ["main", 1, 2, 3, "closed"])
    #expect(lua.runtime.taskCount == 0)
  }

  @Test @LoopActor func waitGivesResultsOrTheError() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local shared = {}
        local t = task.spawn(function(a, b) host.turn() return a + b, shared end, 1, 2)
        host.log(t.status)
        local sum, same = t:wait()
        host.log(sum, same == shared, t.status, (select(2, t:wait())) == shared)
        local bad = task.spawn(function() host.turn() error("oh") end)
        host.log(pcall(bad.wait, bad))
        host.log(bad.status)
        """) == ["ready", 3, true, "done", true, false, "test.lua:7: oh", "failed"])
  }

  @Test @LoopActor func anUncaughtErrorEndsTheScript() async throws {
    let lua = try Harness()
    let outcome = try await lua.run(
      """
      local host, task = require "host", require "task"
      task.spawn(function() host.turn() error("boom") end)
      local _ <close> = setmetatable({}, {__close = function() host.log("closed") end})
      while true do host.turn() end
      """)
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(error.message == "test.lua:2: boom")
    #expect(lua.uncaught.count == 1)
    #expect(lua.log == ["closed"])
  }

  @Test @LoopActor func cancelRunsCloseValuesAtOnce() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local t = task.spawn(function()
          local a <close> = setmetatable({}, {__close = function() host.log("a") end})
          local b <close> = setmetatable({}, {__close = function(_, e) host.log("b", tostring(e)) end})
          task.sleep(1000)
        end)
        local waiter = task.spawn(function() host.log(select(2, pcall(t.wait, t)).code) end)
        host.turn() host.turn()
        t:cancel() t:cancel()
        host.log("cancelled", t.status)
        waiter:wait()
        local early = task.spawn(function() host.log("never") end)
        early:cancel()
        """) == ["b", "nil", "a", "cancelled", "cancelled", "cancelled"])
    #expect(lua.uncaught.isEmpty)
  }

  @Test @LoopActor func aWaitInACloseOfACancelledTaskIsTold() async throws {
    let lua = try Harness()
    try await lua.run(
      """
      local host, task = require "host", require "task"
      local t = task.spawn(function()
        local a <close> = setmetatable({}, {__close = function() host.log("outer") end})
        local b <close> = setmetatable({}, {__close = function() host.turn() end})
        task.sleep(1000)
      end)
      host.turn() host.turn()
      t:cancel()
      host.log(t.status)
      """)
    #expect(lua.log == ["outer", "cancelled"])
    #expect(lua.uncaught.count == 1)
    #expect(lua.uncaught.first?.message.contains("cannot wait here") ?? false)
  }

  @Test @LoopActor func aTaskThatCancelsItselfEndsAtItsNextWait() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local t = task.spawn(function()
          local _ <close> = setmetatable({}, {__close = function() host.log("closed") end})
          task.current():cancel()
          host.log("still here")
          host.turn()
          host.log("never")
        end)
        host.turn() host.turn() host.turn()
        host.log(t.status)
        """) == ["still here", "closed", "cancelled"])
  }

  @Test @LoopActor func allGivesResultsInOrder() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local r = task.all({3, 2, 1}, function(n, i) for _ = 1, n do host.turn() end host.log(i) return n * 10 end)
        host.log(table.concat(r, " "))
        host.log(table.concat(task.all{ function() return "x" end, function() return "y" end }, " "), #task.all{})
        """) == [3, 2, 1, "30 20 10", "x y", 0])
  }

  @Test @LoopActor func allStopsAtTheFirstError() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        host.log(pcall(task.all, { 1, 2, 3 }, function(n)
          local _ <close> = setmetatable({}, {__close = function() host.log(n) end})
          if n == 2 then host.turn() error("two", 0) end
          task.sleep(1000)
        end))
        """) == [2, 3, 1, false, "two"])
    #expect(lua.uncaught.isEmpty)
  }

  @Test @LoopActor func raceAndTimeout() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        host.log(task.race{ function() task.sleep(1000) end, function() host.turn() return "won", 2 end })
        host.log(pcall(task.race, { function() task.sleep(1000) end, function() error("lost", 0) end }))
        host.log(task.timeout(1000, function(a, b) host.turn() return a, b end, 1, 2))
        local closed
        local ok, e = pcall(task.timeout, 0.01, function()
          local _ <close> = setmetatable({}, {__close = function() closed = true end})
          task.sleep(1000)
        end)
        host.log(e.code, e.message, closed)
        """) == ["won", 2, false, "lost", 1, 2, "timeout", "timed out after 0.01 s", true])
    #expect(lua.runtime.taskCount == 0)
  }

  @Test @LoopActor func childrenEndWithTheirParent() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local parent = task.spawn(function()
          task.all({ 1, 2 }, function(n)
            local _ <close> = setmetatable({}, {__close = function() host.log(n) end})
            task.timeout(100, task.sleep, 1000)
          end)
        end)
        for _ = 1, 6 do host.turn() end
        parent:cancel()
        """) == [2, 1])
    #expect(lua.runtime.taskCount == 0)
  }

  @Test @LoopActor func everyTicksUntilCancelled() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local n, start = 0, task.now()
        local done = task.channel()
        local t = task.every(0.01, function(what) n = n + 1 if n == 5 then done:send(what) end end, "tick")
        host.log(done:receive())
        t:cancel()
        host.log(n, task.now() - start >= 0.05)
        """) == ["tick", 5, true])
  }

  @Test @LoopActor func channelsHandOver() async throws {
    for size in ["", "1", "3", "1000"] {
      let lua = try Harness()
      #expect(
        try await lua.logged(
          """
          local c = task.channel(\(size))
          task.spawn(function() for i = 1, 20 do c:send(i) end c:close() end)
          local sum = 0
          for v in c do sum = sum + v end
          host.log(sum, c:receive() == nil, (pcall(c.send, c, 1)))
          """) == [210, true, false])
    }
  }

  @Test @LoopActor func channelsWaitAndSurviveCancels() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local c = task.channel(1)
        local sender = task.spawn(function() c:send(1) host.log("sent 1") c:send(2) host.log("never") end)
        host.turn() host.turn()
        sender:cancel()
        host.log(c:receive())
        local lost = task.spawn(function() c:receive() host.log("never") end)
        local found = task.spawn(function() host.log(c:receive()) end)
        host.turn() host.turn()
        c:send("for the other")
        lost:cancel()
        found:wait()
        local full = task.channel()
        local s = task.spawn(function() host.log((pcall(full.send, full, 1))) end)
        host.turn() host.turn()
        full:close()
        s:wait()
        """) == ["sent 1", 1, "for the other", false])
  }

  @Test @LoopActor func sleepAndArguments() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        for _, s in ipairs{ -1, 0/0, "1", {} } do host.log((pcall(task.sleep, s))) end
        host.log((pcall(task.spawn, 1)), (pcall(task.timeout, -1, print)), (pcall(task.every, 0, print)), (pcall(task.race, {})))
        local before = task.now() task.sleep(0.02) host.log(task.now() - before >= 0.02)
        """) == [false, false, false, false, false, false, false, false, true])
  }

  @Test @LoopActor func exitEndsTheScript() async throws {
    let lua = try Harness()
    let outcome = try await lua.run(
      """
      local host = require "host"
      local _ <close> = setmetatable({}, {__close = function() host.log("closed") end})
      os.exit(3)
      host.log("never")
      """)
    guard case .exited(3) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(lua.log == ["closed"])
  }

  @Test @LoopActor func stopAndCloseEndARun() async throws {
    let lua = try Harness()
    let main = try lua.runtime.load(Array("while true do require('host').turn() end".utf8), name: "=loop")
    let run = Task { @LoopActor in await lua.runtime.run(main) }
    await EventLoop.shared.settle()
    lua.runtime.stop()
    guard case .stopped = await run.value else { return #expect(Bool(false)) }
    let again = Task { @LoopActor in await lua.runtime.run(main) }
    await EventLoop.shared.settle()
    lua.runtime.close()
    guard case .stopped = await again.value else { return #expect(Bool(false)) }
    #expect(lua.runtime.memory.blocks == 0)
  }

  @Test @LoopActor func closeFromInsideWaitsUntilLuaHasReturned() async throws {
    let lua = try Harness()
    try lua.runtime.register(
      module: "end",
      [
        .plain("close") { call in
          call.runtime.close()
          return []
        }
      ])
    let outcome = try await lua.run(
      """
      local host, close = require "host", require("end").close
      local _ <close> = setmetatable({}, {__close = function() host.log("closed") end})
      close()
      host.log("still here")
      host.turn()
      host.log("never")
      """)
    guard case .stopped = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(lua.log == ["still here", "closed"])
    #expect(lua.runtime.isClosed)
    #expect(lua.runtime.memory.blocks == 0)
  }

  @Test @LoopActor func cancellingEachOtherWhileClosing() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local a, b
        local function body(name, other)
          local _ <close> = setmetatable({}, {__close = function() host.log(name) other():cancel() end})
          task.sleep(1000)
        end
        a = task.spawn(body, "a", function() return b end)
        b = task.spawn(body, "b", function() return a end)
        host.turn() host.turn()
        a:cancel()
        host.log(a.status, b.status)
        """) == ["a", "b", "cancelled", "cancelled"])
  }

  @Test @LoopActor func errorsNameTheScriptNotTheLibrary() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        host.log(select(2, pcall(function()
          task.timeout(0, task.sleep, 1000) end)).where)
        """) == ["test.lua:3"])
  }
}

import EventLoop
import Testing

@testable import LuaRuntime

@Suite struct ErrorTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func hostErrorsAreTablesThatPrintWell() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local ok, e = pcall(host.host_error, "no luck")
        host.log(type(e), e.code, e.message, tostring(e), e.where)
        local ok, e = pcall(function()
          host.turn_error()
        end)
        host.log(e.code, e.where)
        local ok, e = pcall(function() host.turn_message() end)
        host.log(e)
        """) == [
          "table", "busy", "no luck", "no luck", "test.lua:2", "busy", "test.lua:5", "test.lua:8: late message",
        ])
  }

  @Test @LoopActor func theErrorThatIsRaisedIsTheOneThatIsCaught() async throws {
    let lua = try Harness()
    #expect(
      try await lua.logged(
        """
        local mine = setmetatable({}, {__tostring = function() return "mine" end})
        local _, a = pcall(host.call, function() error(mine) end)
        local t = task.spawn(function() host.turn() error(mine) end)
        local _, b = pcall(t.wait, t)
        local _, c = pcall(task.all, { function() host.turn() error(mine) end })
        host.log(a == mine, b == mine, c == mine)
        """) == [true, true, true])
  }

  @Test @LoopActor func L10_anyErrorValueIsReadable() async throws {
    let values: [(String, String)] = [
      ("error({})", "(error object is a table value)"),
      ("error(nil)", "(error object is a nil value)"),
      ("error()", "(error object is a nil value)"),
      ("error(true)", "(error object is a boolean value)"),
      ("error(print)", "(error object is a function value)"),
      ("error(42)", "42"),
      ("error('plain')", "test.lua:1: plain"),
      ("error({message = 'from a field'})", "from a field"),
      ("error(setmetatable({}, {__tostring = function() return 'shown' end}))", "shown"),
      ("error(setmetatable({}, {__tostring = function() error('again') end}))", "(error object is a table value)"),
      ("error(setmetatable({}, {__tostring = function() return {} end}))", "(error object is a table value)"),
      ("error(setmetatable({}, {__tostring = 5}))", "(error object is a table value)"),
      ("error(setmetatable({}, {__name = 'odd', __index = error}))", "(error object is a table value)"),
      ("error('\\255')", "test.lua:1: \u{fffd}"),
      ("local t = {}; t.t = t; error(t)", "(error object is a table value)"),
    ]
    for (code, message) in values {
      let lua = try Harness()
      guard case .failed(let error) = try await lua.run(code) else {
        Issue.record("\(code) did not fail")
        continue
      }
      #expect(error.message == message, "\(code)")
      #expect(lua.uncaught.count == 1)
      #expect(throws: LuaError.self) { try lua.call(code) }
      // In a callback.
      let outcome = try await lua.run("require('task').spawn(function() \(code) end)")
      guard case .failed = outcome else {
        Issue.record("\(code) in a task: \(outcome)")
        continue
      }
    }
  }

  @Test @LoopActor func uncaughtErrorsShowTheScriptsLines() async throws {
    let lua = try Harness()
    try await lua.run(
      """
      local function inner()
        require("host").turn()
        require("host").host_error("deep")
      end
      inner()
      """)
    let error = try #require(lua.uncaught.first)
    #expect(error.description == "test.lua:3: deep")
    #expect(error.code == "busy")
    #expect(error.traceback?.contains("test.lua:3: in") ?? false)
    #expect(error.traceback?.contains("test.lua:5: in main chunk") ?? false)
    do throws(LuaError) {
      try lua.runtime.call(try lua.runtime.load(Array("local x = nil + 1".utf8), name: "@sum.lua"))
    } catch {
      #expect(error.message.contains("sum.lua:1: attempt to perform arithmetic on a nil value"))
      #expect(error.traceback?.contains("sum.lua:1: in main chunk") ?? false)
    }
  }

  @Test @LoopActor func L06_aHandlerThatFailsDoesNotStopTheNext() async throws {
    let lua = try Harness()
    let handler = try #require(
      try lua.call(
        """
        local host = require "host"
        return function(n) if n == 1 then error("x") end host.log(n) end
        """)[0].function)
    for n in 1...3 { try lua.runtime.spawn(handler, [.integer(Int64(n))], background: true) }
    await EventLoop.shared.settle()
    #expect(lua.log == [2, 3])
    #expect(lua.uncaught.map(\.message) == ["test.lua:2: x"])
    #expect(lua.runtime.taskCount == 0)
  }

  @Test @LoopActor func syntaxErrorsAndMissingFiles() async throws {
    let lua = try Harness()
    #expect(throws: LuaError.self) { try lua.runtime.load(Array("x = = 1".utf8), name: "@bad.lua") }
    #expect(throws: LuaError.self) { try lua.runtime.load(file: "/nowhere/x.lua") }
    let function = try lua.runtime.load(
      Array("#!/usr/bin/env blescript\nreturn debug.getinfo(1, 'l').currentline".utf8), name: "@s")
    #expect(try lua.runtime.call(function) == [2])
  }
}

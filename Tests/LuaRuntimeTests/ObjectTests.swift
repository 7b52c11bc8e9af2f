import EventLoop
import Testing

@testable import LuaRuntime

@Suite(.serialized) struct ObjectTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func fieldsMethodsAndOperators() throws {
    let lua = try Harness()
    #expect(
      try lua.call(
        """
        local t = require("host").thing("a")
        t.name = "bee"
        return t.name, t.size, t:greet("me"), tostring(t), getmetatable(t)
        """) == ["bee", 3, "hello me from bee", "thing bee", false])
  }

  @Test @LoopActor func oneObjectIsOneUserdata() throws {
    let lua = try Harness()
    let thing = Thing("x")
    #expect(
      try lua.call("local a, b = ...; return a == b, rawequal(a, b)", .object(thing), .object(thing)) == [true, true])
    let back = try lua.call("return ...", .object(thing))[0].object
    #expect(back === thing)
  }

  @Test @LoopActor func wrongUseIsNamed() throws {
    let lua = try Harness()
    func message(_ code: String) throws -> String {
      try lua.call("local t = require('host').thing('x'); return select(2, pcall(function() \(code) end))")[0].text
        ?? "?"
    }
    #expect(
      try message("t.greet()") == "test.lua:1: bad argument #1 to 'greet' (thing expected, got nil); call it with ':'")
    #expect(try message("t:greet()") == "test.lua:1: bad argument #1 to 'greet' (string expected, got nil)")
    #expect(try message("return t.foo") == "test.lua:1: thing has no field 'foo' (fields: closed name size)")
    #expect(try message("t.foo = 1") == "test.lua:1: thing has no field 'foo' (fields: closed name size)")
    #expect(try message("t.size = 1") == "test.lua:1: thing.size can't be set")
    #expect(try message("t.name = 1") == "test.lua:1: bad value for 'thing.name' (string expected, got number)")
    #expect(try message("t.greet(io.stdout, 'x')").contains("thing expected, got userdata"))
  }

  @Test @LoopActor func methodsWaitToo() async throws {
    let lua = try Harness()
    #expect(try await lua.logged("host.log(host.thing('x'):later(), (pcall(host.thing('x').later)))") == ["x", false])
  }

  @Test @LoopActor func closeRunsAtTheEndOfTheBlock() throws {
    let lua = try Harness()
    #expect(
      try lua.call(
        """
        local kept
        do local t <close> = require("host").thing("x"); kept = t end
        return kept.closed
        """) == [1])
  }

  @Test @LoopActor func collectedObjectsAreReleased() async throws {
    let lua = try Harness()
    await EventLoop.shared.settle()
    let before = Thing.alive
    try lua.call("for i = 1, 1000 do require('host').thing('x') end")
    lua.runtime.collectGarbage()
    await EventLoop.shared.settle()
    #expect(Thing.alive == before)
    try lua.call("keep = require('host').thing('x')")
    lua.runtime.close()
    await EventLoop.shared.settle()
    #expect(Thing.alive == before)
  }

  @Test @LoopActor func L07_errorsThrownByTheHostLeakNothing() async throws {
    let lua = try Harness()
    try lua.call("host = require 'host'")
    await EventLoop.shared.settle()
    let before = Thing.alive
    let script =
      """
      for i = 1, 2000 do
        local t = host.thing("x")
        pcall(host.fail, "no")
        pcall(host.host_error, "no")
        pcall(t.greet, t, {})
        pcall(t.greet)
        pcall(function() return t.nothing end)
        pcall(host.echo, t, setmetatable({}, {__index = error}), function() end)
        pcall(host.call, function() error(t) end)
        pcall(host.call, error, {code = i})
      end
      """
    try lua.call(script)
    lua.runtime.collectGarbage()
    await EventLoop.shared.settle()
    lua.runtime.collectGarbage()
    let blocks = lua.runtime.memory.blocks
    try lua.call(script)
    lua.runtime.collectGarbage()
    await EventLoop.shared.settle()
    lua.runtime.collectGarbage()
    #expect(Thing.alive == before)
    #expect(abs(lua.runtime.memory.blocks - blocks) < 20)
  }

  @Test @LoopActor func L09_finalisersAtTheEndAreRefusedSafely() async throws {
    let lua = try Harness()
    try lua.call(
      """
      local host = require "host"
      local t = host.thing("x")
      keep = setmetatable({}, {__gc = function() host.log("in gc"); t:greet("x") end})
      again = setmetatable({}, {__gc = function() host.turn() end})
      """)
    lua.runtime.close()
    lua.runtime.close()
    #expect(lua.log.isEmpty)
    #expect(lua.warnings.count == 2)
    #expect(throws: LuaError.self) { try lua.call("return 1") }
  }

  @Test @LoopActor func L09_aWaitInAFinaliserIsRefusedAndTold() throws {
    let lua = try Harness()
    try lua.call(
      """
      local host = require "host"
      setmetatable({}, {__gc = function() host.turn() end})
      collectgarbage() collectgarbage()
      """)
    #expect(lua.warnings.count == 1)
    #expect(lua.warnings.first?.contains("cannot wait here") ?? false)
  }
}

import EventLoop
import Testing

@testable import LuaRuntime

@Suite struct ValueTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func valuesCrossBothWays() throws {
    let lua = try Harness()
    let values: [LuaValue] = [
      nil, true, false, 42, .integer(.min), 1.5, "text", .string([0, 255, 10]), [1, 2, "three"],
      .table(["a": 1, "b": ["x"]]), .table(LuaTable([1], fields: [(10, true), (1.5, "half")])),
    ]
    for value in values {
      #expect(try lua.call("return require('host').echo(...)", value) == [value])
    }
    #expect(try lua.call("return ...", 1, nil, nil) == [1, nil, nil])
    #expect(try lua.call("return {1, nil, 3}")[0].table?.array.count == 3)
    #expect(try lua.call("return math.type(...)", 3.0) == ["float"])
  }

  @Test @LoopActor func manyArgumentsAndLargeTablesCross() throws {
    let lua = try Harness()
    let many = (0..<200).map { LuaValue($0) }
    let function = try lua.runtime.load(Array("return require('host').echo(...)".utf8), name: "=x")
    #expect(try lua.runtime.call(function, many) == many)
    let large = LuaValue((0..<20000).map { LuaValue($0) })
    #expect(try lua.call("return require('host').echo(...)", large) == [large])
  }

  @Test @LoopActor func functionsStayAliveWhileSwiftHoldsThem() throws {
    let lua = try Harness()
    let function = try #require(try lua.call("local n = 0; return function(k) n = n + k; return n end")[0].function)
    lua.runtime.collectGarbage()
    #expect(try lua.runtime.call(function, [2]) == [2])
    #expect(try lua.runtime.call(function, [3]) == [5])
    #expect(try lua.call("local f = ...; return f(1)", .function(function)) == [6])
  }

  @Test @LoopActor func tablesThatHoldThemselvesAreAnError() throws {
    let lua = try Harness()
    #expect(
      try lua.call(
        """
        local t = {}; t.t = t
        local ok, e = pcall(require("host").echo, 1, t)
        return ok, e
        """)[1].text?.contains("bad argument #2 to 'host.echo' (a table that is") ?? false
    )
    #expect(throws: LuaError.self) { try lua.call("local t = {}; t[1] = t; return t") }
  }

  @Test @LoopActor func L05_integersStayIntegers() throws {
    let lua = try Harness()
    try lua.call("host = require 'host'")
    #expect(
      try lua.call("return math.type(host.integer(65555)), tostring(host.integer(65555))") == ["integer", "65555"])
    #expect(try lua.call("return host.integer(3.0), math.type(host.integer(3.0))") == [3, "integer"])
    #expect(try lua.call("return host.integer(-1), math.type(host.integer(2^53))") == [-1, "integer"])
    for wrong in ["1.5", "0/0", "1/0", "2^70", "'10'", "nil", "{}"] {
      let message = try lua.call("return select(2, pcall(host.integer, \(wrong)))")[0].text ?? ""
      #expect(message.contains("bad argument #1 to 'host.integer' ("), "\(wrong)")
    }
    #expect(try lua.call("return host.seconds(0.5), host.seconds(2)") == [0.5, 2.0])
    for wrong in ["-1", "0/0", "'1'"] {
      #expect(try lua.call("return (pcall(host.seconds, \(wrong)))") == [false])
    }
  }

  @Test @LoopActor func optionsNameWhatIsWrong() throws {
    let lua = try Harness()
    try lua.call("host = require 'host'")
    #expect(try lua.call("return host.options{timeout = 2}, host.options()") == [2.0, 5.0])
    let wrong = try lua.call("return select(2, pcall(host.options, {timeout = 'x'}))")[0].text
    #expect(wrong == "test.lua:1: bad argument #1 to 'host.options' (field 'timeout': number expected, got string)")
    let unknown = try lua.call("return select(2, pcall(host.options, {timeuot = 1}))")[0].text
    #expect(unknown == "test.lua:1: bad argument #1 to 'host.options' (unknown field 'timeuot')")
  }
}

import EventLoop
import LuaRuntime
import Testing

@testable import Decoders

/// What a decoder may do, and what becomes of one that does something else.
@Suite struct SandboxTests {
  init() { EventLoop.runInBackground() }

  /// The problems of a decoder that meets two advertisements, while a good one takes over.
  @LoopActor private func problems(
    _ body: String, fields: String = "{ n = {}, t = { type = 'string' } }"
  ) throws -> [String] {
    let shelf = try Shelf([
      "bad": decoder("bad", match: "{ id = 'a', company = 0x1234, first = { 1 } }", body, fields: fields),
      "good": decoder("good"),
    ])
    #expect(try shelf.decode().who == "good 1/a", "\(body)")
    #expect(try shelf.decode().who == "good 1/a", "\(body)")
    return shelf.problems
  }

  private static let stateLimit = "ctx.state: at most 32 numbers, booleans or strings of 64 bytes may be kept"
  private static let reasons = "\"key_required\" or \"decrypt_failed\""

  @Test(arguments: [
    ("error('oops')", "bad.lua:6: oops"),
    ("error({})", "(error object is a table value)"),
    ("return payload.x.y", "bad.lua:6: attempt to index a nil value (field 'x')"),
    ("while true do end", "bad.lua:6: too many instructions"),
    ("local s = 'x' while true do s = s .. s end", "not enough memory"),
    ("return { n = 1, m = 2 }", "decode: 'm' is not among the fields"),
    ("return { 1 }", "decode: '1' is not among the fields"),
    ("return { n = 'one' }", "decode: n: number expected, got \"one\""),
    ("return { t = 1 }", "decode: t: string expected, got 1"),
    ("return { n = 0/0 }", "decode: n: a finite number expected, got -nan"),
    ("return 7", "decode: its result: table expected, got 7"),
    ("return nil, 'tired'", "decode: why it returned nil: \(reasons) expected, got \"tired\""),
    ("ctx.state.x = {} return { n = 1 }", stateLimit),
    ("for i = 1, 33 do ctx.state[i] = i end return { n = 1 }", stateLimit),
    ("string.rep('', 1 << 60)", "bad.lua:6: string.rep: the result is too long for a decoder"),
    ("crypto.ctr { key = '', counter = '', data = '' }", "bad.lua:6: crypto.ctr: counter: 16 bytes expected, got 0"),
  ])
  @LoopActor func itIsNamedOnceAndTheOthersGoOn(body: String, problem: String) throws {
    let told = try problems(body)
    #expect(told.count == 1)
    let line = try #require(told.first)
    #expect(line.hasPrefix("decoder bad.lua: "))
    #expect(line.hasSuffix(problem), "\(line)")
  }

  @Test @LoopActor func itSeesOnlyWhatItMay() throws {
    let body = """
      local seen = {}
      for _, name in ipairs { 'io', 'os', 'debug', 'load', 'loadfile', 'dofile', 'require', 'package', 'collectgarbage',
        'coroutine', 'setmetatable', 'getmetatable', 'pcall', 'xpcall', 'rawset', 'rawget', 'print', '_G', 'warn' } do
        if _ENV[name] ~= nil then seen[#seen + 1] = name end
      end
      for _, name in ipairs { 'find', 'match', 'gmatch', 'gsub', 'dump' } do
        if string[name] or payload[name] then seen[#seen + 1] = 'string.' .. name end
      end
      if codec.register or table.move or math.random then seen[#seen + 1] = 'more' end
      return { t = table.concat(seen, ' ') }
      """
    let shelf = try Shelf(["a": decoder("a", body, fields: "{ t = { type = 'string' } }")])
    #expect(try shelf.decode().reading?["t"] == "", "\(shelf.problems)")
    #expect(shelf.problems == [])
  }

  @Test @LoopActor func itsModuleCryptoIsAnnotated() throws {
    let body = """
      local names = {}
      for name in pairs(crypto) do names[#names + 1] = name end
      table.sort(names)
      return { t = table.concat(names, ' ') }
      """
    let shelf = try Shelf(["a": decoder("a", body, fields: "{ t = { type = 'string' } }")])
    let names = try shelf.decode().reading?["t"].text?.split(separator: " ").map(String.init)
    let types = String(decoding: try SourceFile.read(scripts + "/types/decoder.lua"), as: UTF8.self)
    let annotated = types.matches(of: /function crypto\.(\w+)\(/).map { String($0.output.1) }
    #expect(names == annotated.sorted())
  }

  @Test @LoopActor func itCantChangeWhatOthersSee() throws {
    let shelf = try Shelf([
      "a": decoder(
        "a", match: "{ id = 'a', company = 1 }",
        "string.unpack, table.concat = nil leaked = 1 string.len = nil return { n = 1 }"),
      "b": decoder("b", "return { n = (leaked or 0) + string.unpack('B', payload) + ('x'):len() + #table.concat({}) }"),
    ])
    #expect(try shelf.decode(company: 1).reading?["n"] == 1)
    #expect(try shelf.decode([5]).reading?["n"] == 6)
    #expect(shelf.problems == [])
  }

  @Test @LoopActor func oneThatKeepsAllTheMemoryIsLeftOut() throws {
    let hoard = "kept = kept or {} kept[#kept + 1] = string.rep('y', 60000) .. #kept error('no')"
    let shelf = try Shelf([
      "bad": decoder("bad", match: "{ id = 'a', company = 0x1234, first = { 1 } }", hoard),
      "good": decoder("good", "ctx.state.n = (ctx.state.n or 0) + 1 return { n = ctx.state.n }"),
    ])
    for _ in 0..<400 { #expect(try shelf.decode().who == "good 1/a") }
    #expect(shelf.problems.last == "decoder bad.lua: it keeps too much memory, and is left out from now on")
    #expect(shelf.problems.count == 2)
    #expect(shelf.decoders.names == ["good 1"])
  }

  @Test @LoopActor func aStateIsKeptForEachAddress() throws {
    let shelf = try Shelf(["a": decoder("a", "ctx.state.n = (ctx.state.n or 0) + 1 return { n = ctx.state.n }")])
    #expect(try shelf.decode().reading?["n"] == 1)
    #expect(try shelf.decode().reading?["n"] == 2)
    #expect(try shelf.decode(address: "AA:BB:CC:00:00:02").reading?["n"] == 1)
    // Those not heard for long are forgotten.
    for i in 0..<1024 {
      let digits = String(i + 0x1000, radix: 16)
      _ = try shelf.decode(address: "AA:BB:CC:01:\(digits.prefix(2)):\(digits.suffix(2))")
    }
    #expect(try shelf.decode().reading?["n"] == 1)
  }

  @Test @LoopActor func keysReachThoseThatWantThem() throws {
    let shelf = try Shelf([
      "a": decoder(
        "a", "if not ctx.key then return nil, 'key_required' end return { n = ctx.key:byte(1) }",
        key: "{ name = 'bindkey', bytes = 2, per = 'address' }"),
      "b": decoder("b", match: "{ id = 'b', company = 2 }", "return { n = ctx.key and 1 or 0 }"),
    ])
    #expect(try shelf.decode().who == "a: key_required")
    #expect(try shelf.decode(key: [7, 8]).reading?["n"] == 7)
    #expect(try shelf.decode(company: 2, key: [7, 8]).reading?["n"] == 0)
    #expect(shelf.problems == [])
    #expect(try shelf.decode(key: [7]).who == "a: key_required")
    #expect(shelf.problems == ["decoder a.lua: the key of AA:BB:CC:00:00:01 has 1 bytes, not 2"])
  }

  @Test @LoopActor func anUnreadableOneYieldsToOneThatReads() throws {
    let shelf = try Shelf([
      "a": decoder("a", match: "{ id = 'a', company = 0x1234, first = { 1 } }", "return nil, 'decrypt_failed'"),
      "b": decoder("b", "if #payload > 1 then return { n = 1 } end"),
    ])
    #expect(try shelf.decode([1, 2]).who == "b 1/a")
    #expect(try shelf.decode([1]).who == "a: decrypt_failed")
  }
}

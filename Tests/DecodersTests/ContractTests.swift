import EventLoop
import Testing

@testable import Decoders

/// A file that breaks the contract is named, with the place.
@Suite struct ContractTests {
  init() { EventLoop.runInBackground() }

  private static let good = decoder("a")

  @Test(arguments: [
    ("return {", "return 5, {", "the decoder: table expected, got 5"),
    ("return {", "x = = 1", "a.lua:1: unexpected symbol near '='"),
    ("return {", "while true do end return {", "a.lua:1: too many instructions"),
    ("return {", "return { gat = {},", "the decoder: unknown field 'gat'"),
    ("return {", "local _ = ('x'):find('y') return {", "attempt to call a nil value (method 'find')"),
    ("name = \"a\", ", "", "meta.name: text expected, got nil"),
    ("models = { \"Thing\" }", "models = {}", "meta.models: it is empty"),
    ("id = 'a', ", "", "match[1].id: text expected, got nil"),
    ("company = 0x1234", "company = 0x12345", "match[1].company: an integer of 0 to 65535 expected, got 74565"),
    ("company = 0x1234", "company = { 1, 'x' }", "match[1].company[2]: an integer of 0 to 65535 expected, got \"x\""),
    ("company = 0x1234", "compny = 1", "match[1]: unknown field 'compny'"),
    ("company = 0x1234", "len = 1", "match[1]: one of company, service_data, service, name_prefix expected"),
    ("company = 0x1234", "company = 1, service_data = 'fcd2'", "match[1]: company or service_data, not both"),
    ("company = 0x1234", "service_data = 'fcd'", "match[1].service_data: a UUID expected, got \"fcd\""),
    ("company = 0x1234", "company = 1, first = { 256 }", "match[1].first[1]: an integer of 0 to 255 expected, got 256"),
    (
      "company = 0x1234", "company = 1, address = 'A4-C1'",
      "match[1].address: the beginning of \"AA:BB:CC:DD:EE:FF\" expected, got \"A4-C1\""
    ),
    ("company = 0x1234 }", "company = 1 }, { id = 'a', company = 2 }", "match[2].id: there are two rules 'a'"),
    ("n = {} }", "n = { unti = '%' } }", "fields.n: unknown field 'unti'"),
    (
      "n = {} }", "n = { type = 'int' } }",
      "fields.n.type: \"number\", \"string\" or \"boolean\" expected, got \"int\""
    ),
    ("n = {} }", "n = {}, model = {} }", "fields.model: the host adds a field of that name"),
    ("key = nil", "key = { name = 'k', bytes = 16 }", "key.per: \"address\" expected, got nil"),
    ("decode = function", "decode = 5, f = function", "the decoder: unknown field 'f'"),
    ("\"01\"", "\"0\"", "tests[1].manufacturer_data[4660]: hexadecimal digits expected, got \"0\""),
    (
      "expect = { n = 1 }", "error = 'what'",
      "tests[1].error: \"key_required\", \"decrypt_failed\" or \"nobody\" expected, got \"what\""
    ),
    ("expect = { n = 1 }", "name = 'x'", "tests[1]: expect or error expected"),
  ])
  @LoopActor func aBreachIsNamed(of what: String, instead: String, problem: String) throws {
    let text = Self.good.replacing(what, with: instead, maxReplacements: 1)
    try #require(text != Self.good)
    let shelf = try Shelf(["a": text, "b": decoder("b")])
    #expect(shelf.problems.count == 1)
    let line = try #require(shelf.problems.first)
    #expect(line.hasPrefix("decoder a.lua: "))
    #expect(line.hasSuffix(problem), "\(line)")
    #expect(try shelf.decode().who == "b 1/a")
  }

  @Test @LoopActor func aBinaryChunkIsRefused() throws {
    let shelf = try Shelf(["a": "\u{1b}LuaT"])
    #expect(shelf.problems.first?.contains("attempt to load a binary chunk") == true, "\(shelf.problems)")
  }

  @Test @LoopActor func noFolderIsNoDecoder() throws {
    let decoders = try Decoders(library: scripts + "/lib", folders: ["/nowhere"]) { Issue.record("\($0)") }
    #expect(decoders.names == [])
  }
}

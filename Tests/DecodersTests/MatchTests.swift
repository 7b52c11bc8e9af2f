import EventLoop
import LuaRuntime
import Testing

@testable import Decoders

/// Which decoder gets an advertisement.
@Suite struct MatchTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func anAdvertisementThatNobodyClaimsNeverEntersLua() throws {
    let shelf = try Shelf(["a": decoder("a", match: "{ id = 'a', company = 0x1234, first = { 1 }, len = 2 }")])
    #expect(try shelf.decode([1, 2], company: 0x1235) == .nobody)
    #expect(try shelf.decode([2, 2]) == .nobody)
    #expect(try shelf.decode([1]) == .nobody)
    #expect(try shelf.decode([]) == .nobody)
    #expect(shelf.decoders.calls == 0)
    #expect(try shelf.decode([1, 2]).who == "a 1/a")
    #expect(shelf.decoders.calls == 1)
  }

  @Test @LoopActor func eachKeyIsFound() throws {
    let rules = """
      { id = 'companies', company = { 1, 0x1234 }, first = { false, 9 } },
      { id = 'data', service_data = '0xFCD2' },
      { id = 'service', service = '0000180d-0000-1000-8000-00805f9b34fb' },
      { id = 'name', name_prefix = 'Thing' }, { id = 'short', name_prefix = 'X' },
      { id = 'address', company = 7, address = 'a4:c1:38' },
      """
    let shelf = try Shelf(["a": decoder("a", match: rules)])
    #expect(try shelf.decode([0, 9], company: 1).who == "a 1/companies")
    #expect(try shelf.decode([5, 9]).who == "a 1/companies")
    #expect(try shelf.decode([5, 8]) == .nobody)
    #expect(try shelf.decode(company: 9, serviceData: ["fcd2": [1]]).who == "a 1/data")
    #expect(try shelf.decode(company: 9, services: ["180d"]).who == "a 1/service")
    #expect(try shelf.decode(company: 9, name: "Thing 7").who == "a 1/name")
    #expect(try shelf.decode(company: 9, name: "Thin") == .nobody)
    #expect(try shelf.decode(company: 9, name: "X").who == "a 1/short")
    #expect(try shelf.decode(company: 7, address: "A4:C1:38:00:00:01").who == "a 1/address")
    #expect(try shelf.decode(company: 7, address: "A4:C1:39:00:00:01") == .nobody)
    #expect(shelf.problems == [])
  }

  @Test @LoopActor func theMostSpecificIsAskedFirstAndNilIsNext() throws {
    let shelf = try Shelf([
      "a": decoder("a"),
      "b": decoder(
        "b", match: "{ id = 'b', company = 0x1234, first = { 1 } }", "if #payload == 1 then return { n = 1 } end"),
      "c": decoder("c", match: "{ id = 'c', company = 0x1234, first = { 1 }, name_prefix = 'Q' }"),
    ])
    #expect(try shelf.decode([1], name: "Q").who == "c 1/c")
    #expect(try shelf.decode([1]).who == "b 1/b")
    #expect(try shelf.decode([1, 2]).who == "a 1/a")
    #expect(shelf.problems == [])
  }

  @Test @LoopActor func aTieIsTold() throws {
    let shelf = try Shelf([
      "a": decoder("a", match: "{ id = 'x', company = 0x1234, first = { 1 } }"),
      "b": decoder("b", match: "{ id = 'y', company = { 5, 0x1234 }, first = { false, 2 } }"),
      "c": decoder("c", match: "{ id = 'z', company = 0x1234, first = { 2 } }"),
    ])
    #expect(
      shelf.problems == [
        "decoder a.lua: rules 'x' and 'y' of b.lua fit the same advertisements; the first goes first",
        "decoder b.lua: rules 'y' and 'z' of c.lua fit the same advertisements; the first goes first",
      ])
    #expect(try shelf.decode([1, 2]).who == "a 1/x")
  }

  @Test @LoopActor func theUsersDecoderReplacesTheShippedOne() throws {
    let shelf = try Shelf(["a": decoder("a"), "b": decoder("a")], and: ["z": decoder("a", "return { n = 5 }")])
    #expect(shelf.problems == ["decoder b.lua: there is another decoder 'a' in its folder"])
    #expect(try shelf.decode().reading?["n"] == 5)
  }
}

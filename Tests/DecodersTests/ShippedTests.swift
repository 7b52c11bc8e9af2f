import EventLoop
import Testing

@testable import Decoders

/// The decoders that ship.
@Suite struct ShippedTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func theirOwnTestsPass() throws {
    var problems: [String] = []
    let decoders = try Decoders(library: scripts + "/lib", folders: [scripts + "/decoders"]) { problems.append($0) }
    #expect(problems == [])
    #expect(decoders.names.count >= 5)
    #expect(decoders.failedTests() == [])
    #expect(problems == [])
  }

  @Test @LoopActor func theSampleOfTheDocumentsPasses() throws {
    var problems: [String] = []
    let folder = scripts + "/../docs/samples/decoders"
    let decoders = try Decoders(library: scripts + "/lib", folders: [folder]) { problems.append($0) }
    #expect(problems + decoders.failedTests() == [])
    #expect(decoders.names == ["plant 1.0.0"])
  }

  @Test @LoopActor func aTestThatFailsIsToldWithItsNumber() throws {
    let shelf = try Shelf(["a": decoder("a", "return { n = 2 }")])
    #expect(shelf.decoders.failedTests() == ["\(shelf.path)/a.lua: tests[1]: n is 2.0, not 1.0"])
    let other = try Shelf(["a": decoder("a", "return nil")])
    #expect(other.decoders.failedTests() == ["\(other.path)/a.lua: tests[1]: nobody takes it"])
  }
}

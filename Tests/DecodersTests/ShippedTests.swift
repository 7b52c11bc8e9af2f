import EventLoop
import Testing

@testable import Decoders

/// The decoders that ship.
@Suite struct ShippedTests {
  init() { EventLoop.runInBackground() }

  @LoopActor private func failures(of decoders: Decoders) -> [String] {
    decoders.testResults().compactMap { name, fault in fault.map { "\(name): \($0)" } }
  }

  @Test @LoopActor func theirOwnTestsPass() throws {
    var problems: [String] = []
    let decoders = try Decoders(library: scripts + "/lib", folders: [scripts + "/decoders"]) { problems.append($0) }
    #expect(problems == [])
    #expect(decoders.names.count >= 5)
    #expect(failures(of: decoders) == [])
    #expect(problems == [])
  }

  @Test @LoopActor func theSampleOfTheDocumentsPasses() throws {
    var problems: [String] = []
    let folder = scripts + "/../docs/samples/decoders"
    let decoders = try Decoders(library: scripts + "/lib", folders: [folder]) { problems.append($0) }
    #expect(problems + failures(of: decoders) == [])
    #expect(decoders.names == ["plant 1.0.0"])
  }

  @Test @LoopActor func aTestThatFailsIsToldWithItsNumber() throws {
    let shelf = try Shelf(["a": decoder("a", "return { n = 2 }")])
    #expect(failures(of: shelf.decoders) == ["a: tests[1]: n is 2.0, not 1.0"])
    let other = try Shelf(["a": decoder("a", "return nil")])
    #expect(failures(of: other.decoders) == ["a: tests[1]: nobody takes it"])
  }
}

import EventLoop
import Testing

@testable import DBus

@Suite struct SignalTests {
  init() { EventLoop.runInBackground() }

  @Test func rulesAsTheBusWantsThem() {
    #expect(MatchRule().text == "type='signal'")
    let rule = MatchRule(
      sender: "org.bluez", path: "/a", pathNamespace: "/b", interface: "a.b", member: "C", arg0: "it's",
      arg0path: "/x/",
      arg0namespace: "n")
    #expect(
      rule.text == "type='signal',sender='org.bluez',path='/a',path_namespace='/b',interface='a.b',member='C',"
        + "arg0='it'\\''s',arg0path='/x/',arg0namespace='n'")
  }

  @Test func firstArguments() {
    #expect(MatchRule(arg0: "a").accepts(first: .string("a")))
    #expect(!MatchRule(arg0: "/a").accepts(first: .path("/a")))
    #expect(MatchRule(arg0path: "/a/").accepts(first: .path("/a/b")))
    #expect(MatchRule(arg0path: "/a/b").accepts(first: .string("/a/")))
    #expect(!MatchRule(arg0path: "/a/b").accepts(first: .path("/a")))
    #expect(MatchRule(arg0path: "/a").accepts(first: .path("/a")))
    #expect(MatchRule(arg0namespace: "a.b").accepts(first: .string("a.b.c")))
    #expect(!MatchRule(arg0namespace: "a.b").accepts(first: .string("a.bc")))
    #expect(!MatchRule(arg0: "a").accepts(first: nil))
  }

  @Test @LoopActor func eachListenerHearsWhatItsRuleSays() async throws {
    try await withConnection { sender in
      try await withConnection { connection in
        var heard: [String] = []
        let from = sender.uniqueName
        let rules: [(String, MatchRule)] = [
          ("all", MatchRule(sender: from)), ("member", MatchRule(sender: from, member: "M")),
          ("interface", MatchRule(sender: from, interface: "a.i", member: "M")),
          ("path", MatchRule(sender: from, path: "/p", member: "M")),
          ("below", MatchRule(sender: from, pathNamespace: "/p", member: "M")),
          ("argument", MatchRule(sender: from, member: "M", arg0: "x")),
          ("sender", MatchRule(sender: connection.uniqueName, member: "M")),
        ]
        let listeners = rules.map { name, rule in connection.listen(rule) { _ in heard.append(name) } }
        let same = connection.listen(MatchRule(sender: from, member: "M")) { _ in heard.append("same") }
        #expect(connection.matchRules == 7)
        try await connection.roundTrip()
        @LoopActor func hear(_ path: ObjectPath, _ interface: String, _ member: String, _ values: [Value] = [])
          async throws -> Set<String>
        {
          heard = []
          try sender.emit(path, interface, member, values)
          try await sender.roundTrip()
          try await connection.roundTrip()
          #expect(Set(heard).count == heard.count)
          return Set(heard)
        }
        #expect(try await hear("/p", "a.i", "M") == ["all", "member", "same", "interface", "path", "below"])
        #expect(try await hear("/p/q", "a.j", "M", [.string("x")]) == ["all", "member", "same", "below", "argument"])
        #expect(try await hear("/pq", "a.j", "N") == ["all"])
        same.cancel()
        #expect(connection.matchRules == 7)
        #expect(try await hear("/", "a.j", "M") == ["all", "member"])
        listeners.forEach { $0.cancel() }
        #expect(connection.matchRules == 0)
        #expect(try await hear("/p", "a.i", "M") == [])
      }
    }
  }

  @Test @LoopActor func theBusKnowsTheRulesAndForgetsThem() async throws {
    try await withConnection { connection in
      func rules() async throws -> Int? {
        let stats = try? await connection.call(
          "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats",
          [.string(connection.uniqueName)], timeout: 30)
        return stats?.first?["MatchRules"]?.int
      }
      guard let before = try await rules() else { return }
      var listeners = (0..<5).map { number in connection.listen(MatchRule(member: "M\(number % 3)")) { _ in } }
      #expect(try await rules() == before + 3)
      listeners.removeLast(2)
      #expect(try await rules() == before + 3)
      listeners = []
      #expect(try await rules() == before)
      listeners = [connection.listen(MatchRule(sender: "org.nobody")) { _ in }]
      #expect(try await rules() == before + 2)
      listeners = []
      #expect(try await rules() == before)
      #expect(connection.matchRules == 0 && connection.pendingReplies == 0)
    }
  }

  @Test @LoopActor func aWellKnownSenderIsItsPresentOwner() async throws {
    try await withConnection { connection in
      try await withConnection { sender in
        var heard: [String] = []
        var changes: [[String?]] = []
        let watch = connection.watchOwner(of: "a.sender") { changes.append([$0, $1]) }
        let listener = connection.listen(MatchRule(sender: "a.sender", member: "M")) { heard.append($0.path.string) }
        // A second rule lets all of it in, so that the first has to be compared here.
        let all = connection.listen(MatchRule(member: "M")) { _ in }
        #expect(connection.matchRules == 3)
        try await connection.roundTrip()
        try sender.emit("/before", "a.i", "M")
        try await sender.requestName("a.sender")
        try sender.emit("/during", "a.i", "M")
        try await sender.releaseName("a.sender")
        try sender.emit("/after", "a.i", "M")
        try await sender.roundTrip()
        try await connection.roundTrip()
        #expect(heard == ["/during"])
        #expect(changes == [[nil, sender.uniqueName], [sender.uniqueName, nil]])
        listener.cancel()
        #expect(connection.matchRules == 2)
        watch.cancel()
        all.cancel()
        #expect(connection.matchRules == 0)
      }
    }
  }

  @Test @LoopActor func anOwnerThatWasThereBeforeIsKnown() async throws {
    try await withConnection { connection in
      try await withConnection { sender in
        try await sender.requestName("a.sender.before")
        var heard = 0
        let listener = connection.listen(MatchRule(sender: "a.sender.before")) { _ in heard += 1 }
        try await connection.roundTrip()
        try sender.emit("/", "a.i", "M")
        try await sender.roundTrip()
        try await connection.roundTrip()
        #expect(heard == 1)
        listener.cancel()
      }
    }
  }

  @Test @LoopActor func listenersMayEndAndBeginWhileASignalIsTold() async throws {
    try await withConnection { connection in
      var heard: [String] = []
      var second: Listener?
      var third: Listener?
      let rule = MatchRule(sender: connection.uniqueName, member: "M")
      let first = connection.listen(rule) { _ in
        heard.append("first")
        second = nil
        third = connection.listen(rule) { _ in heard.append("third") }
      }
      second = connection.listen(rule) { _ in heard.append("second") }
      try connection.emit("/", "a.i", "M")
      try await connection.roundTrip()
      #expect(second == nil && heard == ["first"])
      first.cancel()
      try connection.emit("/", "a.i", "M")
      try await connection.roundTrip()
      #expect(heard == ["first", "third"])
      third?.cancel()
    }
  }

  @Test @LoopActor func aRefusedRuleIsTold() async throws {
    try await withConnection { connection in
      var refused: [MatchRule] = []
      connection.onRuleRefused = { rule, _ in refused.append(rule) }
      let bad = [MatchRule(sender: "no name"), MatchRule(arg0: "a\0b")]
      let listeners = bad.map { connection.listen($0) { _ in } }
      try await connection.roundTrip()
      await EventLoop.shared.settle()
      #expect(Set(bad).isSubset(of: refused))
      listeners.forEach { $0.cancel() }
      #expect(connection.matchRules == 0)
    }
  }

  /// More than a socket takes at once, and more than one turn dispatches.
  @Test @LoopActor func aFloodComesThrough() async throws {
    try await withConnection { connection in
      var heard: [Int?] = []
      let listener = connection.listen(MatchRule(sender: connection.uniqueName, member: "Flood")) {
        heard.append($0.arguments[1].int)
      }
      let bytes = Value.bytes([UInt8](repeating: 7, count: 20_000))
      for number in 0..<1000 { try connection.emit("/", "a.b", "Flood", [bytes, .int32(Int32(number))]) }
      connection.flush()
      try await connection.roundTrip()
      #expect(heard == Array(0..<1000))
      listener.cancel()
    }
  }

  @Test @LoopActor func aPostedCallIsNotAnswered() async throws {
    try await withConnection { connection in
      let server = ObjectServer(connection)
      let slow = CallTests.Slow()
      server.add([slow], at: "/slow")
      try connection.post(MethodCall(connection.uniqueName, "/slow", "a.Slow", "Wait"))
      try await until { slow.calls.count == 1 }
      #expect(!slow.calls[0].expectsReply && connection.pendingReplies == 0)
      let before = connection.traffic
      slow.calls[0].reply()
      #expect(slow.calls[0].isAnswered && connection.traffic == before)
      server.close()
    }
  }
}

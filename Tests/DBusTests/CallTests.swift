import DBus
import EventLoop
import Testing

@Suite struct CallTests {
  init() { EventLoop.runInBackground() }

  /// An object whose method `Wait` is answered when the test says so.
  @LoopActor
  final class Slow: ExportedInterface {
    let description = InterfaceDescription(
      "a.Slow",
      methods: [.init("Wait"), .init("Add", in: [.init("a", "i"), .init("b", "i")], out: [.init("sum", "i")])])
    var calls: [IncomingCall] = []

    func call(_ call: IncomingCall) {
      if call.member == "Wait" { return calls.append(call) }
      let numbers = call.arguments.compactMap(\.int)
      call.reply([.int32(Int32(numbers.reduce(0, +)))])
    }
  }

  @LoopActor
  private func withSlow(_ body: (Connection, String, Slow) async throws -> Void) async throws {
    try await withConnection { client in
      try await withConnection { connection in
        let server = ObjectServer(connection)
        let slow = Slow()
        server.add([slow], at: "/slow")
        try await body(client, connection.uniqueName, slow)
        slow.calls.forEach { $0.drop() }
        server.close()
      }
    }
  }

  @Test @LoopActor func aCallIsAnswered() async throws {
    try await withSlow { client, name, _ in
      let sum = try await client.call(name, "/slow", "a.Slow", "Add", [.int32(1), .int32(2)], timeout: 30)
      #expect(sum == [.int32(3)])
      #expect(client.pendingReplies == 0)
    }
  }

  @Test @LoopActor func answersComeInOrder() async throws {
    try await withSlow { client, name, _ in
      var answers: [Int?] = []
      for number in 0..<300 {
        client.send(
          MethodCall(name, "/slow", "a.Slow", "Add", [.int32(Int32(number)), .int32(0)]), timeout: 30
        ) { answers.append((try? $0.get())?.first?.int) }
      }
      #expect(answers.isEmpty)
      _ = try await client.call(name, "/slow", "a.Slow", "Add", [.int32(0), .int32(0)], timeout: 30)
      #expect(answers == Array(0..<300))
    }
  }

  @Test @LoopActor func nobody() async throws {
    try await withConnection { connection in
      let failure = await failure { () async throws(DBusError) in
        _ = try await connection.call("org.nobody", "/", "a.b", "C", timeout: 30)
      }
      #expect(failure?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
      #expect(failure?.message.isEmpty == false)
      let gone = await DBusTests.failure { () async throws(DBusError) in
        _ = try await connection.call(":9.9", "/", "a.b", "C", timeout: 30)
      }
      #expect(gone?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }
  }

  @Test @LoopActor func whatCannotBeSentFailsLater() async throws {
    try await withConnection { connection in
      var results: [Connection.Answer] = []
      let reply = connection.send(MethodCall("no name", "/", "a.b", "C"), timeout: 30) { results.append($0) }
      #expect(results.isEmpty && reply.isPending)
      let cancelled = connection.send(MethodCall("no name", "/", "a.b", "C"), timeout: 30) { results.append($0) }
      cancelled.cancel()
      await EventLoop.shared.settle()
      #expect(results.count == 1)
      #expect(connection.isOpen && connection.pendingReplies == 0)
    }
  }

  @Test @LoopActor func aPassedDeadlineFreesTheSlotAndALateAnswerIsIgnored() async throws {
    try await withSlow { client, name, slow in
      var results: [Connection.Answer] = []
      let call = MethodCall(name, "/slow", "a.Slow", "Wait")
      client.send(call, timeout: 0.01) { results.append($0) }
      #expect(client.pendingReplies == 1)
      let failure = await failure { () async throws(DBusError) in _ = try await client.call(call, timeout: 0.02) }
      #expect(failure == .noReply)
      #expect(results == [.failure(.noReply)])
      #expect(client.pendingReplies == 0)
      try await until { slow.calls.count == 2 }
      slow.calls.forEach { $0.reply() }
      _ = try await client.call(name, "/slow", "a.Slow", "Add", [.int32(0), .int32(0)], timeout: 30)
      #expect(results.count == 1)
    }
  }

  @Test @LoopActor func aCancelledCallIsForgotten() async throws {
    try await withSlow { client, name, slow in
      var results: [Connection.Answer] = []
      let reply = client.send(MethodCall(name, "/slow", "a.Slow", "Wait"), timeout: 30) { results.append($0) }
      let task = Task { @LoopActor in
        await failure { () async throws(DBusError) in
          _ = try await client.call(name, "/slow", "a.Slow", "Wait", timeout: 30)
        }
      }
      try await until { slow.calls.count == 2 }
      #expect(client.pendingReplies == 2)
      reply.cancel()
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(client.pendingReplies == 0)
      slow.calls.forEach { $0.reply() }
      _ = try await client.call(name, "/slow", "a.Slow", "Add", [.int32(0), .int32(0)], timeout: 30)
      #expect(results.isEmpty)
    }
  }

  @Test @LoopActor func theBusAnswersForOneThatLeft() async throws {
    try await withConnection { client in
      let other = try await Bus.shared().connect()
      let server = ObjectServer(other)
      let slow = Slow()
      server.add([slow], at: "/slow")
      var results: [Connection.Answer] = []
      client.send(MethodCall(other.uniqueName, "/slow", "a.Slow", "Wait"), timeout: 30) { results.append($0) }
      try await until { slow.calls.count == 1 }
      other.close()
      try await until { !results.isEmpty }
      guard case .failure(let error) = results[0] else { return #expect(Bool(false)) }
      #expect(error.name == "org.freedesktop.DBus.Error.NoReply")
    }
  }

  @Test @LoopActor func anUnansweredCallThatGoesIsAnswered() async throws {
    try await withSlow { client, name, slow in
      var results: [Connection.Answer] = []
      client.send(MethodCall(name, "/slow", "a.Slow", "Wait"), timeout: 30) { results.append($0) }
      try await until { slow.calls.count == 1 }
      slow.calls = []
      try await until { !results.isEmpty }
      #expect(results == [.failure(.failed("the call was not answered"))])
    }
  }

  @Test @LoopActor func trafficLeavesRoundTripsOut() async throws {
    try await withConnection { connection in
      try await connection.roundTrip()
      let before = connection.traffic
      try await connection.roundTrip()
      #expect(connection.traffic == before)
      _ = await connection.owner(of: "org.nobody")
      #expect(connection.traffic == before + 2)
    }
  }

  @Test @LoopActor func names() async throws {
    try await withConnection { connection in
      try await connection.requestName("a.name.of.tests")
      try await connection.requestName("a.name.of.tests")
      #expect(await connection.owner(of: "a.name.of.tests") == connection.uniqueName)
      try await withConnection { other in
        #expect(await failure { () async throws(DBusError) in try await other.requestName("a.name.of.tests") } != nil)
        #expect(await failure { () async throws(DBusError) in try await other.releaseName("a.name.of.tests") } != nil)
      }
      try await connection.releaseName("a.name.of.tests")
      #expect(await connection.owner(of: "a.name.of.tests") == nil)
      #expect(await failure { () async throws(DBusError) in try await connection.requestName("bad name") } != nil)
    }
  }
}

/// Waits until something has come to pass: turn by turn, for what others in this process do.
@LoopActor
func until(_ condition: () -> Bool) async throws {
  let deadline = EventLoop.shared.clock.now + 30
  while !condition() {
    try #require(EventLoop.shared.clock.now < deadline, "it never came to pass")
    try await EventLoop.shared.clock.sleep(0.001)
  }
}

import EventLoop
import Glibc
import Testing

@testable import DBus

@Suite struct ValueTests {
  init() { EventLoop.runInBackground() }

  /// Through libdbus's marshalling and back, without a bus.
  private func copy(_ values: [Value]) throws -> [Value] {
    let message = try Message.signal("/", "a.b", "C", values)
    return try Decoder(names: NameCache()).values(of: message.pointer)
  }

  @Test func everyRandomValueComesBack() throws {
    var random = RandomValues(seed: 1)
    for round in 0..<2000 {
      let values = (0..<Int.random(in: 0...3, using: &random.random)).map { _ in random.value() }
      // Types may add up to more than a signature holds.
      guard values.map(\.signature.string.utf8.count).reduce(0, +) <= 255 else { continue }
      #expect(try copy(values) == values, "round \(round)")
    }
  }

  @Test @LoopActor func randomValuesComeBackOverTheBus() async throws {
    try await withConnection { connection in
      var random = RandomValues(seed: 2)
      var received: [[Value]] = []
      let rule = MatchRule(sender: connection.uniqueName, path: "/values", interface: "a.b")
      let listener = connection.listen(rule) { received.append($0.arguments) }
      let sent = (0..<200).map { _ in [random.value()] }
      for values in sent { try connection.emit("/values", "a.b", "C", values) }
      try await connection.roundTrip()
      #expect(received == sent)
      listener.cancel()
    }
  }

  @Test(arguments: [
    "as", "ay", "a{sv}", "a{oa{sa{sv}}}", "aai", "a(sv)", "av", "a{yv}", "aaay", "a{qay}",
  ])
  func emptyContainersKeepTheirType(_ type: String) throws {
    let value: Value
    if type == "ay" {
      value = .bytes([])
    } else if type.hasPrefix("a{") {
      let key = try #require(Signature(String(type.dropFirst(2).prefix(1))))
      value = .dictionary(key: key, value: try #require(Signature(String(type.dropFirst(3).dropLast()))))
    } else {
      value = .array(of: try #require(Signature(String(type.dropFirst()))), [])
    }
    #expect(value.signature.string == type)
    let back = try copy([value])
    #expect(back == [value])
    #expect(back[0].signature.string == type)
  }

  @Test func extremesComeBack() throws {
    let values: [Value] = [
      .byte(.max), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min), .uint64(.max),
      .double(-.infinity), .double(.leastNonzeroMagnitude), .bool(true), .bool(false), .string(""),
      .string("\u{10FFFF}\u{1}"), .variant(.variant(.variant(.bytes([0, 255])))),
    ]
    #expect(try copy(values) == values)
    guard case .double(let number) = try copy([.double(.nan)])[0] else { return #expect(Bool(false)) }
    #expect(number.isNaN)
  }

  @Test func arraysOfBytesComeBackAsBytes() throws {
    #expect(try copy([.array(of: .byte, [.byte(1), .byte(2)])]) == [.bytes([1, 2])])
  }

  @Test @LoopActor func descriptorsComeBackOverTheBus() async throws {
    try await withConnection { connection in
      let pipe = try #require(Pipe())
      var received: [Value] = []
      let listener = connection.listen(MatchRule(sender: connection.uniqueName, member: "Take")) {
        received = $0.arguments
      }
      let end = FileDescriptor(dup(pipe.writingEnd))
      try connection.emit("/", "a.b", "Take", [.descriptor(end), .array(of: .descriptor, [.descriptor(end)])])
      try await connection.roundTrip()
      pipe.closeWritingEnd()
      let first = try #require(received.first?.descriptor?.take())
      #expect(received.first?.descriptor?.take() == nil)
      #expect(received[1].elements?.first?.descriptor?.value != nil)
      #expect(write(first, "over\n", 5) == 5)
      close(first)
      #expect(await pipe.line() == "over")
      #expect(fcntl(try #require(end.take()), F_GETFD) != -1)
      #expect(refusal([.descriptor(end)]) != nil)
      listener.cancel()
    }
  }

  @Test func accessors() {
    let value: Value = .properties([("RSSI", .int16(-60)), ("UUIDs", .strings(["a", "b"])), ("RSSI", .int16(-61))])
    #expect(value["RSSI"] == .int16(-61))
    #expect(value["Nonesuch"] == nil)
    #expect(value["RSSI"]?.int == -61)
    #expect(value["UUIDs"]?.strings == ["a", "b"])
    #expect(value.properties == ["RSSI": .int16(-61), "UUIDs": .strings(["a", "b"])])
    #expect(value.entries?[0].value == .variant(.int16(-60)))
    #expect(Value.variant(.variant(.byte(1))).unwrapped == .byte(1))
    #expect(Value.uint64(.max).int == nil)
    #expect(Value.path("/a").string == "/a")
    #expect(Value.strings([]).properties == nil)
    let data: Value = .dictionary(key: .uint16, value: .variant, [(.uint16(76), .variant(.bytes([1])))])
    #expect(data.entries?[.uint16(76)] == .bytes([1]))
    #expect(data.entries?.key == .uint16 && data.entries?.value == .variant)
  }

  @Test func valuesAreSmall() {
    #expect(MemoryLayout<Value>.stride <= 32)
  }
}

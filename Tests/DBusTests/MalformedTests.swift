import CDBus
import EventLoop
import Testing

@testable import DBus

@Suite struct MalformedTests {
  init() { EventLoop.runInBackground() }

  private func marshal(_ message: borrowing Message) -> [UInt8] {
    // A message without a serial can't be marshalled.
    dbus_message_set_serial(message.pointer, 7)
    var start: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    guard dbus_message_marshal(message.pointer, &start, &count) != 0, let start else { return [] }
    defer { dbus_free(start) }
    return start.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(count)))
    }
  }

  private func demarshal(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes { buffer in
      dbus_message_demarshal(buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), nil)
    }
  }

  /// Whatever libdbus lets through is decoded or refused, and what is decoded can be sent again.
  @Test func changedBytesNeverCrash() throws {
    var random = RandomValues(seed: 3)
    var accepted = 0
    for _ in 0..<4000 {
      let signal = try Message.signal(
        "/a/b", "a.b", "C", [random.value(depth: 1), .properties([("RSSI", .int16(-3))])])
      var bytes = marshal(signal)
      for _ in 0..<Int.random(in: 1...4, using: &random.random) {
        let place = Int.random(in: 0..<bytes.count, using: &random.random)
        bytes[place] =
          random.random.next() & 1 == 0 ? bytes[place] ^ 1 : UInt8.random(in: 0...255, using: &random.random)
      }
      if random.random.next() % 8 == 0 { bytes.removeLast(Int.random(in: 1...8, using: &random.random)) }
      guard let pointer = demarshal(bytes) else { continue }
      let message = Message(pointer)
      _ = message.kind
      guard let values = try? Decoder(names: NameCache()).values(of: message.pointer) else { continue }
      accepted += 1
      #expect(refusal(values) == nil)
    }
    #expect(accepted > 100)
  }

  @Test func anErrorWithoutTextIsAnErrorAllTheSame() throws {
    let call = try Message.call(MethodCall("a.b", "/", "a.b", "C"))
    dbus_message_set_serial(call.pointer, 1)
    let decoder = Decoder(names: NameCache())
    let plain = Message(dbus_message_new_error(call.pointer, "a.Error", nil))
    #expect(plain.asError(decoder) == .init(name: "a.Error", message: ""))
    let odd = Message(dbus_message_new_error(call.pointer, "a.Error", nil))
    #expect(Encoder.append([.int32(5)], to: odd.pointer))
    #expect(odd.asError(decoder) == .init(name: "a.Error", message: ""))
    #expect(try call.error("not a name", "x").asError(decoder).name == "org.freedesktop.DBus.Error.Failed")
    #expect(try call.error("a.Error", "cut\0off").asError(decoder).message == "cut")
  }
}

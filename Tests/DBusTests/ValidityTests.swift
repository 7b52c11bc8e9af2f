import EventLoop
import Testing

@testable import DBus

@Suite struct ValidityTests {
  private func naming(
    destination: String = "a.b", interface: String = "a.b", member: String = "C"
  ) -> DBusError? {
    failure { () throws(DBusError) in _ = try Message.call(MethodCall(destination, "/", interface, member)) }
  }

  @Test(arguments: ["", "a", "/a/", "//", "/a//b", "/a-b", "/é", "/a\0", "\0", "/a b"])
  func badPaths(_ text: String) { #expect(ObjectPath(text) == nil) }

  @Test(arguments: ["a", "z", "(", ")", "()", "{sv}", "a{vs}", "a{s}", "a{sss}", "(i", "s\0", "é", "r"])
  func badSignatures(_ text: String) { #expect(Signature(text) == nil) }

  @Test func longSignatures() {
    #expect(Signature(String(repeating: "i", count: 255)) != nil)
    #expect(Signature(String(repeating: "i", count: 256)) == nil)
    #expect(Signature(String(repeating: "a", count: 32) + "y") != nil)
    #expect(Signature(String(repeating: "a", count: 33) + "y") == nil)
  }

  @Test(arguments: [
    "", "a", "a.", ".a", "a..b", "a.1b", "a b.c", "a.b\0", "é.b", "a." + String(repeating: "x", count: 254),
  ])
  func badInterfaces(_ text: String) { #expect(naming(interface: text)?.name.hasSuffix("InvalidArgs") == true) }

  @Test(arguments: ["", "1a", "a.b", "a b", "a\0", "é", String(repeating: "x", count: 256)])
  func badMembers(_ text: String) { #expect(naming(member: text)?.name.hasSuffix("InvalidArgs") == true) }

  @Test(arguments: ["", "a", ".a", "a b.c", "a.b\0", String(repeating: "a.b", count: 100)])
  func badDestinations(_ text: String) { #expect(naming(destination: text)?.name.hasSuffix("InvalidArgs") == true) }

  @Test func textWithANUL() {
    for value in [
      Value.string("a\0b"), .variant(.string("\0")), .strings(["ok", "\0"]), .properties([("\0", .byte(1))]),
    ] {
      #expect(refusal([value])?.name.hasSuffix("InvalidArgs") == true)
    }
  }

  @Test func valuesThatAreNotOfTheirType() {
    let bad: [Value] = [
      .array(of: .text, [.byte(1)]), .array(of: "ss", []), .array(of: "", []), .array(of: "as", [.array(of: "i", [])]),
      .structure([]), .variant(.structure([])), .variant(.array(of: "ii", [])),
      .array(of: "(ss)", [.structure([.string("")])]), .array(of: "(s)", [.structure([.string(""), .string("")])]),
      .dictionary(key: .variant, value: .text), .dictionary(key: "as", value: .text),
      .dictionary(key: .text, value: "ss"),
      .dictionary(key: .text, value: .text, [(.string(""), .byte(1))]),
      .dictionary(key: .text, value: .variant, [(.byte(1), .byte(1))]),
      .dictionary(key: "", value: "s"), .dictionary(key: "s", value: ""),
    ]
    for value in bad {
      #expect(refusal([value])?.name.hasSuffix("InvalidSignature") == true, "\(value)")
      #expect(refusal([.string("before"), value])?.name.hasSuffix("InvalidSignature") == true, "\(value)")
    }
  }

  @Test func containersTooDeep() {
    func variants(_ depth: Int) -> Value { (0..<depth).reduce(.byte(1)) { value, _ in .variant(value) } }
    #expect(refusal([variants(64)]) == nil)
    #expect(refusal([variants(65)])?.name.hasSuffix("LimitsExceeded") == true)
    func arrays(_ depth: Int) -> Value {
      (0..<depth).reduce(.strings([])) { value, _ in .array(of: value.signature, [value]) }
    }
    #expect(refusal([arrays(31)]) == nil)
    #expect(refusal([arrays(32)])?.name.hasSuffix("InvalidSignature") == true)
    func structures(_ depth: Int) -> Value { (0..<depth).reduce(.byte(1)) { value, _ in .structure([value]) } }
    #expect(refusal([structures(32)]) == nil)
    #expect(refusal([structures(33)])?.name.hasSuffix("InvalidSignature") == true)
  }

  @Test func tooMuch() {
    #expect(refusal([.bytes([UInt8](repeating: 0, count: 1 << 26))]) == nil)
    #expect(refusal([.bytes([UInt8](repeating: 0, count: 1 << 26 + 1))])?.name.hasSuffix("LimitsExceeded") == true)
    let many = Value.bytes([UInt8](repeating: 0, count: 1 << 26))
    #expect(refusal([many, many])?.name.hasSuffix("LimitsExceeded") == true)
    #expect(refusal([Value](repeating: .byte(1), count: 256))?.name.hasSuffix("InvalidSignature") == true)
    #expect(refusal([Value](repeating: .byte(1), count: 255)) == nil)
  }

  @Test func pathsByComponents() throws {
    let path: ObjectPath = "/org/bluez/hci10/dev_1"
    #expect(path.isWithin("/org/bluez/hci10"))
    #expect(!path.isWithin("/org/bluez/hci1"))
    #expect(path.isWithin("/") && path.isWithin(path))
    #expect(!ObjectPath("/").isWithin("/a"))
    #expect(path.parent?.lastComponent == "hci10")
    #expect(ObjectPath("/a").parent == "/")
    #expect(ObjectPath("/").parent == nil)
    #expect(path.lastComponent == "dev_1")
    #expect(ObjectPath("/").appending("a") == "/a")
    #expect(ObjectPath("/a").appending("b") == "/a/b")
    #expect(ObjectPath("/a").appending("b/") == nil)
  }
}

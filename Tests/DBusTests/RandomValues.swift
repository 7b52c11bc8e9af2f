import DBus

/// Values of random types.
struct RandomValues {
  var random: Seeded
  private let basics = Array("ybnqiuxtdsog")

  init(seed: UInt64) { random = Seeded(seed) }

  indirect enum Kind {
    case basic(Character)
    case array(Kind)
    case dictionary(Character, Kind)
    case structure([Kind])
    case variant

    var signature: Signature { Signature(text)! }  // made of good parts

    private var text: String {
      switch self {
      case .basic(let letter): String(letter)
      case .array(let element): "a" + element.text
      case .dictionary(let key, let value): "a{\(key)\(value.text)}"
      case .structure(let members): "(" + members.map(\.text).joined() + ")"
      case .variant: "v"
      }
    }
  }

  mutating func kind(depth: Int = 0) -> Kind {
    switch depth > 4 ? 0 : Int.random(in: 0..<10, using: &random) {
    case 0..<5: .basic(basics.randomElement(using: &random)!)  // there are some
    case 5, 6: .array(kind(depth: depth + 1))
    case 7: .dictionary(basics.randomElement(using: &random)!, kind(depth: depth + 1))  // there are some
    case 8: .structure((0..<Int.random(in: 1...4, using: &random)).map { _ in kind(depth: depth + 1) })
    default: .variant
    }
  }

  mutating func value(_ kind: Kind? = nil, depth: Int = 0) -> Value {
    let kind = kind ?? self.kind(depth: depth)
    let count = Int.random(in: 0...3, using: &random)
    switch kind {
    case .basic(let letter): return basic(letter)
    case .array(.basic("y")): return .bytes((0..<count * 9).map { _ in UInt8.random(in: 0...255, using: &random) })
    case .array(let element):
      return .array(of: element.signature, (0..<count).map { _ in value(element, depth: depth + 1) })
    case .dictionary(let key, let element):
      let pairs = (0..<count).map { _ in (basic(key), value(element, depth: depth + 1)) }
      return .dictionary(key: Kind.basic(key).signature, value: element.signature, pairs)
    case .structure(let members): return .structure(members.map { value($0, depth: depth + 1) })
    case .variant: return .variant(value(self.kind(depth: depth + 1), depth: depth + 1))
    }
  }

  private mutating func basic(_ letter: Character) -> Value {
    let number = random.next()
    switch letter {
    case "y": return .byte(UInt8(truncatingIfNeeded: number))
    case "b": return .bool(number & 1 == 1)
    case "n": return .int16(Int16(truncatingIfNeeded: number))
    case "q": return .uint16(UInt16(truncatingIfNeeded: number))
    case "i": return .int32(Int32(truncatingIfNeeded: number))
    case "u": return .uint32(UInt32(truncatingIfNeeded: number))
    case "x": return .int64(Int64(truncatingIfNeeded: number))
    case "t": return .uint64(number)
    case "d": return .double(Double(Int64(truncatingIfNeeded: number)) / 1024)
    case "o": return .path(number & 1 == 1 ? "/" : ObjectPath("/a/b_\(number)")!)  // a good one
    case "g": return .signature(number & 1 == 1 ? "" : "a{sv}(ii)")
    default: return .string(["", "plain", "a longer text, past what is kept inline", "é😀\u{FFFF}"][Int(number & 3)])
    }
  }
}

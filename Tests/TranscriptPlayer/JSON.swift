/// A value of a transcript.
indirect enum JSON: Equatable {
  case null
  case bool(Bool)
  case number(Int)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  subscript(key: String) -> JSON? {
    if case .object(let fields) = self { fields[key] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  var list: [JSON] { if case .list(let list) = self { list } else { [] } }
  var fields: [String: JSON] { if case .object(let fields) = self { fields } else { [:] } }
  var texts: [String] { list.compactMap(\.text) }

  struct Problem: Error { let offset: Int }

  static func parse(_ text: some StringProtocol) throws(Problem) -> JSON {
    var reader = Reader(bytes: Array(text.utf8))
    let value = try reader.value()
    reader.skip()
    if reader.position < reader.bytes.count { throw Problem(offset: reader.position) }
    return value
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }
    var problem: Problem { Problem(offset: position) }

    mutating func skip() {
      while let byte = next, byte <= 32 { position += 1 }
    }

    mutating func take(_ text: String) -> Bool {
      skip()
      guard bytes[position...].starts(with: text.utf8) else { return false }
      position += text.utf8.count
      return true
    }

    mutating func value() throws(Problem) -> JSON {
      if take("null") { return .null }
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      if take("[") { return .list(try list()) }
      if take("{") { return .object(try object()) }
      if take("\"") { return .text(try string()) }
      return .number(try number())
    }

    private mutating func list() throws(Problem) -> [JSON] {
      var list: [JSON] = []
      if take("]") { return list }
      repeat { list.append(try value()) } while take(",")
      guard take("]") else { throw problem }
      return list
    }

    private mutating func object() throws(Problem) -> [String: JSON] {
      var fields: [String: JSON] = [:]
      if take("}") { return fields }
      repeat {
        guard take("\"") else { throw problem }
        let key = try string()
        guard take(":") else { throw problem }
        fields[key] = try value()
      } while take(",")
      guard take("}") else { throw problem }
      return fields
    }

    private mutating func string() throws(Problem) -> String {
      var text: [UInt8] = []
      while let byte = next {
        position += 1
        if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
        guard byte == UInt8(ascii: "\\"), let escaped = next else {
          text.append(byte)
          continue
        }
        position += 1
        switch escaped {
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        default: text.append(escaped)
        }
      }
      throw problem
    }

    private mutating func number() throws(Problem) -> Int {
      let start = position
      while let byte = next, byte == UInt8(ascii: "-") || (48...57).contains(byte) { position += 1 }
      guard let number = Int(String(decoding: bytes[start..<position], as: UTF8.self)) else { throw problem }
      return number
    }
  }
}

extension JSON: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .list(let list): "[" + list.map(\.description).joined(separator: ", ") + "]"
    case .object(let fields):
      "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
  }
}

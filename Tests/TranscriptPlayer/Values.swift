internal import DBus

extension JSON {
  /// A D-Bus value as transcripts write it: bytes in hexadecimal, the type of a variant behind its key.
  init(_ value: Value, key: String = "") {
    switch value {
    case .bool(let flag): self = .bool(flag)
    case .bytes(let bytes): self = .text(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    case .variant(let payload): self = .object([payload.signature.string: JSON(payload, key: key)])
    case .array(_, let elements):
      let list = elements.map { JSON($0) }
      self = .list(key == "UUIDs" ? list.sorted { ($0.text ?? "") < ($1.text ?? "") } : list)
    case .structure(let members): self = .list(members.map { JSON($0) })
    case .dictionary(let entries):
      var fields: [String: JSON] = [:]
      for (key, value) in entries {
        let name = key.string ?? key.int.map { "\($0)" } ?? "?"
        if case .variant(let payload) = value {
          fields["\(name):\(payload.signature.string)"] = JSON(payload, key: name)
        } else {
          fields[name] = JSON(value, key: name)
        }
      }
      self = .object(fields)
    case .descriptor: self = .text("file descriptor")
    default: self = value.int.map { .number($0) } ?? value.string.map { .text($0) } ?? .null
    }
  }

  /// Without what need not be the same: signal strengths, database hashes.
  var masked: JSON {
    switch self {
    case .list(let list): return .list(list.map(\.masked))
    case .object(var fields):
      for (key, value) in fields { fields[key] = key == "RSSI:n" ? .text("*") : value.masked }
      if let value = fields["Value:ay"]?.text, !value.isEmpty,
        fields["UUID:s"]?.text == "00002b2a-0000-1000-8000-00805f9b34fb"
      {
        fields["Value:ay"] = .text("*")
      }
      return .object(fields)
    default: return self
    }
  }

  /// The other way round, as `signature` wants it.
  func value(as signature: String) -> Value? {
    switch signature {
    case "s": text.map { .string($0) }
    case "o": text.flatMap { ObjectPath($0) }.map { .path($0) }
    case "ay": text.map { .bytes(JSON.bytes($0)) }
    case "b": self == .bool(true) ? .bool(true) : .bool(false)
    case "n": number.map { .int16(Int16(clamping: $0)) }
    case "q": number.map { .uint16(UInt16(clamping: $0)) }
    case "u": number.map { .uint32(UInt32(clamping: $0)) }
    case "y": number.map { .byte(UInt8(clamping: $0)) }
    case "as": .strings(texts)
    case "v": fields.first.flatMap { $0.value.value(as: $0.key) }.map { .variant($0) }
    case "a{sv}":
      .properties(
        fields.sorted { $0.key < $1.key }.compactMap { key, value in
          guard let colon = key.lastIndex(of: ":") else { return nil }
          return value.value(as: String(key[key.index(after: colon)...])).map { (String(key[..<colon]), $0) }
        })
    default: nil
    }
  }

  static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }

  /// Complete types of a signature, one by one.
  static func types(_ signature: String) -> [String] {
    var types: [String] = []
    var rest = signature[...]
    while !rest.isEmpty {
      let known = ["a{sv}", "as", "ay"].first { rest.hasPrefix($0) } ?? String(rest.prefix(1))
      types.append(known)
      rest = rest.dropFirst(known.count)
    }
    return types
  }
}

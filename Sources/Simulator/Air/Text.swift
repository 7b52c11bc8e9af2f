/// Two lower-case hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16)
  return digits.count < 2 ? "0" + digits : digits
}

/// Four lower-case hexadecimal digits, as in object paths.
func hexadecimal(_ handle: UInt16) -> String {
  hexadecimal(UInt8(handle >> 8)) + hexadecimal(UInt8(handle & 0xff))
}

/// A UUID in BlueZ's form: 36 characters, lower case. Takes 4, 8 and 32 digits, with `0x`, dashes or braces. Nil: it
/// is none.
func longUUID(_ text: String) -> String? {
  var digits = text.lowercased().filter { $0 != "-" && $0 != "{" && $0 != "}" }
  if digits.hasPrefix("0x") { digits.removeFirst(2) }
  guard digits.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { return nil }
  switch digits.utf8.count {
  case 4: return "0000\(digits)-0000-1000-8000-00805f9b34fb"
  case 8: return "\(digits)-0000-1000-8000-00805f9b34fb"
  case 32:
    var parts: [Substring] = []
    var rest = digits[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  default: return nil
  }
}

/// A name as bluetoothd 5.66 shows it (`eir.c`, `name2utf8`): where it is not UTF-8, it ends at the first NUL and
/// spaces stand for all that is not ASCII; always without the white space around it.
func shownName(_ bytes: [UInt8]) -> String {
  var bytes = bytes
  while bytes.last == 0 { bytes.removeLast() }
  if String(validating: bytes, as: UTF8.self) == nil || bytes.contains(0) {
    bytes = bytes.prefix { $0 != 0 }.map { $0 < 0x80 ? $0 : 32 }
  }
  let isSpace: (UInt8) -> Bool = { $0 == 32 || (9...13).contains($0) }
  let kept = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
  return String(decoding: kept, as: UTF8.self)
}

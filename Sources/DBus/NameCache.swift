internal import Glibc

/// Strings that come again and again (paths, interfaces, property names) are made once: each signal names some.
final class NameCache {
  private static let slots = 512
  private static let longest = 128
  /// What Swift keeps within the string itself, without memory of its own.
  private static let inline = 15

  private var strings = [String](repeating: "", count: slots)

  /// `text` is valid UTF-8 and ends with a NUL.
  func string(_ text: UnsafePointer<CChar>) -> String {
    let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
    guard bytes.count > Self.inline, bytes.count <= Self.longest else { return String(decoding: bytes, as: UTF8.self) }
    let slot = Self.hash(bytes) & (Self.slots - 1)
    if Self.equal(strings[slot], bytes) { return strings[slot] }
    let string = String(decoding: bytes, as: UTF8.self)
    strings[slot] = string
    return string
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      offset += 8
    }
    // The last eight again, whole: there are more than eight.
    hash = (hash ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 40)
  }

  private static func equal(_ string: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard string.utf8.count == bytes.count else { return false }
    return string.utf8.withContiguousStorageIfAvailable {
      memcmp($0.baseAddress!, bytes.baseAddress!, bytes.count) == 0
    }
      ?? false  // neither is empty, so both have a base
  }
}

/// A Bluetooth UUID of 128 bits; 16- and 32-bit ones stand for a place in the Bluetooth Base UUID
/// (Core Specification, Vol 3, Part B, 2.5.1).
public struct UUID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  private static let baseLow: UInt64 = 0x8000_0080_5f9b_34fb

  /// A 16- or 32-bit UUID.
  public init(_ short: UInt32) {
    self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Takes 4, 8 or 32 hexadecimal digits of either case, with or without `0x`, braces, and dashes.
  /// Nil for anything else.
  public init?(_ text: String) {
    var digits = Substring(text)
    if digits.hasPrefix("{"), digits.hasSuffix("}") { digits = digits.dropFirst().dropLast() }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") { digits = digits.dropFirst(2) }
    guard let hex = Self.undashed(digits), hex.allSatisfy(\.isHexDigit) else { return nil }
    switch hex.utf8.count {
    case 4, 8:
      guard let short = UInt32(hex, radix: 16) else { return nil }
      self.init(short)
    case 32:
      guard let high = UInt64(hex.prefix(16), radix: 16), let low = UInt64(hex.suffix(16), radix: 16) else {
        return nil
      }
      self.init(high: high, low: low)
    default: return nil
    }
  }

  /// Dashes may stand where the standard form has them, or not at all.
  private static func undashed(_ text: Substring) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    return parts.joined()
  }

  /// The number, where this is a 16-bit UUID.
  public var short16: UInt16? {
    guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh, high >> 48 == 0 else { return nil }
    return UInt16(truncatingIfNeeded: high >> 32)
  }

  /// All 36 characters, lower case: BlueZ's form.
  public var full: String {
    let digits = hex(high, 16) + hex(low, 16)
    var parts: [Substring] = []
    var rest = Substring(digits)
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }
}

extension UUID: CustomStringConvertible {
  /// The shortest form, lower case: `180f`, else the 36 characters.
  public var description: String {
    short16.map { hex(UInt64($0), 4) } ?? full
  }
}

extension UUID: Comparable {
  public static func < (a: UUID, b: UUID) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }
}

/// Lower-case hexadecimal digits, padded with zeros to `width`.
func hex(_ number: UInt64, _ width: Int) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

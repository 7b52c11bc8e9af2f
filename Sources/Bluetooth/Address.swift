/// A device address of 48 bits (Core Specification, Vol 6, Part B, 1.3).
public struct Address: Hashable, Sendable {
  private let bits: UInt64

  /// Takes `AA:BB:CC:DD:EE:FF` of either case. Nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }),
      let bits = UInt64(parts.joined(), radix: 16)
    else { return nil }
    self.bits = bits
  }
}

extension Address: CustomStringConvertible {
  /// Upper case, with colons.
  public var description: String {
    stride(from: 40, through: 0, by: -8)
      .map { hex((bits >> UInt64($0)) & 0xFF, 2).uppercased() }
      .joined(separator: ":")
  }
}

extension Address: Comparable {
  public static func < (a: Address, b: Address) -> Bool { a.bits < b.bits }
}

/// Whether an address is registered or made up by the device.
public enum AddressType: String, Sendable {
  case `public`, random
}

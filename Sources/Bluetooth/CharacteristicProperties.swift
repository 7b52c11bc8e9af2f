/// What a characteristic allows (Core Specification, Vol 3, Part G, 3.3.1.1 and 3.3.3.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let broadcast = Self(rawValue: 0x01)
  public static let read = Self(rawValue: 0x02)
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  public static let write = Self(rawValue: 0x08)
  public static let notify = Self(rawValue: 0x10)
  public static let indicate = Self(rawValue: 0x20)
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  public static let extendedProperties = Self(rawValue: 0x80)
  public static let reliableWrite = Self(rawValue: 0x100)
  public static let writableAuxiliaries = Self(rawValue: 0x200)

  /// The names in the order of the bits, with underscores.
  public static let names: [(name: String, property: Self)] = [
    ("broadcast", .broadcast), ("read", .read), ("write_without_response", .writeWithoutResponse), ("write", .write),
    ("notify", .notify), ("indicate", .indicate), ("authenticated_signed_writes", .authenticatedSignedWrites),
    ("extended_properties", .extendedProperties), ("reliable_write", .reliableWrite),
    ("writable_auxiliaries", .writableAuxiliaries),
  ]

  /// The names of what is in here.
  public var names: [String] {
    Self.names.filter { contains($0.property) }.map(\.name)
  }
}

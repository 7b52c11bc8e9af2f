internal import CDBus

/// A row of complete types, or none (D-Bus Specification, Valid Signatures).
public struct Signature: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let string: String

  /// Nil for text that is no signature.
  public init?(_ string: String) {
    guard string.isValid(dbus_signature_validate) else { return nil }
    self.string = string
  }

  /// For constants: a bad one traps.
  public init(stringLiteral literal: String) {
    precondition(literal.isValid(dbus_signature_validate), "\(literal) is no signature")
    string = literal
  }

  init(unchecked string: String) {
    self.string = string
  }

  public var description: String { string }

  public static let byte = Signature(unchecked: "y")
  public static let bool = Signature(unchecked: "b")
  public static let int16 = Signature(unchecked: "n")
  public static let uint16 = Signature(unchecked: "q")
  public static let int32 = Signature(unchecked: "i")
  public static let uint32 = Signature(unchecked: "u")
  public static let int64 = Signature(unchecked: "x")
  public static let uint64 = Signature(unchecked: "t")
  public static let double = Signature(unchecked: "d")
  /// `s`
  public static let text = Signature(unchecked: "s")
  public static let path = Signature(unchecked: "o")
  public static let signature = Signature(unchecked: "g")
  public static let descriptor = Signature(unchecked: "h")
  public static let variant = Signature(unchecked: "v")
  public static let bytes = Signature(unchecked: "ay")
  /// `{sv}`: no signature by itself, only within an array.
  static let property = Signature(unchecked: "{sv}")
  /// `{qv}`, as BlueZ has it for manufacturers' data.
  static let manufacturer = Signature(unchecked: "{qv}")
}

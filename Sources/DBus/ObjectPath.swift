internal import CDBus

/// The path of an object (D-Bus Specification, Valid Object Paths).
public struct ObjectPath: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let string: String

  /// Nil for text that is no path.
  public init?(_ string: String) {
    guard string.isValid(dbus_validate_path) else { return nil }
    self.string = string
  }

  /// For constants: a bad one traps.
  public init(stringLiteral literal: String) {
    precondition(literal.isValid(dbus_validate_path), "\(literal) is no object path")
    string = literal
  }

  init(unchecked string: String) {
    self.string = string
  }

  public var description: String { string }

  public var isRoot: Bool { string.utf8.count == 1 }

  /// Nil for the root.
  public var parent: ObjectPath? {
    guard !isRoot, let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == string.startIndex ? "/" : ObjectPath(unchecked: String(string[..<slash]))
  }

  /// Empty for the root.
  public var lastComponent: String {
    guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return string }
    return String(string[string.utf8.index(after: slash)...])
  }

  /// Whether this is `other` or below it, by whole components: `/a/b1` is not within `/a/b`.
  public func isWithin(_ other: ObjectPath) -> Bool {
    let (ours, theirs) = (string.utf8, other.string.utf8)
    if other.isRoot || string == other.string { return true }
    guard ours.count > theirs.count, ours.starts(with: theirs) else { return false }
    return ours[ours.index(ours.startIndex, offsetBy: theirs.count)] == UInt8(ascii: "/")
  }

  /// The path one component further down; nil where `component` can't be one.
  public func appending(_ component: String) -> ObjectPath? {
    ObjectPath((isRoot ? "/" : string + "/") + component)
  }

  public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.string < right.string }
}

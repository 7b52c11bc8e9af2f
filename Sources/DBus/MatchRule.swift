/// Which signals are wanted (D-Bus Specification, Match Rules). A field that is nil matches all.
public struct MatchRule: Hashable, Sendable {
  /// A unique name, or a well-known one: then the signals of its present owner.
  public var sender: String?
  public var path: ObjectPath?
  /// This path and those below it.
  public var pathNamespace: ObjectPath?
  public var interface: String?
  public var member: String?
  /// The first argument, where it is a string.
  public var arg0: String?
  /// The first argument as a path, or what is above or below it where one of the two ends in a slash.
  public var arg0path: String?
  /// The first argument is this bus or interface name, or begins with it and a dot.
  public var arg0namespace: String?

  public init(
    sender: String? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil, interface: String? = nil,
    member: String? = nil, arg0: String? = nil, arg0path: String? = nil, arg0namespace: String? = nil
  ) {
    (self.sender, self.path, self.pathNamespace, self.interface) = (sender, path, pathNamespace, interface)
    (self.member, self.arg0, self.arg0path, self.arg0namespace) = (member, arg0, arg0path, arg0namespace)
  }

  /// The rule as the bus wants it.
  public var text: String {
    let fields = [
      ("sender", sender), ("path", path?.string), ("path_namespace", pathNamespace?.string), ("interface", interface),
      ("member", member), ("arg0", arg0), ("arg0path", arg0path), ("arg0namespace", arg0namespace),
    ]
    return fields.reduce(into: "type='signal'") { text, field in
      guard let value = field.1 else { return }
      text += ",\(field.0)='" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      text += "'"
    }
  }

  /// Compares all but the sender and the arguments.
  func accepts(path: ObjectPath, interface: String, member: String) -> Bool {
    (self.member == nil || self.member == member)
      && (self.interface == nil || self.interface == interface)
      && (self.path == nil || self.path == path)
      && (pathNamespace == nil || path.isWithin(pathNamespace!))  // just seen not to be nil
  }

  var looksAtArguments: Bool { arg0 != nil || arg0path != nil || arg0namespace != nil }

  func accepts(first: Value?) -> Bool {
    if let arg0 {
      guard case .string(arg0) = first else { return false }
    }
    if let arg0path {
      let text: String
      switch first {
      case .string(let string): text = string
      case .path(let path): text = path.string
      default: return false
      }
      let isNear =
        text == arg0path || arg0path.hasSuffix("/") && text.hasPrefix(arg0path)
        || text.hasSuffix("/") && arg0path.hasPrefix(text)
      if !isNear { return false }
    }
    if let arg0namespace {
      guard case .string(let text) = first, text == arg0namespace || text.hasPrefix(arg0namespace + ".") else {
        return false
      }
    }
    return true
  }
}

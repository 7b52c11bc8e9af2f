/// Each gives nil where the value is something else. None looks through a variant unless it says so.
extension Value {
  /// Any text: a string, an object path, a signature.
  public var string: String? {
    switch self {
    case .string(let text): text
    case .path(let path): path.string
    case .signature(let signature): signature.string
    default: nil
    }
  }

  /// Any integer that an `Int` holds.
  public var int: Int? {
    switch self {
    case .byte(let number): Int(number)
    case .int16(let number): Int(number)
    case .uint16(let number): Int(number)
    case .int32(let number): Int(number)
    case .uint32(let number): Int(number)
    case .int64(let number): Int(number)
    case .uint64(let number): Int(exactly: number)
    default: nil
    }
  }

  public var double: Double? {
    if case .double(let number) = self { number } else { nil }
  }

  public var bool: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  public var path: ObjectPath? {
    if case .path(let path) = self { path } else { nil }
  }

  public var descriptor: FileDescriptor? {
    if case .descriptor(let descriptor) = self { descriptor } else { nil }
  }

  /// An `ay`.
  public var bytes: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  /// The elements of an array (an `ay` too) or the members of a structure.
  public var elements: [Value]? {
    switch self {
    case .array(_, let elements), .structure(let elements): elements
    case .bytes(let bytes): bytes.map { .byte($0) }
    default: nil
    }
  }

  /// An `as` or `ao`.
  public var strings: [String]? {
    guard case .array(let element, let values) = self, element == .text || element == .path else { return nil }
    return values.compactMap(\.string)
  }

  public var entries: Entries? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// What is in a variant, however deep; any other value is itself.
  public var unwrapped: Value {
    var value = self
    while case .variant(let payload) = value { value = payload }
    return value
  }

  /// The value of a text key in a dictionary, without the variant around it.
  public subscript(key: String) -> Value? {
    if case .dictionary(let entries) = self { entries[key] } else { nil }
  }

  /// An `a{sv}`, its values without the variant around them.
  public var properties: [String: Value]? {
    guard case .dictionary(let entries) = self, entries.element == .property else { return nil }
    var properties = [String: Value](minimumCapacity: entries.count)
    entries.forEachUnwrapped { key, value in
      if case .string(let key) = key { properties[key] = value }
    }
    return properties
  }
}

/// A D-Bus value (D-Bus Specification, Type System). Arrays and dictionaries carry the types of what they may hold, so
/// that empty ones are typed too.
public enum Value: Hashable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case path(ObjectPath)
  case signature(Signature)
  case descriptor(FileDescriptor)
  /// An `ay`. It never comes as an ``array(of:_:)``.
  case bytes([UInt8])
  /// Each element has the one complete type `of`.
  case array(of: Signature, [Value])
  case dictionary(Entries)
  case structure([Value])
  indirect case variant(Value)

  /// The type of this value; of an array or dictionary as it was declared.
  public var signature: Signature {
    switch self {
    case .byte: .byte
    case .bool: .bool
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .text
    case .path: .path
    case .signature: .signature
    case .descriptor: .descriptor
    case .bytes: .bytes
    case .array(let element, _): Signature(unchecked: "a" + element.string)
    case .dictionary(let entries): Signature(unchecked: "a" + entries.element.string)
    case .structure(let members): Signature(unchecked: "(" + members.map(\.signature.string).joined() + ")")
    case .variant: .variant
    }
  }

  /// A dictionary of `keys` and `values`; `key` is one basic type, `value` one complete type.
  public static func dictionary(key: Signature, value: Signature, _ pairs: [(Value, Value)] = []) -> Value {
    .dictionary(Entries(key: key, value: value, pairs))
  }

  /// An `as`.
  public static func strings(_ strings: [String]) -> Value {
    .array(of: .text, strings.map { .string($0) })
  }

  /// An `ao`.
  public static func paths(_ paths: [ObjectPath]) -> Value {
    .array(of: .path, paths.map { .path($0) })
  }

  /// An `a{sv}`; the values come as they are, not as variants.
  public static func properties(_ properties: [(String, Value)] = []) -> Value {
    .dictionary(Entries(properties: properties))
  }
}

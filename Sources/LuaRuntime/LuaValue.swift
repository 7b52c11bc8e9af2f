internal import EventLoop

/// A value of Lua, on either side. Tables are copies; functions and what else has no form in Swift are references.
public enum LuaValue: Sendable {
  case `nil`
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// Bytes: Lua's strings are not text until someone reads them so.
  case string([UInt8])
  case table(LuaTable)
  case function(LuaFunction)
  case object(any LuaObject)
  /// A coroutine, a userdata of somebody else, or a table that was asked for as itself.
  case reference(LuaReference)
}

extension LuaValue {
  public init(_ text: String) { self = .string(Array(text.utf8)) }
  public init(_ text: String?) { self = text.map { LuaValue($0) } ?? .nil }
  public init(_ value: some BinaryInteger) { self = .integer(Int64(value)) }
  public init(_ values: [LuaValue]) { self = .table(LuaTable(values)) }

  public var isNil: Bool {
    if case .nil = self { true } else { false }
  }

  /// The string, where it is UTF-8.
  public var text: String? {
    guard case .string(let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  public var bytes: [UInt8]? {
    if case .string(let bytes) = self { bytes } else { nil }
  }

  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// An integer, or a float that is exactly one.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  public var table: LuaTable? {
    if case .table(let table) = self { table } else { nil }
  }

  public var function: LuaFunction? {
    if case .function(let function) = self { function } else { nil }
  }

  public var object: (any LuaObject)? {
    if case .object(let object) = self { object } else { nil }
  }

  /// Lua's name of the type; an object's own.
  @LoopActor public var typeName: String {
    switch self {
    case .nil: "nil"
    case .boolean: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .table: "table"
    case .function: "function"
    case .object(let object): type(of: object).luaType.name
    case .reference(let reference): reference.kind.rawValue
    }
  }
}

extension LuaValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  public init(nilLiteral: ()) { self = .nil }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self.init(value) }
  public init(arrayLiteral elements: LuaValue...) { self.init(elements) }
}

/// As Lua's `==`, but tables by content. References to one thing that came by different ways are not equal.
extension LuaValue: Equatable {
  public static func == (a: LuaValue, b: LuaValue) -> Bool {
    switch (a, b) {
    case (.nil, .nil): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.table(let a), .table(let b)): a == b
    case (.function(let a), .function(let b)): a.reference == b.reference
    case (.object(let a), .object(let b)): a === b
    case (.reference(let a), .reference(let b)): a == b
    default: false
    }
  }
}

extension LuaValue {
  /// For messages: never fails, bytes that are no text are replaced.
  var display: String {
    switch self {
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .nil: "nil"
    case .table: "table"
    case .function: "function"
    case .object: "object"
    case .reference(let reference): reference.kind.rawValue
    }
  }
}

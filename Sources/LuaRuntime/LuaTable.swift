/// A table, copied: the values at 1, 2, 3 … and all the other fields.
public struct LuaTable: Sendable {
  public var array: [LuaValue]
  public var fields: [(key: LuaValue, value: LuaValue)]

  public init() { (array, fields) = ([], []) }

  public init(_ array: [LuaValue], fields: [(key: LuaValue, value: LuaValue)] = []) {
    (self.array, self.fields) = (array, fields)
  }

  /// With string keys.
  public init(_ array: [LuaValue] = [], named fields: [(String, LuaValue)]) {
    self.init(array, fields: fields.map { (LuaValue($0.0), $0.1) })
  }

  public var isEmpty: Bool { array.isEmpty && fields.isEmpty }

  /// The field of that name; setting nil removes it.
  public subscript(name: String) -> LuaValue {
    get { self[key: LuaValue(name)] }
    set { self[key: LuaValue(name)] = newValue }
  }

  /// A field that is not part of the array.
  public subscript(key key: LuaValue) -> LuaValue {
    get { fields.first { $0.key == key }?.value ?? .nil }
    set {
      fields.removeAll { $0.key == key }
      if !newValue.isNil { fields.append((key, newValue)) }
    }
  }
}

extension LuaTable: Equatable {
  /// Fields have no order.
  public static func == (a: LuaTable, b: LuaTable) -> Bool {
    a.array == b.array && a.fields.count == b.fields.count && a.fields.allSatisfy { b[key: $0.key] == $0.value }
  }
}

extension LuaTable: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, LuaValue)...) { self.init(named: elements) }
}

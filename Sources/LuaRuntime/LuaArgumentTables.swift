internal import EventLoop

extension LuaCall.Argument {
  /// The elements of a list; none where the argument is nil.
  public func elements() throws(LuaError) -> [LuaCall.Argument] {
    guard !isNil else { return [] }
    return try table().array.enumerated().map { LuaCall.Argument(value: $1, place: inside("[\($0 + 1)]")) }
  }

  /// Keys and values of a table, list elements among them; none where the argument is nil.
  public func entries() throws(LuaError) -> [(key: LuaCall.Argument, value: LuaCall.Argument)] {
    guard !isNil else { return [] }
    let table = try table()
    let elements = table.array.enumerated().map { (key: LuaValue($0 + 1), value: $1) }
    return (elements + table.fields).map { key, value in
      let place = inside("[\(key.display)]")
      return (LuaCall.Argument(value: key, place: place), LuaCall.Argument(value: value, place: place))
    }
  }

  /// The fields of a table that has no others than these. None where the argument is nil.
  public func options(allowing names: Set<String>) throws(LuaError) -> LuaCall.Options {
    let fields = LuaCall.Options(table: isNil ? LuaTable() : try table(), parent: self)
    try fields.allow(names)
    return fields
  }
}

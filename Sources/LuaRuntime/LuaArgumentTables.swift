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
    let table = isNil ? LuaTable() : try table()
    let fields =
      switch place {
      case .argument(let number, let function): LuaCall.Options(table: table, number: number, function: function)
      case .option(let number, let function, let path):
        LuaCall.Options(table: table, number: number, function: function, path: path + ".")
      case .field(let type, let name): LuaCall.Options(table: table, number: 1, function: "\(type).\(name)")
      }
    for (key, _) in table.fields {
      guard let name = key.text, names.contains(name) else { throw bad("unknown field '\(key.display)'") }
    }
    guard table.array.isEmpty else { throw bad("named fields expected, got a list") }
    return fields
  }

  private func inside(_ index: String) -> Place {
    switch place {
    case .argument(let number, let function): .option(number, function, index)
    case .option(let number, let function, let path): .option(number, function, path + index)
    case .field(let type, let name): .field(type, name + index)
    }
  }
}

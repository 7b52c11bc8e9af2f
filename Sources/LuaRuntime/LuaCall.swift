public import EventLoop

/// A call of a Swift function by Lua.
@LoopActor
public struct LuaCall {
  public let runtime: LuaRuntime
  /// As a reader knows it: `ble.read`, or a method's name.
  public let function: String
  public let arguments: [LuaValue]
  /// The task whose code calls; nil in a plain call by Swift.
  public let task: LuaTask?
  /// False in a `gsub` or `sort` callback, a `__gc`, the `__close` of a cancelled task …
  public let canWait: Bool

  init(runtime: LuaRuntime, function: String, arguments: [LuaValue], task: LuaTask?, canWait: Bool) {
    (self.runtime, self.function, self.arguments) = (runtime, function, arguments)
    (self.task, self.canWait) = (task, canWait)
  }

  public var count: Int { arguments.count }

  /// Argument `number`, from 1; nil when there are fewer. It has the checks.
  public subscript(number: Int) -> Argument {
    Argument(value: number <= arguments.count ? arguments[number - 1] : .nil, place: .argument(number, function))
  }

  /// Argument `number` as a table of options; an empty one when it is nil.
  public func options(_ number: Int) throws(LuaError) -> Options {
    let table = self[number].isNil ? LuaTable() : try self[number].table()
    return Options(table: table, number: number, function: function)
  }

  func takeSelf<Object: LuaObject>(_: Object.Type, _ typeName: String) throws(LuaError) -> Object {
    guard let object = arguments.first?.object as? Object else {
      let hint = function.hasPrefix("__") ? "" : "; call it with ':'"
      throw LuaError("\(self[1].bad("\(typeName) expected, got \(self[1].found)").message)\(hint)")
    }
    return object
  }

  var withoutSelf: LuaCall {
    LuaCall(
      runtime: runtime, function: function, arguments: Array(arguments.dropFirst()), task: task, canWait: canWait)
  }
}

extension LuaCall {
  /// A table whose fields are arguments by name.
  @LoopActor
  public struct Options {
    public let table: LuaTable
    let number: Int
    let function: String
    /// Where the table is in the argument: empty for the argument itself, else `any[1].`.
    var path = ""

    public subscript(name: String) -> Argument {
      Argument(value: table[name], place: .option(number, function, path + name))
    }

    /// Refuses fields that are none of these: a misspelt option would be ignored without a word.
    public func allow(_ names: Set<String>) throws(LuaError) {
      for (key, _) in table.fields {
        guard let name = key.text, names.contains(name) else {
          throw Argument(value: .nil, place: .argument(number, function)).bad("unknown field '\(key.display)'")
        }
      }
    }
  }
}

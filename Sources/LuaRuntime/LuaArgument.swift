public import EventLoop

extension LuaCall {
  /// One argument, or one field of an options table, with checks that name it when it is wrong.
  @LoopActor
  public struct Argument {
    public let value: LuaValue
    let place: Place

    enum Place {
      case argument(Int, String)
      case option(Int, String, String)
      case field(String, String)
    }

    public var isNil: Bool { value.isNil }

    /// Nil where the argument is: `try call[2].ifPresent?.integer() ?? 5`.
    public var ifPresent: Argument? { isNil ? nil : self }

    public func bytes() throws(LuaError) -> [UInt8] {
      guard let bytes = value.bytes else { throw wrong("string") }
      return bytes
    }

    /// A string that is UTF-8.
    public func string() throws(LuaError) -> String {
      guard value.bytes != nil else { throw wrong("string") }
      guard let text = value.text else { throw bad("not UTF-8") }
      return text
    }

    public func boolean() throws(LuaError) -> Bool {
      guard let boolean = value.boolean else { throw wrong("boolean") }
      return boolean
    }

    public func integer() throws(LuaError) -> Int64 {
      guard value.number != nil else { throw wrong("integer") }
      guard let integer = value.integer else { throw bad("number has no integer representation") }
      return integer
    }

    public func integer(in range: ClosedRange<Int64>) throws(LuaError) -> Int64 {
      let integer = try integer()
      guard range.contains(integer) else {
        throw bad("\(integer) is not in \(range.lowerBound) to \(range.upperBound)")
      }
      return integer
    }

    public func number() throws(LuaError) -> Double {
      guard let number = value.number else { throw wrong("number") }
      return number
    }

    /// A span of time: not negative, not NaN.
    public func seconds() throws(LuaError) -> Seconds {
      let number = try number()
      guard number >= 0 else { throw bad("seconds must not be negative or NaN") }
      return number
    }

    public func table() throws(LuaError) -> LuaTable {
      guard let table = value.table else { throw wrong("table") }
      return table
    }

    public func function() throws(LuaError) -> LuaFunction {
      guard let function = value.function else { throw wrong("function") }
      return function
    }

    public func object<Object: LuaObject>(_: Object.Type) throws(LuaError) -> Object {
      guard let object = value.object as? Object else { throw wrong(Object.luaType.name) }
      return object
    }

    /// One of these words.
    public func word(_ words: [String]) throws(LuaError) -> String {
      let word = try string()
      guard words.contains(word) else {
        throw bad("invalid option '\(word)'; \(words.map { "'\($0)'" }.joined(separator: ", ")) expected")
      }
      return word
    }

    /// `address expected, got nil`.
    public func wrong(_ expected: String) -> LuaError {
      bad("\(expected) expected, got \(found)")
    }

    /// `bad argument #1 to 'ble.read' (reason)`.
    public func bad(_ reason: String) -> LuaError {
      switch place {
      case .argument(let number, let function):
        LuaError("bad argument #\(number) to '\(function)' (\(reason))")
      case .option(let number, let function, let name):
        LuaError("bad argument #\(number) to '\(function)' (field '\(name)': \(reason))")
      case .field(let type, let name):
        LuaError("bad value for '\(type).\(name)' (\(reason))")
      }
    }

    var found: String { value.typeName }
  }
}

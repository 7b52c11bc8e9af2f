/// An error of Lua's, or one of the host's to be raised in Lua.
public struct LuaError: Error {
  /// What was or will be raised. A table that Lua raised is a reference, so that it stays itself when raised again.
  public let value: LuaValue
  /// A readable line, whatever the value is; without the position.
  public let message: String
  /// A copy of the value's fields, where it is a table.
  public let fields: LuaTable?
  /// Lines of the script, innermost first.
  public var traceback: String?

  /// A plain message; it gets the position of the Lua caller in front.
  public init(_ message: String) {
    (value, self.message, fields) = (LuaValue(message), message, nil)
    isPositioned = false
  }

  /// A table that prints as its `message`. The field `where`, the position of the Lua caller, is added.
  public init(fields: [(String, LuaValue)]) {
    let table = LuaTable(named: fields.filter { !$0.1.isNil })
    (value, self.fields) = (.table(table), table)
    message = table["message"].text ?? table["code"].text ?? "error"
    isPositioned = false
  }

  /// An error of the host with a code, one of those that the Lua API lists.
  public init(code: String, _ message: String) {
    self.init(fields: [("code", LuaValue(code)), ("message", LuaValue(message))])
  }

  /// What Lua raised.
  init(value: LuaValue, message: String, fields: LuaTable?, traceback: String?) {
    (self.value, self.message, self.fields, self.traceback) = (value, message, fields, traceback)
    isPositioned = true
  }

  /// False until it has been raised in Lua, which adds the position.
  let isPositioned: Bool

  public var code: String? { fields?["code"].text }

  static let cancelled = LuaError(code: "cancelled", "cancelled")
  static let outOfMemory = LuaError(
    value: "not enough memory", message: "not enough memory", fields: nil, traceback: nil)
}

extension LuaError: CustomStringConvertible {
  /// The line to print, with the position.
  public var description: String {
    guard let place = fields?["where"].text else { return message }
    return "\(place): \(message)"
  }
}

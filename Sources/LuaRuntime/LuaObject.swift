public import EventLoop

/// A Swift object that Lua holds as a userdata. One object is always the same userdata, so `==` works in Lua.
@LoopActor
public protocol LuaObject: AnyObject, Sendable {
  /// What Lua can do with it. One for the class: `static let`.
  static var luaType: LuaType { get }
}

/// Methods, fields and operators of a class as Lua sees them.
///
///     static let luaType = LuaType("device", of: Device.self) { type in
///       type.get("address") { LuaValue($0.address) }
///       type.waiting("read") { device, call throws(LuaError) in … }
///       type.close { $0.disconnectSoon() }
///     }
@LoopActor
public final class LuaType {
  public let name: String
  private(set) var methods: [LuaFunctionDefinition] = []
  private(set) var operators: [LuaFunctionDefinition] = []
  private(set) var getters: [String: Getter] = [:]
  private(set) var setters: [String: Setter] = [:]

  typealias Getter = @LoopActor (any LuaObject) throws(LuaError) -> LuaValue
  typealias Setter = @LoopActor (any LuaObject, LuaCall.Argument) throws(LuaError) -> Void

  public init<Object: LuaObject>(_ name: String, of: Object.Type, _ build: @LoopActor (Builder<Object>) -> Void) {
    self.name = name
    build(Builder(type: self))
  }

  /// Says what a type has.
  @LoopActor
  public struct Builder<Object: LuaObject> {
    fileprivate let type: LuaType

    /// `object:name(…)`. The call's arguments do not count the object.
    public func method(
      _ name: String, keepsTables: Bool = false,
      _ body: @escaping @LoopActor (Object, LuaCall) throws(LuaError) -> [LuaValue]
    ) {
      let typeName = type.name
      type.methods.append(
        .plain(name, keepsTables: keepsTables) { call throws(LuaError) in
          try body(try call.takeSelf(Object.self, typeName), call.withoutSelf)
        })
    }

    /// A method that suspends the Lua task until it returns.
    public func waiting(
      _ name: String, keepsTables: Bool = false,
      _ body: @escaping @LoopActor (Object, LuaCall) async throws(LuaError) -> [LuaValue]
    ) {
      let typeName = type.name
      let check: @LoopActor (LuaCall) throws(LuaError) -> Void = { call throws(LuaError) in
        _ = try call.takeSelf(Object.self, typeName)
      }
      type.methods.append(
        .waiting(name, keepsTables: keepsTables, check: check) { call async throws(LuaError) in
          try await body(try call.takeSelf(Object.self, typeName), call.withoutSelf)
        })
    }

    /// `object.name`.
    public func get(_ name: String, _ body: @escaping @LoopActor (Object) throws(LuaError) -> LuaValue) {
      let getter: Getter = { object throws(LuaError) in try body(object as! Object) }
      type.getters[name] = getter
    }

    /// `object.name = value`.
    public func set(
      _ name: String, _ body: @escaping @LoopActor (Object, LuaCall.Argument) throws(LuaError) -> Void
    ) {
      let setter: Setter = { object, value throws(LuaError) in try body(object as! Object, value) }
      type.setters[name] = setter
    }

    public func tostring(_ body: @escaping @LoopActor (Object) -> String) {
      metamethod("__tostring") { object, _ in [LuaValue(body(object))] }
    }

    /// Called when a `<close>` variable goes out of scope, with what ended it or nil. It can't wait.
    public func close(_ body: @escaping @LoopActor (Object) throws(LuaError) -> Void) {
      metamethod("__close") { object, _ throws(LuaError) in
        try body(object)
        return []
      }
    }

    /// Any other metamethod: `__len`, `__call`, `__lt` … The object is the first operand.
    public func metamethod(
      _ name: String, _ body: @escaping @LoopActor (Object, LuaCall) throws(LuaError) -> [LuaValue]
    ) {
      let typeName = type.name
      type.operators.append(
        .plain(name) { call throws(LuaError) in
          try body(try call.takeSelf(Object.self, typeName), call.withoutSelf)
        })
    }
  }

  /// `object.name` for what is no method.
  var index: LuaFunctionDefinition {
    .plain(name) { [getters, name] call throws(LuaError) in
      let key = call[2].value.text ?? ""
      guard let object = call[1].value.object, let getter = getters[key] else {
        throw Self.noField(key, name, getters)
      }
      return [try getter(object)]
    }
  }

  /// `object.name = value`.
  var newIndex: LuaFunctionDefinition {
    .plain(name) { [getters, setters, name] call throws(LuaError) in
      let key = call[2].value.text ?? ""
      guard let object = call[1].value.object, let setter = setters[key] else {
        throw getters[key] == nil ? Self.noField(key, name, getters) : LuaError("\(name).\(key) can't be set")
      }
      try setter(object, LuaCall.Argument(value: call[3].value, place: .field(name, key)))
      return []
    }
  }

  private static func noField(_ key: String, _ name: String, _ getters: [String: Getter]) -> LuaError {
    let fields = getters.keys.sorted().joined(separator: " ")
    return LuaError("\(name) has no field '\(key)'\(fields.isEmpty ? "" : " (fields: \(fields))")")
  }
}

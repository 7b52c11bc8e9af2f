internal import EventLoop
internal import LuaGate

/// Something of Lua's that Swift holds without a copy.
public struct LuaReference: Sendable, Equatable {
  public enum Kind: String, Sendable { case function, table, thread, userdata }

  public let kind: Kind
  let anchor: Anchor
  let entry: Int64

  public static func == (a: LuaReference, b: LuaReference) -> Bool {
    a.anchor === b.anchor && a.entry == b.entry
  }
}

/// A Lua function. See ``LuaRuntime/call(_:_:)`` and ``LuaRuntime/spawn(_:_:background:watched:)``.
public struct LuaFunction: Sendable, Equatable {
  let reference: LuaReference
}

/// Keeps what came with one call alive in Lua until the last reference to any of it goes.
@LoopActor
final class Anchor {
  let gate: Gate
  let number: Int32

  init(gate: Gate, number: Int32) {
    (self.gate, self.number) = (gate, number)
  }

  isolated deinit {
    gate.release(number)
  }
}

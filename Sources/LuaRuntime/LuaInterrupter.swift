internal import LuaGate

/// Breaks into Lua code that does not come to an end: see ``LuaRuntime/interrupter``.
public struct LuaInterrupter: @unchecked Sendable {
  let gate: OpaquePointer

  /// Whatever Lua code runs now raises "interrupted" at its next instruction. A function in C (a pattern match for
  /// one) ends first. For signal handlers and other threads; the runtime must still be there.
  public func interrupt() {
    gate_interrupt(gate)
  }
}

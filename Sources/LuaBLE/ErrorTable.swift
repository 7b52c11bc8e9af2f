internal import Bluetooth
internal import Central
internal import LuaRuntime

extension LuaError {
  /// The error table of the API.
  init(_ error: CentralError) {
    self.init(fields: [
      ("code", LuaValue(error.code.rawValue)),
      ("message", LuaValue(error.description)),
      ("op", LuaValue(error.op)),
      ("device", LuaValue(error.device?.description)),
      ("ref", LuaValue(error.ref)),
      ("stage", LuaValue(error.stage?.rawValue)),
      ("att", error.att.map { LuaValue($0.code) } ?? .nil),
      ("dbus", LuaValue(error.dbus)),
      ("reason", LuaValue(error.reason)),
      ("retryable", .boolean(error.isRetryable)),
      ("advice", LuaValue(error.advice)),
    ])
  }
}

/// Runs what may end with an error of the central, for Lua.
func forLua<Value>(_ body: () async throws(CentralError) -> Value) async throws(LuaError) -> Value {
  do throws(CentralError) { return try await body() } catch { throw LuaError(error) }
}

func forLua<Value>(_ body: () throws(CentralError) -> Value) throws(LuaError) -> Value {
  do throws(CentralError) { return try body() } catch { throw LuaError(error) }
}

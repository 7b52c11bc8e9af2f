internal import Bluetooth
public import Central
internal import EventLoop
public import LuaRuntime

extension Adapter: LuaObject {
  public static let luaType = LuaType("adapter", of: Adapter.self) { type in
    type.get("name") { LuaValue($0.name) }
    type.get("address") { LuaValue($0.state.address.description) }
    type.get("alias") { LuaValue($0.state.alias) }
    type.get("powered") { .boolean($0.state.isPowered) }
    type.get("discovering") { .boolean($0.state.isDiscovering) }
    type.waiting("power") { adapter, call async throws(LuaError) in
      let on = try call[1].boolean()
      try await forLua { () async throws(CentralError) in try await adapter.setPower(on) }
      return []
    }
    type.tostring { "adapter \($0.name) (\($0.state.address))" }
  }
}

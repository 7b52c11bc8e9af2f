internal import Bluetooth
public import Central
internal import EventLoop
public import LuaRuntime

/// `device`: methods whose names begin with an underscore are completed in scripts/lib/ble.lua.
extension Device: LuaObject {
  public static let luaType = LuaType("device", of: Device.self) { type in
    properties(type)
    link(type)
    attributes(type)
    exchanges(type)
    type.tostring { device in
      let name = device.state.name.map { " \"\($0)\"" } ?? ""
      return "device \(device.id.address)\(name)\(device.state.isConnected ? ", connected" : "")"
    }
  }

  private static func properties(_ type: LuaType.Builder<Device>) {
    type.get("address") { LuaValue($0.id.address.description) }
    type.get("address_type") { LuaValue($0.state.addressType.rawValue) }
    type.get("adapter") { LuaValue($0.id.adapter) }
    type.get("name") { LuaValue($0.state.name) }
    type.get("rssi") { $0.state.rssi.map { LuaValue($0) } ?? .nil }
    type.get("connected") { .boolean($0.state.isConnected) }
    type.get("services_resolved") { .boolean($0.state.areServicesResolved) }
    type.get("paired") { .boolean($0.state.isPaired) }
    type.get("bonded") { .boolean($0.state.isBonded) }
    type.get("trusted") { .boolean($0.state.isTrusted) }
    type.get("blocked") { .boolean($0.state.isBlocked) }
    type.get("mtu") { $0.mtu.map { LuaValue($0) } ?? .nil }
  }

  private static func link(_ type: LuaType.Builder<Device>) {
    type.waiting("_connect") { device, call async throws(LuaError) in
      var options = ConnectOptions()
      let given = try call.options(1)
      options.timeout = try given.timeout(usually: UsualTimeout.connect)
      options.attempts = Int(try given["attempts"].ifPresent?.integer(in: 1...1000) ?? Int64(options.attempts))
      let chosen = options
      try await forLua { () async throws(CentralError) in try await device.connect(chosen) }
      // The script's task may have ended just when the link was there: then nobody holds it.
      if Task.isCancelled { device.close() }
      return []
    }
    type.waiting("disconnect") { device, call async throws(LuaError) in
      let timeout = try call.options(1).timeout(usually: Central.closingTime)
      try await forLua { () async throws(CentralError) in try await device.disconnect(timeout: timeout) }
      return []
    }
    type.close { $0.close() }
    type.method("_disconnects") { device, _ in
      [.object(LuaEvents(device.disconnects()) { LuaError($0).value })]
    }
    type.method("_attribute_changes") { device, _ in
      [.object(LuaEvents(device.attributeChanges()) { true })]
    }
  }

  /// One of those who asked for the link leaves. Taking it down takes two seconds; nobody waits for it, and the next
  /// connect of the device queues behind it.
  private func close() {
    Task { @LoopActor in try? await release() }
  }

  private static func attributes(_ type: LuaType.Builder<Device>) {
    type.method("services") { device, _ in
      [LuaValue(device.attributes.services.map { .object(LuaService(device, $0)) })]
    }
    type.method("service") { device, call throws(LuaError) in
      let uuid = try call[1].uuid(.service)
      return try forLua { () throws(CentralError) in [.object(LuaService(device, try device.service(uuid)))] }
    }
    type.method("characteristic") { device, call throws(LuaError) in
      let name = try call[1].characteristic()
      return try forLua { () throws(CentralError) in
        [.object(LuaCharacteristic(device, try device.characteristic(name)))]
      }
    }
  }

  private static func exchanges(_ type: LuaType.Builder<Device>) {
    type.waiting("_read") { device, call async throws(LuaError) in
      let (name, options) = (try call[1].characteristic(), try call.options(2))
      let timeout = try options.timeout(usually: UsualTimeout.exchange)
      let offset = Int(try options["offset"].ifPresent?.integer(in: 0...0xFFFF) ?? 0)
      return try await forLua { () async throws(CentralError) in
        [.string(try await device.read(name, offset: offset, timeout: timeout))]
      }
    }
    type.waiting("_write") { device, call async throws(LuaError) in
      let (name, value, options) = (try call[1].characteristic(), try call[2].bytes(), try call.options(3))
      let timeout = try options.timeout(usually: UsualTimeout.exchange)
      let kind = try options.writeKind()
      let offset = Int(try options["offset"].ifPresent?.integer(in: 0...0xFFFF) ?? 0)
      try await forLua { () async throws(CentralError) in
        try await device.write(name, value, kind: kind, offset: offset, timeout: timeout)
      }
      return []
    }
    type.waiting("_read_descriptor") { device, call async throws(LuaError) in
      let (name, uuid) = (try call[1].characteristic(), try call[2].uuid(.descriptor))
      let timeout = try call.options(3).timeout(usually: UsualTimeout.exchange)
      return try await forLua { () async throws(CentralError) in
        [.string(try await device.readDescriptor(name, uuid, timeout: timeout))]
      }
    }
    type.waiting("_write_descriptor") { device, call async throws(LuaError) in
      let (name, uuid, value) = (try call[1].characteristic(), try call[2].uuid(.descriptor), try call[3].bytes())
      let timeout = try call.options(4).timeout(usually: UsualTimeout.exchange)
      try await forLua { () async throws(CentralError) in
        try await device.writeDescriptor(name, uuid, value, timeout: timeout)
      }
      return []
    }
    type.waiting("_subscribe") { device, call async throws(LuaError) in
      let (name, options) = (try call[1].characteristic(), try call.options(2))
      let timeout = try options.timeout(usually: UsualTimeout.exchange)
      let limit = Int(try options["buffer"].ifPresent?.integer(in: 1...1_000_000) ?? 1024)
      let subscription = try await forLua { () async throws(CentralError) in
        try await device.subscribe(name, limit: limit, timeout: timeout)
      }
      if Task.isCancelled { subscription.cancel() }
      return [.object(subscription)]
    }
  }
}

extension LuaCall.Options {
  /// nil: as the characteristic allows.
  fileprivate func writeKind() throws(LuaError) -> WriteKind? {
    if try self["reliable"].ifPresent?.boolean() == true { return .reliable }
    guard let response = try self["response"].ifPresent?.boolean() else { return nil }
    return response ? .request : .command
  }
}

internal import Bluetooth
public import Central
public import EventLoop
public import LuaRuntime

/// The module `ble.native`, on which scripts/lib/ble.lua builds what scripts see as `ble`.
@LoopActor
public enum BLEModule {
  public static func register(in runtime: LuaRuntime, _ central: Central) throws(LuaError) {
    try runtime.register(
      module: "ble.native", functions(central),
      types: [Device.luaType])
  }

  private static func functions(_ central: Central) -> [LuaFunctionDefinition] {
    adapterFunctions(central) + [
      .waiting("scan") { call async throws(LuaError) in
        let functions = FilterFunctions(call.runtime)
        let options = try call.options(1)
        let scanOptions = try options.scanOptions()
        let filter = try call[1].ifPresent?.filter(functions, others: LuaCall.Options.scanFields) ?? ScanFilter()
        let adapter = try options["adapter"].ifPresent?.string()
        let scan = try await forLua { () async throws(CentralError) in
          try await central.scan(filter, scanOptions, adapter: adapter)
        }
        if Task.isCancelled { scan.cancel() }
        return [.object(LuaScan(scan, functions))]
      },
      // The third argument: the operation that it is for, which errors name.
      .waiting("device") { call async throws(LuaError) in
        let (address, adapter) = (try call[1].address(), try call[2].ifPresent?.string())
        let op = try call[3].ifPresent?.string() ?? "device"
        return try await forLua { () async throws(CentralError) in
          do throws(CentralError) {
            try await central.open()
            return [.object(try central.device(address, adapter: adapter))]
          } catch {
            throw error.during(op, device: address, stage: .adapter)
          }
        }
      },
      // Of an advertisement: then the way to the stack is open.
      .plain("_known_device") { call throws(LuaError) in
        let (address, adapter) = (try call[1].address(), try call[2].ifPresent?.string())
        return try forLua { () throws(CentralError) in [.object(try central.device(address, adapter: adapter))] }
      },
      .plain("type", keepsTables: true) { call in [LuaValue(call[1].value.typeName)] },
      .plain("uuid") { call throws(LuaError) in
        let kind = try call[2].kind()
        let uuid = try call[1].uuid(kind)
        return [LuaValue(uuid.description), LuaValue(uuid.name(kind))]
      },
    ]
  }

  private static func adapterFunctions(_ central: Central) -> [LuaFunctionDefinition] {
    [
      .waiting("adapters") { _ async throws(LuaError) in
        try await forLua { () async throws(CentralError) in try await central.open() }
        return [LuaValue(central.allAdapters.map { .object($0) })]
      },
      .waiting("adapter") { call async throws(LuaError) in
        let name = try call[1].ifPresent?.string()
        return try await forLua { () async throws(CentralError) in
          try await central.open()
          return [.object(try central.adapter(name))]
        }
      },
      .waiting("state") { call async throws(LuaError) in
        let name = try call[1].ifPresent?.string()
        try? await central.open()
        return [LuaValue(central.state(of: name).rawValue)]
      },
      .waiting("ready") { call async throws(LuaError) in
        let options = try call.options(1)
        let timeout = try options.timeout(usually: UsualTimeout.connect)
        let name = try options["adapter"].ifPresent?.string()
        try await forLua { () async throws(CentralError) in try await central.ready(name, timeout: timeout) }
        return []
      },
      .plain("_state_changes") { _ in
        [.object(LuaEvents(central.stateChanges(), of: central) { LuaValue($0.rawValue) })]
      },
    ]
  }
}

extension LuaCall.Options {
  /// Fields of a scan's table that say how to scan, not what to report.
  static let scanFields: Set<String> = ["duplicates", "timeout", "count", "adapter"]

  fileprivate func scanOptions() throws(LuaError) -> ScanOptions {
    var options = ScanOptions()
    options.duplicates = try self["duplicates"].ifPresent?.boolean() ?? false
    options.timeout = try seconds("timeout")
    options.count = try (self["count"].ifPresent?.integer(in: 1...Int64.max)).map { Int($0) }
    return options
  }
}

extension LuaCall.Argument {
  fileprivate func kind() throws(LuaError) -> AssignedNumbers.Kind {
    switch try word(["service", "characteristic", "descriptor"]) {
    case "service": .service
    case "descriptor": .descriptor
    default: .characteristic
    }
  }
}

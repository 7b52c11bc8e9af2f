internal import Bluetooth
public import Central
internal import EventLoop
public import LuaRuntime

/// `subscription`: completed in scripts/lib/ble.lua.
extension Subscription: LuaObject {
  public static let luaType = LuaType("subscription", of: Subscription.self) { type in
    type.get("dropped") { LuaValue($0.dropped) }
    type.waiting("_next") { subscription, call async throws(LuaError) in
      let timeout = try call[1].ifPresent?.seconds()
      let value = try await forLua { () async throws(CentralError) in try await subscription.next(timeout: timeout) }
      return [value.map { .string($0) } ?? .nil]
    }
    type.waiting("wait") { subscription, _ async in
      await subscription.ended()
      return []
    }
    type.method("cancel") { subscription, _ in
      subscription.cancel()
      return []
    }
    type.close { $0.cancel() }
    type.tostring { "subscription of 0x\(String($0.handle, radix: 16)) on \($0.device.id.address)" }
  }
}

/// `scan`: a scan under way.
@LoopActor
final class LuaScan: LuaObject {
  let scan: Scan
  let functions: FilterFunctions

  init(_ scan: Scan, _ functions: FilterFunctions) {
    self.scan = scan
    self.functions = functions
  }

  /// A script that has lost it wants no more.
  isolated deinit { scan.cancel() }

  static let luaType = LuaType("scan", of: LuaScan.self) { type in
    type.get("dropped") { LuaValue($0.scan.dropped) }
    type.waiting("next") { scan, _ async throws(LuaError) in
      let advertisement = try await forLua { () async throws(CentralError) in try await scan.scan.next() }
      if let failure = scan.functions.failure {
        scan.scan.cancel()
        throw failure
      }
      return [advertisement.map { .table(LuaTable($0)) } ?? .nil]
    }
    type.method("cancel") { scan, _ in
      scan.scan.cancel()
      return []
    }
    type.close { $0.scan.cancel() }
  }
}

/// `events`: what happens, one value after the other. Their source lives as long as somebody waits for them.
@LoopActor
final class LuaEvents: LuaObject {
  private let next: @LoopActor () async throws(CentralError) -> LuaValue
  private let cancel: @LoopActor () -> Void

  init<Event>(
    _ stream: EventStream<Event>, of source: AnyObject, _ value: @escaping @LoopActor (Event) -> LuaValue
  ) {
    next = { () async throws(CentralError) in
      defer { withExtendedLifetime(source) {} }
      return try await stream.next().map(value) ?? .nil
    }
    cancel = { stream.cancel() }
  }

  static let luaType = LuaType("events", of: LuaEvents.self) { type in
    type.waiting("next") { events, _ async throws(LuaError) in
      [try await forLua { () async throws(CentralError) in try await events.next() }]
    }
    type.method("cancel") { events, _ in
      events.cancel()
      return []
    }
    type.close { $0.cancel() }
  }
}

public import EventLoop

/// A connection to a message bus.
@LoopActor
public final class Connection {
  public enum Address: Hashable, Sendable {
    /// `DBUS_SYSTEM_BUS_ADDRESS`, or the default socket.
    case system
    /// An address as the D-Bus Specification writes it, `unix:path=/run/bus`.
    case address(String)
  }

  public typealias Answer = Result<[Value], DBusError>

  public let uniqueName: String = ""
  public private(set) var isOpen = false
  public var onLost: (@LoopActor (DBusError) -> Void)?
  public var onRuleRefused: (@LoopActor (MatchRule, DBusError) -> Void)?
  public private(set) var traffic: UInt64 = 0
  public var pendingReplies: Int { 0 }
  public var matchRules: Int { 0 }

  init() {}

  public static func open(_ address: Address, timeout: Seconds) async throws(DBusError) -> Connection {
    throw .disconnected
  }

  public func call(
    _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [],
    timeout: Seconds
  ) async throws(DBusError) -> [Value] {
    try await call(MethodCall(destination, path, interface, member, arguments), timeout: timeout)
  }

  public func call(_ call: MethodCall, timeout: Seconds) async throws(DBusError) -> [Value] {
    throw .disconnected
  }

  @discardableResult
  public func send(
    _ call: MethodCall, timeout: Seconds, _ done: @escaping @LoopActor (Answer) -> Void
  ) -> PendingReply {
    PendingReply(serial: 0, isCounted: true, connection: self, done: done)
  }

  /// Sends a call that wants no reply.
  public func post(_ call: MethodCall) throws(DBusError) {}

  public func listen(_ rule: MatchRule, _ handler: @escaping @LoopActor (Signal) -> Void) -> Listener {
    Listener {}
  }

  public func watchOwner(
    of name: String, _ handler: @escaping @LoopActor (_ old: String?, _ new: String?) -> Void
  ) -> Listener {
    Listener {}
  }

  public func owner(of name: String) async -> String? { nil }

  public func emit(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [], to destination: String? = nil
  ) throws(DBusError) {}

  public func requestName(_ name: String) async throws(DBusError) {}
  public func releaseName(_ name: String) async throws(DBusError) {}
  public func roundTrip() async throws(DBusError) {}
  public func flush() {}
  public func close() {}

  func forget(_ reply: PendingReply) {}
}

public import EventLoop

@LoopActor
public final class ObjectServer {
  public init(_ connection: Connection, root: ObjectPath? = "/") {}

  public func add(_ interfaces: [any ExportedInterface], at path: ObjectPath) {}
  public func remove(at path: ObjectPath, interface: String? = nil) {}
  public func changed(_ path: ObjectPath, _ interface: String, _ property: String) {}
  public func send(now path: ObjectPath, _ interface: String, _ property: String) {}
  public func emit(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [])
    throws(DBusError)
  {}
  public func flush() {}
  public func close() {}
  public var paths: [ObjectPath] { [] }
}

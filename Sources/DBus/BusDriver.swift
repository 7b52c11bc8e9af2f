/// The message bus itself (D-Bus Specification, Message Bus Messages).
enum BusDriver {
  static let name = "org.freedesktop.DBus"
  static let path: ObjectPath = "/org/freedesktop/DBus"

  static func call(_ member: String, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(name, path, name, member, arguments)
  }
}

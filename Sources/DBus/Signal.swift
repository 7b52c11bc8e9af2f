/// A signal that came in.
public struct Signal: Sendable {
  /// The unique name of its sender; of the bus itself `org.freedesktop.DBus`.
  public let sender: String
  public let path: ObjectPath
  public let interface: String
  public let member: String
  public let arguments: [Value]
}

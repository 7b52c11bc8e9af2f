/// A call to be sent. Names are checked when it is.
public struct MethodCall: Sendable {
  /// A bus name.
  public var destination: String
  public var path: ObjectPath
  public var interface: String
  public var member: String
  public var arguments: [Value]
  /// Whether the bus may start the owner of `destination`. As usual on D-Bus: yes.
  public var startsService = true

  public init(
    _ destination: String, _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = []
  ) {
    (self.destination, self.path, self.interface) = (destination, path, interface)
    (self.member, self.arguments) = (member, arguments)
  }
}

public import EventLoop

/// A call of one of our methods. Answer it once.
@LoopActor
public final class IncomingCall {
  public let sender: String
  public let path: ObjectPath
  public let interface: String
  public let member: String
  public let arguments: [Value]
  public let expectsReply: Bool

  init(sender: String, path: ObjectPath, interface: String, member: String, arguments: [Value], expectsReply: Bool) {
    (self.sender, self.path, self.interface) = (sender, path, interface)
    (self.member, self.arguments, self.expectsReply) = (member, arguments, expectsReply)
  }

  public private(set) var isAnswered = false

  public func reply(_ values: [Value] = []) {}
  public func fail(_ name: String, _ message: String) {}
  /// The call is never answered.
  public func drop() {}
}

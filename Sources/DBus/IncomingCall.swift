internal import CDBus
public import EventLoop

/// A call of one of our methods. It wants one answer, now or later; an object that goes unanswered is answered with an
/// error, so that nobody waits for nothing.
@LoopActor
public final class IncomingCall {
  /// The caller's unique name.
  public let sender: String
  public let path: ObjectPath
  /// Empty where the caller named none.
  public let interface: String
  public let member: String
  public let arguments: [Value]
  /// False: the caller does not want an answer, and none is sent.
  public let expectsReply: Bool
  public private(set) var isAnswered = false

  private let message: Message
  private let connection: Connection

  /// Nil where the arguments can't be had; that has been answered, then.
  init?(_ message: consuming Message, _ decoder: Decoder, on connection: Connection) {
    let pointer = message.pointer
    func text(_ start: UnsafePointer<CChar>?) -> String { start.map { decoder.names.string($0) } ?? "" }
    do throws(DBusError) {
      arguments = try decoder.values(of: pointer)
    } catch {
      if let answer = try? message.error(error.name, error.message) { _ = try? connection.transmit(answer) }
      return nil
    }
    sender = text(dbus_message_get_sender(pointer))
    path = ObjectPath(unchecked: text(dbus_message_get_path(pointer)))
    interface = text(dbus_message_get_interface(pointer))
    member = text(dbus_message_get_member(pointer))
    expectsReply = message.expectsReply
    self.connection = connection
    self.message = message
  }

  /// Types of the arguments.
  public var signature: String { message.signature }

  /// Answers with `values`. Where D-Bus does not allow these, the caller gets an error that says so.
  public func reply(_ values: [Value] = []) {
    answer { () throws(DBusError) in try message.reply(values) }
  }

  /// Answers with an error.
  public func fail(_ name: String, _ message: String) {
    answer { () throws(DBusError) in try self.message.error(name, message) }
  }

  /// The call is never answered.
  public func drop() {
    isAnswered = true
  }

  private func answer(_ make: () throws(DBusError) -> Message) {
    guard !isAnswered else { return }
    isAnswered = true
    guard expectsReply else { return }
    do throws(DBusError) {
      try connection.transmit(try make())
    } catch {
      // Over a lost connection this fails again, and nobody is there to be told.
      if let refusal = try? message.error(error.name, error.message) { _ = try? connection.transmit(refusal) }
    }
  }

  isolated deinit { fail("org.freedesktop.DBus.Error.Failed", "the call was not answered") }
}

extension IncomingCall {
  /// libdbus's text for what there is not, its line feed included; `bluetoothd` answers so.
  func failUnknown(_ error: String) {
    // A caller may leave the interface out: then libdbus prints a null pointer.
    let interface = interface.isEmpty ? "(null)" : interface
    fail(
      "org.freedesktop.DBus.Error." + error,
      "Method \"\(member)\" with signature \"\(signature)\" on interface \"\(interface)\" doesn't exist\n")
  }
}

internal import CDBus

/// Owns a message of libdbus.
struct Message: ~Copyable {
  enum Kind { case call, reply, error, signal, unknown }

  let pointer: OpaquePointer

  /// Takes over a reference.
  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  /// Nil comes from libdbus where memory is short.
  private static func make(_ pointer: OpaquePointer?, _ values: [Value]) throws(DBusError) -> Message {
    guard let pointer else { throw .noMemory }
    let message = Message(pointer)
    guard Encoder.append(values, to: pointer) else { throw .noMemory }
    return message
  }

  /// A call, its names and arguments checked.
  static func call(_ call: MethodCall) throws(DBusError) -> Message {
    guard call.destination.isBusName else { throw .invalidArguments("\"\(call.destination)\" is no bus name") }
    try checkMember(call.interface, call.member)
    _ = try BodyCheck.run(call.arguments)
    let message = try Message.make(
      dbus_message_new_method_call(call.destination, call.path.string, call.interface, call.member),
      call.arguments)
    dbus_message_set_auto_start(message.pointer, call.startsService ? 1 : 0)
    return message
  }

  static func signal(
    _ path: ObjectPath, _ interface: String, _ member: String, _ values: [Value], to destination: String? = nil
  ) throws(DBusError) -> Message {
    try checkMember(interface, member)
    if let destination, !destination.isBusName { throw .invalidArguments("\"\(destination)\" is no bus name") }
    _ = try BodyCheck.run(values)
    let message = try Message.make(dbus_message_new_signal(path.string, interface, member), values)
    if let destination, dbus_message_set_destination(message.pointer, destination) == 0 { throw .noMemory }
    return message
  }

  func reply(_ values: [Value]) throws(DBusError) -> Message {
    _ = try BodyCheck.run(values)
    return try Message.make(dbus_message_new_method_return(pointer), values)
  }

  /// An error in answer to this call. A bad name is replaced, a NUL ends the text: an answer must go out.
  func error(_ name: String, _ text: String) throws(DBusError) -> Message {
    let name = name.isErrorName ? name : "org.freedesktop.DBus.Error.Failed"
    return try Message.make(dbus_message_new_error(pointer, name, text), [])
  }

  private static func checkMember(_ interface: String, _ member: String) throws(DBusError) {
    guard interface.isInterfaceName else { throw .invalidArguments("\"\(interface)\" is no interface name") }
    guard member.isMemberName else { throw .invalidArguments("\"\(member)\" is no member name") }
  }

  var kind: Kind {
    switch dbus_message_get_type(pointer) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: .reply
    case DBUS_MESSAGE_TYPE_ERROR: .error
    case DBUS_MESSAGE_TYPE_SIGNAL: .signal
    default: .unknown
    }
  }

  var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }

  var expectsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }

  var containsDescriptors: Bool { dbus_message_contains_unix_fds(pointer) != 0 }

  /// Types of the arguments.
  var signature: String { dbus_message_get_signature(pointer).map { String(cString: $0) } ?? "" }

  /// The error that this message tells; its text is the first argument, where that is a string.
  func asError(_ decoder: Decoder) -> DBusError {
    let name = dbus_message_get_error_name(pointer).map { String(cString: $0) }
    let text = (try? decoder.values(of: pointer))?.first?.string
    return DBusError(name: name ?? "org.freedesktop.DBus.Error.Failed", message: text ?? "")
  }

  deinit { dbus_message_unref(pointer) }
}

extension Message {
  /// libdbus's own note that the connection is gone. No peer can send it: such messages are refused as they come in.
  var isLoss: Bool {
    dbus_message_is_signal(pointer, "org.freedesktop.DBus.Local", "Disconnected") != 0
  }
}

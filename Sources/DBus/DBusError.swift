/// What a call ended with: the error as the other side sent it, or one of our own.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The D-Bus name, verbatim.
  public let name: String
  /// Text for people; may be empty.
  public let message: String

  public init(name: String, message: String) {
    (self.name, self.message) = (name, message)
  }

  public var description: String { message.isEmpty ? name : "\(name): \(message)" }

  static func standard(_ name: String, _ message: String) -> DBusError {
    DBusError(name: "org.freedesktop.DBus.Error." + name, message: message)
  }

  /// The deadline of a call passed; the other side may still be at work.
  public static let noReply = standard("NoReply", "no reply within the time allowed")
  /// The connection to the bus is gone, or was closed by us.
  public static let disconnected = standard("Disconnected", "the connection to the message bus is lost")
  public static let noMemory = standard("NoMemory", "out of memory")
  /// The task that waited for the answer was cancelled. Not a name of D-Bus.
  public static let cancelled = DBusError(name: "blescript.Error.Cancelled", message: "the call was cancelled")

  /// Something in a message to be sent breaks the rules of D-Bus.
  public static func invalidArguments(_ message: String) -> DBusError { standard("InvalidArgs", message) }
  /// A value is not of the type that was declared.
  public static func invalidSignature(_ message: String) -> DBusError { standard("InvalidSignature", message) }
  /// A limit of the D-Bus Specification or of the bus is exceeded.
  public static func limitsExceeded(_ message: String) -> DBusError { standard("LimitsExceeded", message) }
  public static func failed(_ message: String) -> DBusError { standard("Failed", message) }
  /// A reply was not what the interface promises.
  public static func inconsistent(_ message: String) -> DBusError { standard("InconsistentMessage", message) }

  /// The same error, saying where.
  func at(_ place: String) -> DBusError {
    DBusError(name: name, message: "\(message) (\(place))")
  }
}

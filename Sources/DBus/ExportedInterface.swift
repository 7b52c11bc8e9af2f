public import EventLoop

/// One interface of one object, as its owner implements it.
@LoopActor
public protocol ExportedInterface: AnyObject {
  /// Read once, when the interface is added.
  var description: InterfaceDescription { get }

  /// A method of ours was called; the types of its arguments have been checked. Answer now or later, once.
  func call(_ call: IncomingCall)

  /// Nil: the property does not exist just now.
  func get(_ property: String) -> Value?

  /// Type and access have been checked; `value` comes without its variant. Answer through `call`.
  func set(_ property: String, _ value: Value, _ call: IncomingCall)
}

extension ExportedInterface {
  public func get(_ property: String) -> Value? { nil }

  public func set(_ property: String, _ value: Value, _ call: IncomingCall) {
    call.fail("org.freedesktop.DBus.Error.PropertyReadOnly", "Property '\(property)' is not writable")
  }
}

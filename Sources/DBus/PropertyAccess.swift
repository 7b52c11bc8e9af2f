internal import EventLoop

/// `org.freedesktop.DBus.Properties` with the errors and texts of gdbus (`gdbus/object.c`).
@LoopActor
enum PropertyAccess {
  static func get(_ call: IncomingCall, _ node: ObjectNode) {
    guard let (interface, name) = target(of: call, node) else { return }
    guard let property = interface.property(name) else { return noProperty(call, name, "InvalidArgs") }
    guard property.access != .write else { return fail(call, "InvalidArgs", "Property '\(name)' is not readable") }
    guard let value = interface.owner?.get(name) else { return noProperty(call, name, "InvalidArgs") }
    call.reply([.variant(value)])
  }

  static func getAll(_ call: IncomingCall, _ node: ObjectNode) {
    guard let (interface, _) = target(of: call, node) else { return }
    call.reply([interface.values])
  }

  static func set(_ call: IncomingCall, _ node: ObjectNode) {
    guard let (interface, name) = target(of: call, node) else { return }
    guard let property = interface.property(name), let owner = interface.owner,
      case .variant(let value)? = call.arguments.last
    else { return noProperty(call, name, "UnknownProperty") }
    guard property.access != .read else {
      return fail(call, "PropertyReadOnly", "Property '\(name)' is not writable")
    }
    if property.access == .readwrite, owner.get(name) == nil { return noProperty(call, name, "UnknownProperty") }
    guard value.signature == property.type else {
      return fail(call, "InvalidSignature", "Invalid signature for '\(name)'")
    }
    owner.set(name, value, call)
  }

  /// The interface, and the property's name where the method takes one.
  private static func target(of call: IncomingCall, _ node: ObjectNode) -> (ObjectNode.Interface, String)? {
    let name = call.arguments.first?.string ?? ""
    guard let interface = node[name] else {
      fail(call, "InvalidArgs", "No such interface '\(name)'")
      return nil
    }
    return (interface, call.arguments.dropFirst().first?.string ?? "")
  }

  private static func noProperty(_ call: IncomingCall, _ name: String, _ error: String) {
    fail(call, error, "No such property '\(name)'")
  }

  private static func fail(_ call: IncomingCall, _ error: String, _ text: String) {
    call.fail("org.freedesktop.DBus.Error." + error, text)
  }
}

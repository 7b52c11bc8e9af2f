internal import CDBus

/// `org.freedesktop.DBus.Peer`, which each connection answers on each path.
extension ObjectServer {
  /// Whether the call was for it.
  static func answerPeer(_ call: IncomingCall) -> Bool {
    guard call.interface == InterfaceDescription.peerName else { return false }
    switch (call.member, call.signature) {
    case ("Ping", _): call.reply()
    case ("GetMachineId", _):
      if let id = dbus_try_get_local_machine_id(nil) {
        call.reply([.string(String(cString: id))])
        dbus_free(id)
      } else {
        call.fail("org.freedesktop.DBus.Error.FileNotFound", "this machine has no identity")
      }
    default: call.failUnknown("UnknownMethod")
    }
    return true
  }

  /// For a connection that exports nothing.
  static func answerWithoutObjects(_ call: IncomingCall) {
    if !answerPeer(call) { call.failUnknown("UnknownObject") }
  }
}

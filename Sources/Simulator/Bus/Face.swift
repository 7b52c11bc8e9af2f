internal import DBus
internal import EventLoop

/// One interface of an object of bluetoothd, as the bus sees it. What it stands for is a model of its own.
@LoopActor
class Face: ExportedInterface {
  let path: ObjectPath
  let description: InterfaceDescription
  unowned let daemon: Bluetoothd

  init(_ daemon: Bluetoothd, _ path: ObjectPath, _ description: InterfaceDescription) {
    (self.daemon, self.path, self.description) = (daemon, path, description)
  }

  /// Whose it is, for faults that are meant for one peripheral or one attribute.
  var subject: Fault.Subject { Fault.Subject(path: path.string) }

  final func call(_ call: IncomingCall) {
    daemon.faults.pass(call.member, subject, call) { [weak self] in
      guard let self else { return call.drop() }
      handle(call)
    }
  }

  final func set(_ property: String, _ value: Value, _ call: IncomingCall) {
    daemon.faults.pass("Set " + property, subject, call) { [weak self] in
      guard let self else { return call.drop() }
      handleSet(property, value, call)
    }
  }

  func handle(_ call: IncomingCall) {
    call.fail(.notSupported)
  }

  func get(_ property: String) -> Value? { nil }

  func handleSet(_ property: String, _ value: Value, _ call: IncomingCall) {
    call.fail(.notSupported)
  }

  func changed(_ properties: String...) {
    for property in properties { daemon.server?.changed(path, description.name, property) }
  }
}

extension IncomingCall {
  func fail(_ error: BlueZError) {
    fail(error.name, error.text)
  }

  /// Answers with nothing, or with an error.
  func finish(_ error: BlueZError?) {
    if let error { fail(error) } else { reply() }
  }
}

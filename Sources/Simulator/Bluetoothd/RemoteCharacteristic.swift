internal import DBus
internal import EventLoop

/// A characteristic as bluetoothd knows it.
@LoopActor
final class RemoteCharacteristic: RemoteAttribute {
  let declared: AttributeTable.Characteristic
  private(set) var descriptors: [RemoteDescriptor] = []
  private let service: ObjectPath
  private(set) lazy var sessions = NotifySessions(self)
  private(set) var acquiredWrite: AcquiredSocket?
  private lazy var face = GattCharacteristicInterface(self, service)

  init?(_ table: RemoteTable, _ service: ObjectPath, _ declared: AttributeTable.Characteristic) {
    guard let path = service.appending("char" + hexadecimal(declared.handle)) else { return nil }
    (self.declared, self.service) = (declared, service)
    super.init(table, path, declared.value)
    descriptors = declared.descriptors.compactMap { RemoteDescriptor(table, path, descriptor: $0) }
    // bluetoothd reads it itself.
    if declared.uuid == RemoteTable.databaseHash { value = declared.value.value }
  }

  var handle: UInt16 { declared.handle }
  var valueHandle: UInt16 { attribute.handle }

  func appear() {
    device.daemon.server?.add([face], at: path)
    for descriptor in descriptors { descriptor.appear() }
  }

  func disappear() {
    dropCalls()
    sessions.close()
    acquiredWrite?.close()
    acquiredWrite = nil
    for descriptor in descriptors { descriptor.disappear() }
    device.daemon.server?.remove(at: path)
  }

  override func dropCalls() {
    super.dropCalls()
    sessions.dropCalls()
    for descriptor in descriptors { descriptor.dropCalls() }
  }

  override func valueChanged() {
    face.changed("Value")
  }

  func changed(_ property: String) {
    face.changed(property)
  }

  func received(_ bytes: [UInt8]) {
    sessions.received(bytes)
  }

  /// Each session sends its own copy, unmerged, even where the value is the last one.
  func signalNotification(_ bytes: [UInt8]) {
    value = bytes
    device.daemon.server?.send(now: path, face.description.name, "Value")
  }

  func linkEnded() {
    sessions.linkEnded()
    releaseWrite()
  }

  // MARK: Writing

  func write(_ call: IncomingCall) {
    do throws(BlueZError) {
      guard let link = device.link else { throw .notAttached }
      if acquiredWrite != nil { throw .notPermitted("Write acquired") }
      if isWriting { throw .inProgress }
      let bytes = call.arguments.first?.bytes ?? []
      let options = try Options(call.arguments.last)
      switch options.type ?? usualType {
      case "request": request(bytes, offset: options.offset, call)
      case "reliable":
        if bytes.isEmpty { throw .notInitiated }
        request(bytes, offset: options.offset, reliably: true, call)
      case "command":
        if options.offset > 0 { throw .notSupported }
        if bytes.count > link.mtu - 3 { throw .notInitiated }
        link.command(valueHandle, bytes)
        call.reply()
      default: throw .notSupported
      }
    } catch {
      call.fail(error)
    }
  }

  private var usualType: String? {
    let flags = declared.flags
    if flags.contains("reliable-write") { return "reliable" }
    if flags.contains("write") { return "request" }
    return flags.contains("write-without-response") ? "command" : nil
  }

  func acquireWrite(_ call: IncomingCall) {
    do throws(BlueZError) {
      guard let link = device.link else { throw .notAttached }
      if acquiredWrite != nil { throw .notPermitted("Write acquired") }
      guard declared.flags.contains("write-without-response") else { throw .notSupported }
      let socket = AcquiredSocket { [weak self] packet in
        guard let self else { return }
        device.link?.command(valueHandle, packet)
      } onClose: { [weak self] in
        self?.releaseWrite()
      }
      guard let socket, let descriptor = socket.take() else { throw .failed("Too many open files") }
      acquiredWrite = socket
      changed("WriteAcquired")
      call.reply([.descriptor(descriptor), .uint16(UInt16(link.mtu))])
    } catch {
      call.fail(error)
    }
  }

  private func releaseWrite() {
    guard let socket = acquiredWrite else { return }
    socket.close()
    acquiredWrite = nil
    changed("WriteAcquired")
  }
}

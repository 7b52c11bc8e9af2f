internal import DBus
internal import EventLoop

/// `org.bluez.GattDescriptor1`.
@LoopActor
final class RemoteDescriptor: RemoteAttribute {
  private let characteristic: ObjectPath
  private lazy var face = GattDescriptorInterface(self, characteristic)

  init?(_ table: RemoteTable, _ characteristic: ObjectPath, descriptor: Attribute) {
    guard let path = characteristic.appending("desc" + hexadecimal(descriptor.handle)) else { return nil }
    self.characteristic = characteristic
    super.init(table, path, descriptor)
    // bluetoothd reads these itself.
    if descriptor.uuid == RemoteTable.extendedProperties { value = descriptor.value }
  }

  func appear() {
    device.daemon.server?.add([face], at: path)
  }

  func disappear() {
    dropCalls()
    device.daemon.server?.remove(at: path)
  }

  override func valueChanged() {
    face.changed("Value")
  }

  func write(_ call: IncomingCall) {
    do throws(BlueZError) {
      guard device.link != nil else { throw .notAttached }
      // That is StartNotify's.
      if attribute.isClientConfiguration { throw .notPermitted("Write not permitted") }
      if isWriting { throw .inProgress }
      let options = try Options(call.arguments.last)
      request(call.arguments.first?.bytes ?? [], offset: options.offset, call)
    } catch {
      call.fail(error)
    }
  }
}

@LoopActor
final class GattDescriptorInterface: Face {
  private unowned let descriptor: RemoteDescriptor
  private let characteristic: ObjectPath

  init(_ descriptor: RemoteDescriptor, _ characteristic: ObjectPath) {
    (self.descriptor, self.characteristic) = (descriptor, characteristic)
    super.init(descriptor.device.daemon, descriptor.path, GattDescriptorInterface.described)
  }

  // The documented `Flags` are not there for what a peripheral has (seen: transcript unknown_gatt).
  static let described = InterfaceDescription(
    "org.bluez.GattDescriptor1",
    methods: [
      .init("ReadValue", in: [.init("options", "a{sv}")], out: [.init("value", "ay")]),
      .init("WriteValue", in: [.init("value", "ay"), .init("options", "a{sv}")]),
    ],
    properties: [.init("UUID", "s"), .init("Characteristic", "o"), .init("Value", "ay")])

  override var subject: Fault.Subject {
    Fault.Subject(path: path.string, address: descriptor.device.address, uuid: descriptor.attribute.uuid)
  }

  override func handle(_ call: IncomingCall) {
    if call.member == "ReadValue" { descriptor.read(call) } else { descriptor.write(call) }
  }

  override func get(_ property: String) -> Value? {
    switch property {
    case "UUID": .string(descriptor.attribute.uuid)
    case "Characteristic": .path(characteristic)
    case "Value": .bytes(descriptor.value)
    default: nil
    }
  }
}

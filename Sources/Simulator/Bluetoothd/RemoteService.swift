internal import DBus
internal import EventLoop

/// `org.bluez.GattService1`.
@LoopActor
final class RemoteService {
  let declared: AttributeTable.Service
  let path: ObjectPath
  private(set) var characteristics: [RemoteCharacteristic] = []
  private unowned let table: RemoteTable
  private let face: GattServiceInterface

  init?(_ table: RemoteTable, _ declared: AttributeTable.Service) {
    guard let path = table.device.path.appending("service" + hexadecimal(declared.handle)) else { return nil }
    (self.table, self.declared, self.path) = (table, declared, path)
    face = GattServiceInterface(table.device, path, declared)
    characteristics = declared.characteristics.compactMap { RemoteCharacteristic(table, path, $0) }
  }

  func appear() {
    table.device.daemon.server?.add([face], at: path)
    for characteristic in characteristics { characteristic.appear() }
  }

  /// Children first (seen: transcript remove_connected).
  func disappear() {
    for characteristic in characteristics { characteristic.disappear() }
    table.device.daemon.server?.remove(at: path)
  }

  func dropCalls() {
    for characteristic in characteristics { characteristic.dropCalls() }
  }
}

@LoopActor
final class GattServiceInterface: Face {
  private unowned let device: Device
  private let declared: AttributeTable.Service

  init(_ device: Device, _ path: ObjectPath, _ declared: AttributeTable.Service) {
    (self.device, self.declared) = (device, declared)
    super.init(device.daemon, path, GattServiceInterface.described)
  }

  static let described = InterfaceDescription(
    "org.bluez.GattService1",
    properties: [.init("UUID", "s"), .init("Device", "o"), .init("Primary", "b"), .init("Includes", "ao")])

  override func get(_ property: String) -> Value? {
    switch property {
    case "UUID": .string(declared.uuid)
    case "Device": .path(device.path)
    case "Primary": .bool(declared.isPrimary)
    case "Includes":
      .paths(declared.includes.compactMap { device.path.appending("service" + hexadecimal($0.handle)) })
    default: nil
    }
  }
}

internal import Bluetooth
internal import Central
internal import DBus
internal import EventLoop

/// `org.bluez.Device1` (BlueZ, doc/org.bluez.Device) and the attributes below it.
@LoopActor
final class DeviceObject {
  static let interface = "org.bluez.Device1"

  let path: ObjectPath
  let id: DeviceID
  var state: DeviceState { properties.state }
  /// The largest ATT packet of the present link in bytes.
  var mtu: Int?

  private var properties = Properties()
  private var byHandle: [UInt16: AttributeObject] = [:]
  private var table: AttributeTable?

  /// What is kept of the properties; the advertised data as bluetoothd has gathered it.
  private struct Properties {
    var state = DeviceState()
    var name: String?
    var uuids: [UUID] = []
    var txPower: Int?
    var appearance: UInt16?
    var flags: UInt8?
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [UUID: [UInt8]] = [:]
  }

  /// Nil where the properties lack an address or an adapter, which bluetoothd always gives.
  init?(path: ObjectPath, _ properties: Value) {
    guard let address = properties["Address"]?.string.flatMap(Address.init),
      let adapter = properties["Adapter"]?.path?.lastComponent
    else { return nil }
    self.path = path
    id = DeviceID(adapter: adapter, address: address)
    apply(properties)
  }

  /// A property that is not there any more comes as nil.
  private static let rows: [String: (inout Properties, Value?) -> Void] = [
    "AddressType": { $0.state.addressType = $1?.string.flatMap(AddressType.init) ?? .public },
    "Name": { $0.state.name = $1?.string },
    // 127 stands for unknown (Core Specification, Vol 4, Part E, 7.7.65.2).
    "RSSI": { $0.state.rssi = $1?.int.flatMap { $0 == 127 ? nil : $0 } },
    "TxPower": { $0.txPower = $1?.int.flatMap { $0 == 127 ? nil : $0 } },
    "Connected": { $0.state.isConnected = $1?.bool ?? false },
    "ServicesResolved": { $0.state.areServicesResolved = $1?.bool ?? false },
    "Paired": { $0.state.isPaired = $1?.bool ?? false },
    "Bonded": { $0.state.isBonded = $1?.bool ?? false },
    "Trusted": { $0.state.isTrusted = $1?.bool ?? false },
    "Blocked": { $0.state.isBlocked = $1?.bool ?? false },
    "UUIDs": { $0.uuids = $1?.strings?.compactMap { UUID($0) } ?? [] },
    "Appearance": { $0.appearance = $1?.int.flatMap { UInt16(exactly: $0) } },
    "AdvertisingFlags": { $0.flags = $1?.bytes?.first },
    "ManufacturerData": { $0.manufacturerData = $1.map(manufacturerData) ?? [:] },
    "ServiceData": { $0.serviceData = $1.map(serviceData) ?? [:] },
  ]

  private nonisolated static func manufacturerData(_ value: Value) -> [UInt16: [UInt8]] {
    var data: [UInt16: [UInt8]] = [:]
    value.entries?.forEachUnwrapped { key, value in
      if case .uint16(let company) = key { data[company] = value.bytes }
    }
    return data
  }

  private nonisolated static func serviceData(_ value: Value) -> [UUID: [UInt8]] {
    var data: [UUID: [UInt8]] = [:]
    value.entries?.forEachUnwrapped { key, value in
      if let uuid = key.string.flatMap(UUID.init) { data[uuid] = value.bytes }
    }
    return data
  }

  func apply(_ changed: Value, invalidated: [String] = []) {
    changed.entries?.forEachUnwrapped { key, value in
      if case .string(let name) = key { Self.rows[name]?(&properties, value) }
    }
    for name in invalidated { Self.rows[name]?(&properties, nil) }
    if !properties.state.isConnected { mtu = nil }
  }

  /// The advertisement that a change of properties tells of, or nil where it tells of none.
  /// With DuplicateData, which our discovery asks for, the data in a change are those of one advertisement
  /// (src/device.c, `device_set_manufacturer_data`).
  func advertisement(in changed: Value, time: Double) -> Advertisement? {
    let hasManufacturer = changed["ManufacturerData"] != nil
    let hasService = changed["ServiceData"] != nil
    guard hasManufacturer || hasService || changed["RSSI"] != nil else { return nil }
    return Advertisement(
      address: id.address, addressType: state.addressType, name: state.name, rssi: state.rssi,
      txPower: properties.txPower, services: properties.uuids,
      manufacturerData: hasManufacturer ? properties.manufacturerData : [:],
      serviceData: hasService ? properties.serviceData : [:],
      flags: properties.flags, appearance: properties.appearance, time: time, adapter: id.adapter)
  }

  // MARK: Attributes

  func attribute(_ handle: UInt16) -> AttributeObject? { byHandle[handle] }

  /// Any characteristic: the MTU is told by each of them.
  var anyCharacteristic: AttributeObject? { byHandle.values.first { $0.kind == .characteristic } }

  var attributePaths: [ObjectPath] { byHandle.values.map(\.path) }

  func add(_ attribute: AttributeObject) {
    byHandle[attribute.handle] = attribute
    table = nil
  }

  func remove(_ attribute: AttributeObject) {
    if byHandle[attribute.handle] === attribute { byHandle[attribute.handle] = nil }
    table = nil
  }

  var attributes: AttributeTable {
    if let table { return table }
    let made = makeTable()
    table = made
    return made
  }

  private func makeTable() -> AttributeTable {
    let children = Dictionary(grouping: byHandle.values.sorted { $0.handle < $1.handle }) { $0.path.parent ?? path }
    let services = (children[path] ?? []).filter { $0.kind == .service }.map { service in
      AttributeTable.Service(
        uuid: service.uuid, handle: service.handle, isPrimary: service.isPrimary, includes: service.includes,
        characteristics: (children[service.path] ?? []).map { characteristic in
          AttributeTable.Characteristic(
            uuid: characteristic.uuid, handle: characteristic.handle, properties: characteristic.properties,
            descriptors: (children[characteristic.path] ?? []).map {
              AttributeTable.Descriptor(uuid: $0.uuid, handle: $0.handle)
            })
        })
    }
    return AttributeTable(services)
  }
}

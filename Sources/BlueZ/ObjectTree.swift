internal import Bluetooth
internal import Central
internal import DBus
internal import EventLoop

/// bluetoothd's objects as this program has been told of them. Looked up by path, for signals, and by identity.
@LoopActor
struct ObjectTree {
  private(set) var adapters: [ObjectPath: AdapterObject] = [:]
  private(set) var devices: [ObjectPath: DeviceObject] = [:]
  private(set) var attributes: [ObjectPath: AttributeObject] = [:]
  private var deviceByID: [DeviceID: DeviceObject] = [:]

  func adapter(named name: String) -> AdapterObject? {
    adapters.values.first { $0.state.name == name }
  }

  func device(_ id: DeviceID) -> DeviceObject? { deviceByID[id] }

  mutating func add(_ adapter: AdapterObject) {
    adapters[adapter.path] = adapter
  }

  mutating func add(_ device: DeviceObject) {
    devices[device.path] = device
    deviceByID[device.id] = device
  }

  mutating func add(_ attribute: AttributeObject) {
    attributes[attribute.path] = attribute
    device(holding: attribute.path)?.add(attribute)
  }

  /// Attributes lie below their device: `…/dev_…/service…/char…/desc…`.
  func device(holding path: ObjectPath) -> DeviceObject? {
    var path: ObjectPath? = path
    while let here = path {
      if let device = devices[here] { return device }
      path = here.parent
    }
    return nil
  }

  mutating func removeAttribute(_ path: ObjectPath) -> DeviceObject? {
    guard let attribute = attributes.removeValue(forKey: path) else { return nil }
    let device = device(holding: path)
    device?.remove(attribute)
    return device
  }

  mutating func removeDevice(_ path: ObjectPath) -> DeviceObject? {
    guard let device = devices.removeValue(forKey: path) else { return nil }
    if deviceByID[device.id] === device { deviceByID[device.id] = nil }
    for attribute in device.attributePaths { attributes[attribute] = nil }
    return device
  }

  /// The adapter and all below it, whether or not bluetoothd has said that those are gone.
  mutating func removeAdapter(_ path: ObjectPath) -> (AdapterObject, [DeviceObject])? {
    guard let adapter = adapters.removeValue(forKey: path) else { return nil }
    let below = devices.keys.filter { $0.isWithin(path) }
    return (adapter, below.compactMap { removeDevice($0) })
  }

  mutating func removeAll() {
    self = ObjectTree()
  }
}

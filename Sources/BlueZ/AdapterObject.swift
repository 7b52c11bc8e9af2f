internal import Bluetooth
internal import Central
internal import DBus
internal import EventLoop

/// `org.bluez.Adapter1` (BlueZ, doc/org.bluez.Adapter).
@LoopActor
final class AdapterObject {
  static let interface = "org.bluez.Adapter1"

  let path: ObjectPath
  private(set) var state: AdapterState

  /// Nil where the properties lack an address, which bluetoothd always gives.
  init?(path: ObjectPath, _ properties: Value) {
    guard let address = properties["Address"]?.string.flatMap(Address.init) else { return nil }
    self.path = path
    state = AdapterState(name: path.lastComponent, address: address, isPowered: false)
    apply(properties)
  }

  private static let properties: [String: (inout AdapterState, Value) -> Void] = [
    "Address": { $0.address = $1.string.flatMap(Address.init) ?? $0.address },
    "Alias": { $0.alias = $1.string ?? $0.alias },
    "Powered": { $0.isPowered = $1.bool ?? $0.isPowered },
    "Discovering": { $0.isDiscovering = $1.bool ?? $0.isDiscovering },
  ]

  func apply(_ changed: Value) {
    changed.entries?.forEachUnwrapped { key, value in
      if case .string(let name) = key { Self.properties[name]?(&state, value) }
    }
  }
}

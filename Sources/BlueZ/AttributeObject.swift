internal import Bluetooth
internal import DBus
internal import EventLoop

/// `org.bluez.GattService1`, `GattCharacteristic1` or `GattDescriptor1` (BlueZ, doc/org.bluez.Gatt…).
@LoopActor
final class AttributeObject {
  enum Kind: String, CaseIterable {
    case service = "org.bluez.GattService1"
    case characteristic = "org.bluez.GattCharacteristic1"
    case descriptor = "org.bluez.GattDescriptor1"

    /// What the last component of a path begins with; four hexadecimal digits follow, the declaration's handle.
    var prefix: String {
      switch self {
      case .service: "service"
      case .characteristic: "char"
      case .descriptor: "desc"
      }
    }
  }

  let kind: Kind
  let path: ObjectPath
  let handle: UInt16
  let uuid: UUID
  private(set) var isPrimary = true
  private(set) var includes: [UInt16] = []
  private(set) var properties: CharacteristicProperties = []
  private(set) var value: [UInt8] = []
  private(set) var isNotifying = false
  private(set) var mtu: Int?

  /// Nil where path or UUID is not as bluetoothd makes them.
  init?(_ kind: Kind, path: ObjectPath, _ properties: Value) {
    guard let handle = Self.handle(path, kind), let uuid = properties["UUID"]?.string.flatMap(UUID.init) else {
      return nil
    }
    self.kind = kind
    self.path = path
    self.handle = handle
    self.uuid = uuid
    apply(properties)
  }

  private static func handle(_ path: ObjectPath, _ kind: Kind) -> UInt16? {
    let name = path.lastComponent
    guard name.hasPrefix(kind.prefix) else { return nil }
    return UInt16(name.dropFirst(kind.prefix.utf8.count), radix: 16)
  }

  private static let rows: [String: (AttributeObject, Value) -> Void] = [
    "Primary": { $0.isPrimary = $1.bool ?? true },
    "Includes": { $0.includes = $1.elements?.compactMap { $0.path.flatMap { handle($0, .service) } } ?? [] },
    "Flags": { $0.properties = CharacteristicProperties(flags: $1.strings ?? []) },
    "Value": { $0.value = $1.bytes ?? [] },
    "Notifying": { $0.isNotifying = $1.bool ?? false },
    "MTU": { $0.mtu = $1.int },
  ]

  func apply(_ changed: Value) {
    changed.entries?.forEachUnwrapped { key, value in
      if case .string(let name) = key { Self.rows[name]?(self, value) }
    }
  }
}

extension CharacteristicProperties {
  /// BlueZ's flags have dashes where our names have underscores.
  fileprivate init(flags: [String]) {
    let flags = Set(flags.map { String($0.map { $0 == "-" ? "_" : $0 }) })
    self = Self.names.filter { flags.contains($0.name) }.reduce(into: []) { $0.insert($1.property) }
  }
}

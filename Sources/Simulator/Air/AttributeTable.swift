internal import EventLoop

/// The GATT database of a peripheral.
@LoopActor
final class AttributeTable {
  @LoopActor
  final class Service {
    let handle: UInt16
    let uuid: String
    let isPrimary: Bool
    let includes: [Service]
    fileprivate(set) var characteristics: [Characteristic] = []

    fileprivate init(handle: UInt16, uuid: String, isPrimary: Bool, includes: [Service]) {
      (self.handle, self.uuid, self.isPrimary, self.includes) = (handle, uuid, isPrimary, includes)
    }
  }

  @LoopActor
  final class Characteristic {
    /// The declaration's handle: object paths have it. The value's is the next one.
    let handle: UInt16
    let flags: [String]
    let value: Attribute
    fileprivate(set) var descriptors: [Attribute] = []

    fileprivate init(handle: UInt16, flags: [String], value: Attribute) {
      (self.handle, self.flags, self.value) = (handle, flags, value)
    }

    var uuid: String { value.uuid }
    var canNotify: Bool { flags.contains("notify") }
    var canIndicate: Bool { flags.contains("indicate") }
    var clientConfiguration: Attribute? { descriptors.first { $0.isClientConfiguration } }
  }

  struct Problem: Error {
    let message: String
  }

  /// In BlueZ's order: that of the bits (Core Vol 3 Part G 3.3.1.1), then of the extended ones.
  static let flags = [
    "broadcast", "read", "write-without-response", "write", "notify", "indicate", "authenticated-signed-writes",
    "extended-properties", "reliable-write", "writable-auxiliaries",
  ]

  private(set) var services: [Service] = []
  /// Grows with each addition, so that a central that knows an older table looks again.
  private(set) var revision = 0
  private var next: UInt16 = 1
  private var attributes: [UInt16: Attribute] = [:]

  func attribute(_ handle: UInt16) -> Attribute? { attributes[handle] }

  var characteristics: [Characteristic] { services.flatMap(\.characteristics) }

  private func take(_ wanted: UInt16?) throws(Problem) -> UInt16 {
    let handle = wanted ?? next
    guard handle >= next, handle < 0xffff, next < 0xfffe else {
      throw Problem(
        message: "handle 0x\(hexadecimal(handle)) is taken: handles ascend, the next free one is 0x\(hexadecimal(next))"
      )
    }
    next = handle + 1
    revision += 1
    return handle
  }

  func addService(_ uuid: String, handle: UInt16? = nil, isPrimary: Bool = true, includes: [Service] = [])
    throws(Problem) -> Service
  {
    let service = Service(handle: try take(handle), uuid: uuid, isPrimary: isPrimary, includes: includes)
    // Each include is a declaration, so an attribute.
    for _ in includes { _ = try take(nil) }
    services.append(service)
    return service
  }

  func addCharacteristic(
    _ uuid: String, to service: Service, flags: [String], value: [UInt8] = [], handle: UInt16? = nil
  ) throws(Problem) -> Characteristic {
    guard services.last === service else {
      throw Problem(message: "handles ascend: the characteristics of a service have to be made before the next service")
    }
    let declaration = try take(handle)
    let sorted = AttributeTable.flags.filter { flags.contains($0) }
    let attribute = Attribute(
      handle: try take(nil), uuid: uuid, value: value, isReadable: sorted.contains("read"),
      isWritable: !Set(sorted).isDisjoint(with: [
        "write", "write-without-response", "reliable-write", "authenticated-signed-writes",
      ]))
    attributes[attribute.handle] = attribute
    let characteristic = Characteristic(handle: declaration, flags: sorted, value: attribute)
    service.characteristics.append(characteristic)
    return characteristic
  }

  func addDescriptor(
    _ uuid: String, to characteristic: Characteristic, value: [UInt8], isReadable: Bool, isWritable: Bool,
    handle: UInt16? = nil
  ) throws(Problem) -> Attribute {
    guard services.last?.characteristics.last === characteristic else {
      throw Problem(
        message: "handles ascend: the descriptors of a characteristic have to be made before the next characteristic")
    }
    let attribute = Attribute(
      handle: try take(handle), uuid: uuid, value: value, isReadable: isReadable, isWritable: isWritable)
    attributes[attribute.handle] = attribute
    characteristic.descriptors.append(attribute)
    return attribute
  }

  /// GAP and GATT as most devices have them, at 0x0001 to 0x000d.
  func addUsual(name: [UInt8]) throws(Problem) {
    let gap = try addService(longUUID("1800")!, handle: 1)  // A constant: always a UUID.
    _ = try addCharacteristic(longUUID("2a00")!, to: gap, flags: ["read"], value: name)
    _ = try addCharacteristic(longUUID("2a01")!, to: gap, flags: ["read"], value: [0, 0])
    let gatt = try addService(longUUID("1801")!)
    let changed = try addCharacteristic(longUUID("2a05")!, to: gatt, flags: ["indicate"])
    _ = try addDescriptor(
      Attribute.clientConfiguration, to: changed, value: [0, 0], isReadable: true, isWritable: true)
    _ = try addCharacteristic(longUUID("2b29")!, to: gatt, flags: ["read", "write"], value: [0])
    _ = try addCharacteristic(longUUID("2b2a")!, to: gatt, flags: ["read"], value: Array(repeating: 0x5a, count: 16))
  }
}

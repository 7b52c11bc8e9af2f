internal import Bluetooth
internal import Central
internal import LuaRuntime

extension LuaCall.Argument {
  func address() throws(LuaError) -> Address {
    guard value.bytes != nil else { throw wrong("address") }
    let text = try string()
    guard let address = Address(text) else { throw bad("address such as C8:3F:26:00:00:01 expected, got \"\(text)\"") }
    return address
  }

  /// Any common form of a UUID, its 16-bit number, or the SIG's name of this kind of attribute.
  func uuid(_ kind: AssignedNumbers.Kind) throws(LuaError) -> UUID {
    if let number = value.integer {
      guard let number = UInt32(exactly: number) else { throw bad("\(number) is no UUID") }
      return UUID(number)
    }
    guard value.bytes != nil else { throw wrong("UUID") }
    let text = try string()
    guard let uuid = UUID(named: text, kind) else {
      throw bad("\"\(text)\" is neither a UUID nor the name of a \(kind) in the Bluetooth SIG's assigned numbers")
    }
    return uuid
  }

  /// A UUID or name, `service/characteristic`, a handle, or a characteristic.
  func characteristic() throws(LuaError) -> CharacteristicName {
    switch value {
    case .object(let object as LuaCharacteristic):
      return CharacteristicName(.handle(object.handle), text: object.characteristic.uuid.description)
    case .integer, .number:
      let handle = UInt16(try integer(in: 1...0xFFFF))
      return CharacteristicName(.handle(handle), text: "0x" + String(handle, radix: 16))
    case .string:
      let text = try string()
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, let service = UUID(named: parts[0], .service),
        let uuid = UUID(named: parts[1], .characteristic)
      {
        return CharacteristicName(.within(service: service, uuid), text: text)
      }
      guard parts.count == 1, let uuid = UUID(named: text, .characteristic) else {
        throw bad("\"\(text)\" is no UUID, no \"service/characteristic\", and no name in the SIG's assigned numbers")
      }
      return CharacteristicName(.uuid(uuid), text: text)
    default:
      throw wrong("characteristic (UUID, \"service/characteristic\", handle or object)")
    }
  }
}

extension UUID {
  init?(named text: String, _ kind: AssignedNumbers.Kind) {
    if let uuid = UUID(text) {
      self = uuid
    } else if let number = AssignedNumbers.number(named: text, kind) {
      self.init(UInt32(number))
    } else {
      return nil
    }
  }
}

extension LuaCall.Options {
  func seconds(_ name: String) throws(LuaError) -> Double? {
    try self[name].ifPresent?.seconds()
  }

  /// The limit of an operation in seconds.
  func timeout(usually usual: Double) throws(LuaError) -> Double {
    try seconds("timeout") ?? usual
  }
}

/// Seconds that an operation may take where the script does not say.
enum UsualTimeout {
  static let exchange = 10.0
  static let connect = 20.0
}

internal import Bluetooth
internal import Central
internal import EventLoop
internal import LuaRuntime

/// `service`: as it was in the device's table when the script asked.
@LoopActor
final class LuaService: LuaObject {
  let device: Device
  let service: AttributeTable.Service

  init(_ device: Device, _ service: AttributeTable.Service) {
    self.device = device
    self.service = service
  }

  static let luaType = LuaType("service", of: LuaService.self) { type in
    type.get("uuid") { LuaValue($0.service.uuid.description) }
    type.get("name") { LuaValue($0.service.uuid.name(.service)) }
    type.get("handle") { LuaValue($0.service.handle) }
    type.get("primary") { .boolean($0.service.isPrimary) }
    type.get("includes") { service in
      let included = service.device.attributes.services.filter { service.service.includes.contains($0.handle) }
      return LuaValue(included.map { .object(LuaService(service.device, $0)) })
    }
    type.get("characteristics") { service in
      LuaValue(
        service.service.characteristics.map { .object(LuaCharacteristic(service.device, (service.service, $0))) })
    }
    type.tostring { "service \($0.service.uuid)\($0.service.uuid.quotedName(.service))" }
    type.metamethod("__eq") { service, call in
      let other = call[1].value.object as? LuaService
      return [.boolean(other?.device === service.device && other?.service.handle == service.service.handle)]
    }
  }
}

/// `characteristic`: as it was in the device's table when the script asked; value and state are of now.
@LoopActor
final class LuaCharacteristic: LuaObject {
  let device: Device
  let service: AttributeTable.Service
  let characteristic: AttributeTable.Characteristic
  var handle: UInt16 { characteristic.handle }

  init(_ device: Device, _ place: AttributeTable.Place) {
    self.device = device
    (service, characteristic) = place
  }

  static let luaType = LuaType("characteristic", of: LuaCharacteristic.self) { type in
    type.get("uuid") { LuaValue($0.characteristic.uuid.description) }
    type.get("name") { LuaValue($0.characteristic.uuid.name(.characteristic)) }
    type.get("handle") { LuaValue($0.handle) }
    type.get("properties") { characteristic in
      .table(LuaTable(named: characteristic.characteristic.properties.names.map { ($0, true) }))
    }
    type.get("notifying") { .boolean($0.device.isNotifying($0.handle)) }
    type.get("mtu") { $0.device.mtu.map { LuaValue($0) } ?? .nil }
    type.get("value") { $0.device.cachedValue($0.handle).map { .string($0) } ?? .nil }
    type.get("descriptors") { characteristic in
      LuaValue(characteristic.characteristic.descriptors.map { .object(LuaDescriptor($0)) })
    }
    type.get("service") { .object(LuaService($0.device, $0.service)) }
    type.get("device") { .object($0.device) }
    type.tostring { "characteristic \($0.characteristic.uuid)\($0.characteristic.uuid.quotedName(.characteristic))" }
    type.metamethod("__eq") { characteristic, call in
      let other = call[1].value.object as? LuaCharacteristic
      return [.boolean(other?.device === characteristic.device && other?.handle == characteristic.handle)]
    }
  }
}

/// `descriptor`.
@LoopActor
final class LuaDescriptor: LuaObject {
  let descriptor: AttributeTable.Descriptor

  init(_ descriptor: AttributeTable.Descriptor) {
    self.descriptor = descriptor
  }

  static let luaType = LuaType("descriptor", of: LuaDescriptor.self) { type in
    type.get("uuid") { LuaValue($0.descriptor.uuid.description) }
    type.get("name") { LuaValue($0.descriptor.uuid.name(.descriptor)) }
    type.get("handle") { LuaValue($0.descriptor.handle) }
    type.tostring { "descriptor \($0.descriptor.uuid)\($0.descriptor.uuid.quotedName(.descriptor))" }
  }
}

extension UUID {
  /// The SIG's name, or nil.
  func name(_ kind: AssignedNumbers.Kind) -> String? {
    short16.flatMap { AssignedNumbers.name(of: $0, kind) }
  }

  func quotedName(_ kind: AssignedNumbers.Kind) -> String {
    name(kind).map { " \"\($0)\"" } ?? ""
  }
}

internal import DBus
internal import EventLoop

/// `org.bluez.GattCharacteristic1`.
@LoopActor
final class GattCharacteristicInterface: Face {
  private unowned let characteristic: RemoteCharacteristic
  private let service: ObjectPath

  init(_ characteristic: RemoteCharacteristic, _ service: ObjectPath) {
    (self.characteristic, self.service) = (characteristic, service)
    super.init(characteristic.device.daemon, characteristic.path, GattCharacteristicInterface.described)
  }

  static let described = InterfaceDescription(
    "org.bluez.GattCharacteristic1",
    methods: [
      .init("ReadValue", in: [.init("options", "a{sv}")], out: [.init("value", "ay")]),
      .init("WriteValue", in: [.init("value", "ay"), .init("options", "a{sv}")]),
      .init("AcquireWrite", in: [.init("options", "a{sv}")], out: [.init("fd", "h"), .init("mtu", "q")]),
      .init("AcquireNotify", in: [.init("options", "a{sv}")], out: [.init("fd", "h"), .init("mtu", "q")]),
      .init("StartNotify"), .init("StopNotify"),
    ],
    properties: [
      .init("UUID", "s"), .init("Service", "o"), .init("Value", "ay"), .init("Notifying", "b"), .init("Flags", "as"),
      .init("WriteAcquired", "b"), .init("NotifyAcquired", "b"), .init("MTU", "q"),
    ])

  override var subject: Fault.Subject {
    Fault.Subject(path: path.string, address: characteristic.device.address, uuid: characteristic.declared.uuid)
  }

  override func handle(_ call: IncomingCall) {
    let sessions = characteristic.sessions
    switch call.member {
    case "ReadValue": characteristic.read(call)
    case "WriteValue": characteristic.write(call)
    case "StartNotify": sessions.start(call)
    case "StopNotify": sessions.stop(call)
    case "AcquireNotify": sessions.acquire(call)
    case "AcquireWrite": characteristic.acquireWrite(call)
    default: call.fail(.notSupported)
    }
  }

  override func get(_ property: String) -> Value? {
    let declared = characteristic.declared
    switch property {
    case "UUID": return .string(declared.uuid)
    case "Service": return .path(service)
    case "Value": return .bytes(characteristic.value)
    case "Flags": return .strings(declared.flags)
    case "Notifying":
      return declared.canNotify || declared.canIndicate ? .bool(characteristic.sessions.isNotifying) : nil
    case "NotifyAcquired": return declared.canNotify ? .bool(characteristic.sessions.isAcquired) : nil
    case "WriteAcquired":
      let isWritable = declared.flags.contains("write-without-response")
      return isWritable ? .bool(characteristic.acquiredWrite != nil) : nil
    case "MTU": return characteristic.device.link.map { .uint16(UInt16($0.mtu)) }
    default: return nil
    }
  }
}

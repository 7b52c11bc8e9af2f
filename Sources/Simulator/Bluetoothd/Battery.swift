internal import DBus
internal import EventLoop

/// `org.bluez.Battery1`: bluetoothd's own reading of the battery service, which does not touch the characteristic's
/// `Value`.
@LoopActor
final class Battery {
  static let service = longUUID("180f")
  static let level = longUUID("2a19")

  private unowned let device: Device
  private let characteristic: RemoteCharacteristic
  private var face: BatteryInterface?
  private(set) var percentage: UInt8?
  private var isOver = false

  init(_ device: Device, _ characteristic: RemoteCharacteristic) {
    (self.device, self.characteristic) = (device, characteristic)
    device.link?.read(characteristic.valueHandle) { [weak self] in self?.read($0) }
  }

  private func read(_ answer: Answer) {
    guard !isOver, case .value(let value) = answer else { return }
    percentage = value.first.flatMap { $0 <= 100 ? $0 : nil }
    let update: ([UInt8]) -> Void = { [weak self] in self?.update($0) }
    characteristic.sessions.watch(update) { [weak self] isOn in
      if isOn { self?.appear() }
    }
  }

  private func appear() {
    guard !isOver, percentage != nil else { return }
    let face = BatteryInterface(device.daemon, device.path, self)
    self.face = face
    device.daemon.server?.add([face], at: device.path)
  }

  private func update(_ value: [UInt8]) {
    guard !isOver, let level = value.first, level <= 100, level != percentage else { return }
    percentage = level
    face?.changed("Percentage")
  }

  func end() {
    isOver = true
    characteristic.sessions.unwatch()
    guard face != nil else { return }
    face = nil
    device.daemon.server?.remove(at: device.path, interface: "org.bluez.Battery1")
  }
}

@LoopActor
final class BatteryInterface: Face {
  private weak var battery: Battery?

  init(_ daemon: Bluetoothd, _ path: ObjectPath, _ battery: Battery) {
    self.battery = battery
    super.init(
      daemon, path,
      InterfaceDescription("org.bluez.Battery1", properties: [.init("Percentage", "y"), .init("Source", "s")]))
  }

  override func get(_ property: String) -> Value? {
    property == "Percentage" ? battery?.percentage.map { .byte($0) } : nil
  }
}

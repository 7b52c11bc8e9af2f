internal import DBus
internal import EventLoop

/// What bluetoothd has found of a peripheral's GATT, and keeps when the link has gone (`[GATT] Cache=always`).
@LoopActor
final class RemoteTable {
  /// Claimed by bluetoothd's own plug-ins, so not shown (5.66): GAP, HID, Scan Parameters.
  static let hidden = Set(["1800", "1812", "1813"].compactMap(longUUID))
  static let databaseHash = longUUID("2b2a")
  static let extendedProperties = longUUID("2900")

  unowned let device: Device
  private(set) var services: [RemoteService] = []
  private var revision: Int?
  private var battery: Battery?
  /// Requests that were refused for want of encryption, and whose pairing never came.
  private var stuck: [(Answer) -> Void] = []

  init(_ device: Device) {
    self.device = device
  }

  var characteristics: [RemoteCharacteristic] { services.flatMap(\.characteristics) }

  // MARK: Discovery

  func linked(_ link: Link) {
    // Subscriptions of clients that are still there come first: values can arrive before anybody asks.
    for characteristic in characteristics { characteristic.sessions.linked() }
    // While it pairs, discovery waits.
    if !device.pairing.isActive { explore() }
  }

  func explore() {
    guard let link = device.link else { return }
    let table = link.peripheral.table
    let isKnown = revision == table.revision
    let exchanges = isKnown ? 3 : 10 + table.characteristics.count
    link.explore(exchanges) { [weak self] answer in
      guard let self, case .value = answer else {
        self?.device.resolved(nil)
        return
      }
      if !isKnown {
        let values = self.values
        removeObjects()
        build(table, values)
        revision = table.revision
      }
      device.resolved(table.services.map(\.uuid))
      startBattery()
    }
  }

  private var values: [UInt16: [UInt8]] {
    Dictionary(characteristics.map { ($0.handle, $0.value) }) { first, _ in first }
  }

  private func build(_ table: AttributeTable, _ values: [UInt16: [UInt8]]) {
    for declared in table.services where !RemoteTable.hidden.contains(declared.uuid) {
      if let service = RemoteService(self, declared) { services.append(service) }
    }
    for characteristic in characteristics {
      characteristic.value = values[characteristic.handle] ?? characteristic.value
    }
    for service in services { service.appear() }
  }

  private func removeObjects() {
    for service in services { service.disappear() }
    services = []
  }

  /// The device goes.
  func clear() {
    removeBattery()
    removeObjects()
    revision = nil
  }

  func dropCalls() {
    stuck = []
    for service in services { service.dropCalls() }
  }

  // MARK: Requests

  /// Sends a request. One that is refused for want of encryption starts pairing, and is then sent again.
  func request(
    _ send: @escaping (Link, @escaping (Answer) -> Void) -> Void, done: @escaping (Answer) -> Void
  ) {
    guard let link = device.link else { return done(.error(0x0e)) }
    send(link) { [weak self] answer in
      guard let self, link.isUp, answer == .error(0x05) || answer == .error(0x0f) else { return done(answer) }
      // Refused although encrypted: bluetoothd 5.66 never answers (seen: transcript read_authentication).
      guard link.security == .open else { return stuck.append(done) }
      device.pairing.elevate { [weak self] isSecure in
        if isSecure { self?.request(send, done: done) } else { self?.stuck.append(done) }
      }
    }
  }

  func received(_ value: [UInt8], from handle: UInt16) {
    characteristics.first { $0.valueHandle == handle }?.received(value)
  }

  func linkEnded() {
    removeBattery()
    let waiting = stuck
    stuck = []
    for done in waiting { done(.error(0x0e)) }
    for characteristic in characteristics { characteristic.linkEnded() }
  }

  func forget(_ client: String) {
    for characteristic in characteristics { characteristic.sessions.forget(client) }
  }

  // MARK: Battery

  private func startBattery() {
    guard battery == nil, device.link != nil, !device.isDisconnecting else { return }
    let service = services.first { $0.declared.uuid == Battery.service }
    guard
      let level = service?.characteristics.first(where: { $0.declared.uuid == Battery.level && $0.declared.canNotify })
    else { return }
    battery = Battery(device, level)
  }

  func removeBattery() {
    battery?.end()
    battery = nil
  }
}

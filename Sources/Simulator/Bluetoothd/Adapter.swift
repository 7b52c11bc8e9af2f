internal import DBus
internal import EventLoop

/// bluetoothd's object for an adapter, and the devices that it knows.
@LoopActor
final class Adapter {
  /// bluetoothd's own name where the machine has none.
  static let name = "BlueZ 5.66"
  static let services = ["110c", "110e", "1200", "1800", "1801", "180a"].compactMap(longUUID)
  /// What the kernel takes to switch it.
  static let powerLatency: Seconds = 0.03

  let dongle: Dongle
  let path: ObjectPath
  unowned let daemon: Bluetoothd
  private(set) var isPowered: Bool
  private var isSwitching = false
  var alias: String?
  var isDiscoverable = false
  var isPairable = false
  var discoverableTimeout: UInt32
  var pairableTimeout: UInt32
  private(set) var devices: [Device] = []
  private(set) lazy var discovery = Discovery(self)
  private(set) lazy var face = AdapterInterface(self)

  init(_ daemon: Bluetoothd, _ dongle: Dongle, _ path: ObjectPath) {
    (self.daemon, self.dongle, self.path) = (daemon, dongle, path)
    let stored = daemon.storage[dongle.address]
    isPowered = dongle.isPoweredAtStart
    (alias, isPairable) = (stored.alias, stored.isPairable)
    (discoverableTimeout, pairableTimeout) = (stored.discoverableTimeout, stored.pairableTimeout)
  }

  /// It appears on the bus, then the devices it has stored.
  func appear() {
    daemon.server?.add([face] + PlaceholderInterface.ofAdapter(daemon, path), at: path)
    for stored in daemon.storage[dongle.address].devices {
      let link = dongle.links.first { $0.peripheral.address == stored.address }
      add(Device(self, stored, link: link))
      // A link that outlived bluetoothd: seen connected, and dropped at once (seen: transcript crash).
      if let link { EventLoop.shared.clock.after(0.05) { link.end() } }
    }
    // Links that nobody knows any more.
    for link in dongle.links where link.owner == nil { link.end() }
  }

  func store() {
    var stored = daemon.storage[dongle.address]
    (stored.alias, stored.isPairable) = (alias, isPairable)
    (stored.discoverableTimeout, stored.pairableTimeout) = (discoverableTimeout, pairableTimeout)
    daemon.storage[dongle.address] = stored
  }

  // MARK: Devices

  func add(_ device: Device) {
    devices.append(device)
    device.appear()
  }

  func remove(_ device: Device) {
    guard devices.contains(where: { $0 === device }) else { return }
    devices.removeAll { $0 === device }
    device.disappear()
  }

  /// An advertisement came in while somebody discovers.
  func heard(_ peripheral: Peripheral) {
    let heard = peripheral.heard
    guard isPowered, discovery.filter.admits(heard, address: peripheral.address, rssi: peripheral.rssi) else { return }
    if let device = devices.first(where: { $0.address == peripheral.address }) {
      device.update(heard, from: peripheral)
    } else if discovery.filter.isFiltered || heard.isDiscoverable {
      add(Device(self, peripheral, heard))
    }
  }

  /// The last session has ended: signal strengths vanish, then the devices that can't be connected.
  func discoveryEnded() {
    for device in devices { device.loseSight() }
    daemon.server?.flush()
    for device in devices where device.isTemporary && !device.isConnectable && !device.isConnected { remove(device) }
  }

  /// Attempts to connect that wait for their peripheral look again.
  func airChanged() {
    guard isPowered else { return }
    for device in devices { device.lookAgain() }
  }

  // MARK: Power

  func setPowered(_ isOn: Bool, _ done: @escaping @LoopActor (BlueZError?) -> Void) {
    if isOn == isPowered, !isSwitching { return done(nil) }
    if isSwitching { return done(.busy) }
    isSwitching = true
    if !isOn {
      for device in devices where device.isTemporary && !device.isConnected { remove(device) }
    }
    EventLoop.shared.clock.after(Adapter.powerLatency) { [weak self] in
      guard let self else { return }
      isSwitching = false
      done(nil)
      powerChanged(isOn)
    }
  }

  /// The kernel says so. `quietly`: what waits on a link is not answered.
  func powerChanged(_ isOn: Bool, quietly: Bool = false) {
    guard isOn != isPowered else { return }
    isPowered = isOn
    if !isOn {
      discovery.reset()
      for device in devices {
        device.loseSight()
        device.adapterOff(quietly: quietly)
      }
      isDiscoverable = false
      // Both, even where there was no discovery (seen: transcript power).
      face.changed("Discovering")
    }
    face.changed("Powered")
    if isOn { airChanged() }
  }

  /// Pulled out: children go first, calls that wait get no answer (seen: transcript unplug_connected).
  func unplugged() {
    for device in devices { device.dropCalls() }
    powerChanged(false, quietly: true)
    daemon.server?.flush()
    for device in devices { remove(device) }
    daemon.server?.remove(at: path)
    dongle.onReport = nil
  }

  func forget(_ client: String) {
    discovery.forget(client)
    for device in devices { device.forget(client: client) }
  }
}

internal import DBus
internal import EventLoop

/// bluetoothd's object for a peripheral, under one adapter.
@LoopActor
final class Device {
  /// `TemporaryTimeout`.
  static let memory: Seconds = 30
  /// `DISCONNECT_TIMER`.
  static let disconnectDelay: Seconds = 2

  unowned let adapter: Adapter
  let path: ObjectPath
  let address: String
  let addressType: String
  private(set) var data = AdvertisedData()
  var alias: String?
  var isPaired = false
  var isBonded = false
  var isTrusted = false
  private(set) var isBlocked = false
  private(set) var isConnected = false
  private(set) var isResolved = false
  private(set) var isConnectable = true
  /// Forgotten 30 s after it was last seen, unless connected.
  private(set) var isTemporary: Bool
  private(set) var isGone = false

  private(set) var link: Link?
  private(set) lazy var attempt = ConnectionAttempt(self)
  private(set) lazy var pairing = Pairing(self)
  private(set) lazy var gatt = RemoteTable(self)
  private(set) lazy var face = DeviceInterface(self)

  private var lastSeen: Seconds
  private var oblivion: Clock.Timer?
  private var disconnecting: Clock.Timer?
  private var disconnectCalls: [Completion] = []
  private var lastDisconnected: Seconds = -1
  private var isForgotten = false
  /// bluetoothd says once more that a stored bond is there, when it is first used (seen: transcript restart_bonded).
  private var isBondUnproven = false

  var daemon: Bluetoothd { adapter.daemon }
  var peripheral: Peripheral? { daemon.air.peripheral(address) }
  var isDisconnecting: Bool { disconnecting != nil }
  var connectedTooShortlyAgo: Bool { EventLoop.shared.clock.now - lastDisconnected < 0.05 }

  /// Seen for the first time.
  init(_ adapter: Adapter, _ peripheral: Peripheral, _ heard: Advertisement) {
    self.adapter = adapter
    (address, addressType) = (peripheral.address, peripheral.addressType)
    path = Device.path(adapter, peripheral.address)
    (isTemporary, isConnectable) = (true, peripheral.isConnectable)
    lastSeen = EventLoop.shared.clock.now
    _ = data.take(heard, peripheral.rssi, filter: adapter.discovery.filter)
  }

  /// Known from storage.
  init(_ adapter: Adapter, _ stored: Storage.StoredDevice, link: Link?) {
    self.adapter = adapter
    (address, addressType) = (stored.address, stored.addressType)
    path = Device.path(adapter, stored.address)
    (data.name, alias, data.services) = (stored.name, stored.alias, Set(stored.services))
    (isPaired, isBonded, isTrusted, isBlocked) = (stored.isBonded, stored.isBonded, stored.isTrusted, stored.isBlocked)
    isTemporary = false
    isBondUnproven = stored.isBonded
    lastSeen = EventLoop.shared.clock.now
    if let link {
      (self.link, isConnected) = (link, true)
      link.owner = self
    }
  }

  private static func path(_ adapter: Adapter, _ address: String) -> ObjectPath {
    let component = "dev_" + address.split(separator: ":").joined(separator: "_")
    return adapter.path.appending(component) ?? adapter.path
  }

  var shownAlias: String { alias ?? data.name ?? address.split(separator: ":").joined(separator: "-") }

  func appear() {
    daemon.server?.add([face], at: path)
    if isTemporary { expire(after: Device.memory) }
  }

  /// Its objects go, children first; calls that wait on it are never answered.
  func disappear() {
    isGone = true
    dropCalls()
    oblivion?.cancel()
    disconnecting?.cancel()
    link?.end(quietly: true)
    gatt.clear()
    daemon.server?.remove(at: path)
  }

  func dropCalls() {
    attempt.drop()
    pairing.drop()
    gatt.dropCalls()
    for call in disconnectCalls { call.drop() }
    disconnectCalls = []
  }

  // MARK: Advertisements

  func update(_ heard: Advertisement, from peripheral: Peripheral) {
    lastSeen = EventLoop.shared.clock.now
    isConnectable = peripheral.isConnectable
    for property in data.take(heard, peripheral.rssi, filter: adapter.discovery.filter) {
      face.changed(property)
      // What a device is called follows its name, unless somebody has called it something.
      if property == "Name", alias == nil { face.changed("Alias") }
    }
  }

  /// Discovery has ended: what it measured is gone.
  func loseSight() {
    for property in data.forgetMeasurements() { face.changed(property) }
  }

  private func expire(after seconds: Seconds) {
    oblivion?.cancel()
    oblivion = EventLoop.shared.clock.after(seconds) { [weak self] in
      guard let self, isTemporary, !isConnected, !isGone else { return }
      let age = EventLoop.shared.clock.now - lastSeen
      if age + 0.001 < Device.memory { return expire(after: Device.memory - age) }
      adapter.daemon.storage.forget(address, of: adapter.dongle.address)
      adapter.remove(self)
    }
  }

  // MARK: Connection

  func connect(_ completion: Completion) {
    // Also in the two seconds of a Disconnect, and the link goes all the same (seen: transcript disconnect_connect).
    if link != nil { return completion.finish(nil) }
    guard adapter.isPowered, !connectedTooShortlyAgo else { return completion.finish(.inputOutput) }
    if attempt.isByConnect { return completion.finish(.connectPending) }
    becomePermanent()
    pairing.connectCalled()
    attempt.begin(byConnect: true, completion)
  }

  /// It is kept, unless its address is a private one, which will change.
  func becomePermanent() {
    let top = UInt8(address.prefix(2), radix: 16) ?? 0xff
    if addressType == "random", top < 0x80 { return }
    isTemporary = false
    oblivion?.cancel()
  }

  func lookAgain() {
    attempt.look()
  }

  func linked(_ link: Link) {
    self.link = link
    link.owner = self
    isConnected = true
    oblivion?.cancel()
    face.changed("Connected")
    if isBonded, let peripheral, let bond = peripheral.bonds[adapter.dongle.address] {
      link.security = bond
    }
    store()
    gatt.linked(link)
  }

  func bonded() {
    (isPaired, isBonded) = (true, true)
    becomePermanent()
    face.changed("Paired")
    face.changed("Bonded")
    store()
  }

  /// What discovery found. Nil: it failed; then it counts as resolved all the same (`device_svc_resolved` with -EIO).
  func resolved(_ found: [String]?) {
    guard isConnected, !isGone else { return }
    if let found, Set(found) != data.services {
      data.services = Set(found)
      face.changed("UUIDs")
    }
    if isBondUnproven, link?.security != .open { face.changed("Paired") }
    isBondUnproven = false
    isResolved = true
    face.changed("ServicesResolved")
    if found == nil { daemon.server?.flush() }
    store()
    pairing.resolved()
  }

  func store() {
    daemon.storage.keep(
      Storage.StoredDevice(
        address: address, addressType: addressType, name: data.name, alias: alias, services: data.services.sorted(),
        isBonded: isBonded, isTrusted: isTrusted, isBlocked: isBlocked),
      of: adapter.dongle.address)
  }

  func disconnect(_ completion: Completion) {
    if link == nil {
      attempt.cancel(.connectCanceled)
      return completion.finish(nil)
    }
    pairing.cancel(.authenticationCanceled)
    disconnectCalls.append(completion)
    disconnectLater()
  }

  private func disconnectLater() {
    guard disconnecting == nil else { return }
    gatt.removeBattery()
    disconnecting = EventLoop.shared.clock.after(Device.disconnectDelay) { [weak self] in
      guard let self, let link else { return }
      lastDisconnected = EventLoop.shared.clock.now
      link.end(quietly: isForgotten)
    }
  }

  /// `RemoveDevice`.
  func forget(_ completion: Completion) {
    isForgotten = true
    daemon.storage.forget(address, of: adapter.dongle.address)
    peripheral?.bonds[adapter.dongle.address] = nil
    if link == nil {
      adapter.remove(self)
      return completion.finish(nil)
    }
    disconnectCalls.append(completion)
    disconnectLater()
  }

  func block(_ isBlocked: Bool, _ done: () -> Void) {
    if isBlocked != self.isBlocked {
      self.isBlocked = isBlocked
      face.changed("Blocked")
      if link != nil || !isTemporary { store() }
    }
    done()
    if isBlocked { link?.end() }
  }

  func adapterOff(quietly: Bool) {
    if quietly { dropCalls() }
    attempt.cancel(.connectCanceled)
    link?.end(quietly: quietly)
  }

  /// A client has left the bus. What it connected stays connected.
  func forget(client: String) {
    gatt.forget(client)
  }
}

extension Device: LinkOwner {
  func received(_ value: [UInt8], from handle: UInt16) {
    gatt.received(value, from: handle)
  }

  /// 5.66: resolved no more, then the answers to Disconnect, then disconnected (seen: transcript connect_fresh).
  func linkEnded() {
    link = nil
    disconnecting?.cancel()
    disconnecting = nil
    let calls = disconnectCalls
    disconnectCalls = []
    if isForgotten { dropCalls() }
    gatt.linkEnded()
    if isResolved {
      isResolved = false
      face.changed("ServicesResolved")
    }
    for call in calls where !isForgotten { call.finish(nil) }
    isConnected = false
    face.changed("Connected")
    pairing.linkEnded()
    if isForgotten {
      daemon.server?.flush()
      for call in calls { call.finish(nil) }
      adapter.remove(self)
    } else if !isBonded, !isGone {
      isTemporary = true
      lastSeen = EventLoop.shared.clock.now
      expire(after: Device.memory)
    }
  }
}

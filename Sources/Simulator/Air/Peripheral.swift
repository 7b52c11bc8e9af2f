internal import EventLoop

/// A device in the air: what it advertises, whom it is connected to, what it answers.
@LoopActor
final class Peripheral {
  /// How it pairs.
  enum Pairing: Equatable, Sendable {
    case justWorks
    /// It shows this passkey, which the other side has to type.
    case shows(UInt32)
    /// Both sides show this number, and somebody says that it is the same.
    case compares(UInt32)
    /// The other side shows this passkey, and it is typed here.
    case types(UInt32)
    case refuses
  }

  let address: String
  /// `public` or `random`.
  let addressType: String
  /// What worlds and orders call it.
  let name: String
  var advertisement: Advertisement
  var scanResponse: Advertisement?
  var rssi: Int16
  let interval: Seconds
  let isConnectable: Bool
  let mtu: Int
  let pairing: Pairing
  let table = AttributeTable()

  private(set) var isShown = true
  var isMuted = false
  private(set) var link: Link?
  private(set) var connections = 0
  /// Whom it has bonded with, by the adapter's address.
  var bonds: [String: Security] = [:]
  private weak var air: Air?

  /// The world's word on a connection, by its count; a text makes it fail.
  var onConnect: (Int) -> String? = { _ in nil }
  var onDisconnect: () -> Void = {}
  var onSubscribe: (AttributeTable.Characteristic, Bool) -> Void = { _, _ in }

  init(
    _ air: Air, address: String, addressType: String, name: String, advertisement: Advertisement,
    scanResponse: Advertisement?, rssi: Int16, interval: Seconds, isConnectable: Bool, mtu: Int, pairing: Pairing
  ) {
    (self.air, self.address, self.addressType, self.name) = (air, address, addressType, name)
    (self.advertisement, self.scanResponse, self.rssi) = (advertisement, scanResponse, rssi)
    (self.interval, self.isConnectable, self.mtu, self.pairing) = (interval, isConnectable, mtu, pairing)
  }

  var isAdvertising: Bool { isShown && link == nil }
  var heard: Advertisement { advertisement.joined(with: scanResponse).heard }

  func hide() {
    isShown = false
  }

  func show() {
    isShown = true
    air?.changed()
  }

  /// Somebody connects. A text: the attempt fails, for a reason that the world gives.
  func connect(from dongle: Dongle) -> Result<Link, Failure> {
    connections += 1
    let link = Link(dongle, self)
    // Before the world hears of it: it may hang up at once.
    self.link = link
    if let reason = onConnect(connections) {
      self.link = nil
      return .failure(Failure(text: reason))
    }
    dongle.links.append(link)
    return .success(link)
  }

  struct Failure: Error {
    let text: String
  }

  /// It hangs up.
  func disconnect() {
    guard let link else { return }
    EventLoop.shared.clock.after(Link.latency) { link.end() }
  }

  /// The link is lost: both sides find out when nothing comes any more. Real ones take 0.7 s and longer.
  func lose() {
    guard let link else { return }
    EventLoop.shared.clock.after(0.1) { link.end() }
  }

  func linkEnded(_ link: Link) {
    guard self.link === link else { return }
    self.link = nil
    onDisconnect()
    air?.changed()
  }

  func subscriptionChanged(_ configuration: UInt16, isOn: Bool) {
    let characteristic = table.characteristics.first { $0.clientConfiguration?.handle == configuration }
    if let characteristic { onSubscribe(characteristic, isOn) }
  }

  /// To whom subscribed. Returns whether somebody has.
  @discardableResult
  func send(_ value: [UInt8], of characteristic: AttributeTable.Characteristic, isIndication: Bool) -> Bool {
    guard let link, let configuration = characteristic.clientConfiguration,
      link.isSubscribed(configuration.handle, bit: isIndication ? 2 : 1)
    else { return false }
    link.notify(value, from: characteristic.value.handle)
    return true
  }
}

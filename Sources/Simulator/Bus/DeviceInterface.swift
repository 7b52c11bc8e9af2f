internal import DBus
internal import EventLoop

/// `org.bluez.Device1`.
@LoopActor
final class DeviceInterface: Face {
  unowned let device: Device

  init(_ device: Device) {
    self.device = device
    super.init(device.daemon, device.path, DeviceInterface.described)
  }

  static let described = InterfaceDescription(
    "org.bluez.Device1",
    methods: [
      .init("Disconnect"), .init("Connect"), .init("ConnectProfile", in: [.init("UUID", "s")]),
      .init("DisconnectProfile", in: [.init("UUID", "s")]), .init("Pair"), .init("CancelPairing"),
    ],
    properties: [
      .init("Address", "s"), .init("AddressType", "s"), .init("Name", "s"), .init("Alias", "s", .readwrite),
      .init("Class", "u"), .init("Appearance", "q"), .init("Icon", "s"), .init("Paired", "b"), .init("Bonded", "b"),
      .init("Trusted", "b", .readwrite), .init("Blocked", "b", .readwrite), .init("LegacyPairing", "b"),
      .init("RSSI", "n"), .init("Connected", "b"), .init("UUIDs", "as"), .init("Modalias", "s"),
      .init("Adapter", "o"), .init("ManufacturerData", "a{qv}"), .init("ServiceData", "a{sv}"), .init("TxPower", "n"),
      .init("ServicesResolved", "b"), .init("AdvertisingFlags", "ay"), .init("AdvertisingData", "a{yv}"),
      .init("WakeAllowed", "b", .readwrite),
    ])

  override var subject: Fault.Subject { Fault.Subject(path: path.string, address: device.address) }

  override func handle(_ call: IncomingCall) {
    switch call.member {
    case "Connect": device.connect(Completion(call))
    case "Disconnect": device.disconnect(Completion(call))
    case "Pair": device.pairing.pair(by: call.sender, Completion(call))
    case "CancelPairing": device.pairing.cancelPairing(Completion(call))
    // Profiles are of BR/EDR, which nothing here has.
    default: call.fail(.notSupported)
    }
  }

  override func get(_ property: String) -> Value? {
    switch property {
    case "Address": .string(device.address)
    case "AddressType": .string(device.addressType)
    case "Name": device.data.name.map { .string($0) }
    case "Alias": .string(device.shownAlias)
    case "Appearance": device.data.appearance.map { .uint16($0) }
    case "Paired": .bool(device.isPaired)
    case "Bonded": .bool(device.isBonded)
    case "Trusted": .bool(device.isTrusted)
    case "Blocked": .bool(device.isBlocked)
    case "LegacyPairing": .bool(false)
    case "RSSI": device.data.rssi.map { .int16($0) }
    case "Connected": .bool(device.isConnected)
    case "UUIDs": .strings(device.data.services.sorted())
    case "Adapter": .path(device.adapter.path)
    case "ManufacturerData": manufacturerData
    case "ServiceData": serviceData
    case "TxPower": device.data.txPower.map { .int16($0) }
    case "ServicesResolved": .bool(device.isResolved)
    default: nil
    }
  }

  private var manufacturerData: Value? {
    if device.data.manufacturerData.isEmpty { return nil }
    let entries = device.data.manufacturerData.sorted { $0.key < $1.key }.map {
      (Value.uint16($0.key), Value.bytes($0.value))
    }
    return .dictionary(key: "q", value: "v", entries)
  }

  private var serviceData: Value? {
    if device.data.serviceData.isEmpty { return nil }
    return .properties(device.data.serviceData.sorted { $0.key < $1.key }.map { ($0.key, .bytes($0.value)) })
  }

  /// The signal goes before the reply, other than with an adapter (seen: transcript device_properties).
  override func handleSet(_ property: String, _ value: Value, _ call: IncomingCall) {
    switch (property, value) {
    case ("Alias", .string(let text)):
      let alias = text.isEmpty ? nil : text
      if alias != device.alias {
        device.alias = alias
        changed("Alias")
      }
      call.reply()
    case ("Trusted", .bool(let isTrusted)):
      if isTrusted != device.isTrusted {
        device.isTrusted = isTrusted
        changed("Trusted")
      }
      call.reply()
    case ("Blocked", .bool(let isBlocked)): device.block(isBlocked) { call.reply() }
    default: call.fail("org.freedesktop.DBus.Error.UnknownProperty", "No such property '\(property)'")
    }
  }
}

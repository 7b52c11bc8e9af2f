internal import DBus
internal import EventLoop

/// `org.bluez.Adapter1`.
@LoopActor
final class AdapterInterface: Face {
  unowned let adapter: Adapter

  init(_ adapter: Adapter) {
    self.adapter = adapter
    super.init(adapter.daemon, adapter.path, AdapterInterface.described)
  }

  // Seen: transcript introspect_roots. ExperimentalFeatures is listed there, but exists only under `bluetoothd -E`.
  static let described = InterfaceDescription(
    "org.bluez.Adapter1",
    methods: [
      .init("StartDiscovery"),
      .init("SetDiscoveryFilter", in: [.init("properties", "a{sv}")]),
      .init("StopDiscovery"),
      .init("RemoveDevice", in: [.init("device", "o")]),
      .init("GetDiscoveryFilters", out: [.init("filters", "as")]),
    ],
    properties: [
      .init("Address", "s"), .init("AddressType", "s"), .init("Name", "s"), .init("Alias", "s", .readwrite),
      .init("Class", "u"), .init("Powered", "b", .readwrite), .init("Discoverable", "b", .readwrite),
      .init("DiscoverableTimeout", "u", .readwrite), .init("Pairable", "b", .readwrite),
      .init("PairableTimeout", "u", .readwrite), .init("Discovering", "b"), .init("UUIDs", "as"),
      .init("Modalias", "s"), .init("Roles", "as"), .init("ExperimentalFeatures", "as"),
    ])

  override func handle(_ call: IncomingCall) {
    let discovery = adapter.discovery
    switch call.member {
    case "StartDiscovery": discovery.start(call.sender) { call.finish($0) }
    case "StopDiscovery": discovery.stop(call.sender) { call.finish($0) }
    case "GetDiscoveryFilters": call.reply([.strings(DiscoveryFilter.keys)])
    case "SetDiscoveryFilter":
      do throws(BlueZError) {
        guard adapter.isPowered else { throw .notReady }
        try discovery.setFilter(DiscoveryFilter.parse(call.arguments.first?.properties ?? [:]), of: call.sender)
        call.reply()
      } catch {
        call.fail(error)
      }
    case "RemoveDevice":
      guard let device = adapter.devices.first(where: { $0.path == call.arguments.first?.path }) else {
        return call.fail(.doesNotExist)
      }
      guard adapter.isPowered else { return call.fail(.notReady) }
      device.forget(Completion(call))
    default: call.fail(.notSupported)
    }
  }

  override func get(_ property: String) -> Value? {
    switch property {
    case "Address": .string(adapter.dongle.address)
    case "AddressType": .string("public")
    case "Name": .string(Adapter.name)
    case "Alias": .string(adapter.alias ?? Adapter.name)
    case "Class": .uint32(0)
    case "Powered": .bool(adapter.isPowered)
    case "Discoverable": .bool(adapter.isDiscoverable)
    case "DiscoverableTimeout": .uint32(adapter.discoverableTimeout)
    case "Pairable": .bool(adapter.isPairable)
    case "PairableTimeout": .uint32(adapter.pairableTimeout)
    case "Discovering": .bool(adapter.discovery.isRunning)
    case "UUIDs": .strings(Adapter.services)
    case "Modalias": .string("usb:v1D6Bp0246d0542")
    case "Roles": .strings(["central", "peripheral"])
    default: nil
    }
  }

  /// The reply goes before the signal: the kernel is asked, and its event makes the signal (seen: transcript
  /// adapter_properties).
  override func handleSet(_ property: String, _ value: Value, _ call: IncomingCall) {
    switch (property, value) {
    case ("Powered", .bool(let isOn)): adapter.setPowered(isOn) { call.finish($0) }
    case ("Discoverable", .bool) where !adapter.isPowered: call.fail(.failed("Not Powered"))
    case ("Discoverable", .bool(let flag)): keep(flag, \.isDiscoverable, property, call)
    case ("Pairable", .bool(let flag)): keep(flag, \.isPairable, property, call)
    case ("DiscoverableTimeout", .uint32(let seconds)): keep(seconds, \.discoverableTimeout, property, call)
    case ("PairableTimeout", .uint32(let seconds)): keep(seconds, \.pairableTimeout, property, call)
    case ("Alias", .string(let text)): keep(text.isEmpty ? nil : text, \.alias, property, call)
    default: call.fail(.invalidArguments)
    }
  }

  private func keep<Kept: Equatable>(
    _ value: Kept, _ key: ReferenceWritableKeyPath<Adapter, Kept>, _ property: String, _ call: IncomingCall
  ) {
    let isNew = adapter[keyPath: key] != value
    adapter[keyPath: key] = value
    adapter.store()
    call.reply()
    if isNew { changed(property) }
  }
}

/// What else an adapter shows: there, described, and without function.
@LoopActor
final class PlaceholderInterface: Face {
  private let values: [String: Value]

  init(_ daemon: Bluetoothd, _ path: ObjectPath, _ description: InterfaceDescription, _ values: [String: Value] = [:]) {
    self.values = values
    super.init(daemon, path, description)
  }

  override func get(_ property: String) -> Value? { values[property] }

  static func ofAdapter(_ daemon: Bluetoothd, _ path: ObjectPath) -> [Face] {
    [
      PlaceholderInterface(
        daemon, path,
        InterfaceDescription(
          "org.bluez.GattManager1",
          methods: [
            .init("RegisterApplication", in: [.init("application", "o"), .init("options", "a{sv}")]),
            .init("UnregisterApplication", in: [.init("application", "o")]),
          ])),
      PlaceholderInterface(
        daemon, path,
        InterfaceDescription(
          "org.bluez.LEAdvertisingManager1",
          methods: [
            .init("RegisterAdvertisement", in: [.init("advertisement", "o"), .init("options", "a{sv}")]),
            .init("UnregisterAdvertisement", in: [.init("service", "o")]),
          ],
          properties: [
            .init("ActiveInstances", "y"), .init("SupportedInstances", "y"), .init("SupportedIncludes", "as"),
            .init("SupportedSecondaryChannels", "as"),
          ]),
        [
          "ActiveInstances": .byte(0), "SupportedInstances": .byte(5),
          "SupportedIncludes": .strings(["tx-power", "appearance", "local-name"]),
        ]),
      PlaceholderInterface(
        daemon, path,
        InterfaceDescription(
          "org.bluez.Media1",
          methods: [
            .init("RegisterEndpoint", in: [.init("endpoint", "o"), .init("properties", "a{sv}")]),
            .init("UnregisterEndpoint", in: [.init("endpoint", "o")]),
            .init("RegisterPlayer", in: [.init("player", "o"), .init("properties", "a{sv}")]),
            .init("UnregisterPlayer", in: [.init("player", "o")]),
            .init("RegisterApplication", in: [.init("application", "o"), .init("options", "a{sv}")]),
            .init("UnregisterApplication", in: [.init("application", "o")]),
          ],
          properties: [.init("SupportedUUIDs", "as")]),
        ["SupportedUUIDs": .strings(["110a", "110b"].compactMap(longUUID))]),
    ]
  }

  static func ofRoot(_ daemon: Bluetoothd, _ path: ObjectPath) -> [Face] {
    [
      PlaceholderInterface(
        daemon, path,
        InterfaceDescription(
          "org.bluez.ProfileManager1",
          methods: [
            .init("RegisterProfile", in: [.init("profile", "o"), .init("UUID", "s"), .init("options", "a{sv}")]),
            .init("UnregisterProfile", in: [.init("profile", "o")]),
          ])),
      PlaceholderInterface(
        daemon, path,
        InterfaceDescription(
          "org.bluez.HealthManager1",
          methods: [
            .init("CreateApplication", in: [.init("config", "a{sv}")], out: [.init("application", "o")]),
            .init("DestroyApplication", in: [.init("application", "o")]),
          ])),
    ]
  }
}

public import Bluetooth
public import Central
public import DBus
public import EventLoop

/// `org.bluez` as the stack under a ``Central``.
@LoopActor
public final class BlueZBackend: CentralBackend {
  public weak var events: (any CentralBackendEvents)?

  private let address: Connection.Address
  private let clock: Clock
  /// Nil while there is no bus. ``VirtualTime`` looks at its traffic.
  public private(set) var connection: Connection?
  private var listeners: [Listener] = []
  private var tree = ObjectTree()
  private let pending = PendingCalls()
  private var availability: Availability?
  private var opening: OneShot<Availability>?
  /// Runs while there is no bus.
  private var search: Task<Void, Never>?
  private var discovering: Set<String> = []

  static let service = "org.bluez"

  /// Seconds that bluetoothd may take: for what it answers by itself; to make or end a link, which takes the kernel 40
  /// where nobody is there; for an exchange with the device, which it gives up after 30.
  enum Limit {
    static let answer: Seconds = 10
    static let goodbye: Seconds = 2
    static let link: Seconds = 55
    static let exchange: Seconds = 35
    /// The longest pause before another look for a bus.
    static let search: Seconds = 30
  }

  public init(bus address: Connection.Address = .system, clock: Clock) {
    self.address = address
    self.clock = clock
  }

  // MARK: Opening

  public func open() async -> Availability {
    if let opening { return await opening.value }
    let opening = OneShot<Availability>()
    self.opening = opening
    let result = await tryToOpen()
    availability = result
    self.opening = nil
    opening.finish(result)
    if connection == nil { searchForBus() }
    return result
  }

  private func tryToOpen() async -> Availability {
    do throws(CentralError) {
      if connection?.isOpen != true { try await openBus() }
      try await load()
      return .ready
    } catch {
      return .unavailable(error)
    }
  }

  /// Opens anew, now that there is hope, and tells.
  private func reopen() async {
    // What is under way may still be about the bluetoothd of before.
    while let opening { _ = await opening.value }
    guard case .ready = await open() else { return }
    tree.adapters.values.forEach { events?.adapterChanged($0.state.name, $0.state) }
    events?.backendChanged(.ready)
  }

  /// Nobody tells when there is a bus again: looks for it with growing pauses.
  private func searchForBus() {
    guard search == nil else { return }
    search = Task { @LoopActor [weak self, clock] in
      var pause: Seconds = 1
      while (try? await clock.sleep(pause)) != nil, let self {
        if connection == nil { await reopen() }
        if connection != nil, !Task.isCancelled {
          search = nil
          return
        }
        pause = min(pause * 2, Limit.search)
      }
    }
  }

  private func openBus() async throws(CentralError) {
    let connection: Connection
    do throws(DBusError) {
      connection = try await Connection.open(address, timeout: Limit.answer)
    } catch {
      throw Self.noBus(error)
    }
    self.connection = connection
    connection.onLost = { [weak self] in self?.busLost($0) }
    let manager = "org.freedesktop.DBus.ObjectManager"
    listeners = [
      connection.listen(MatchRule(sender: Self.service, interface: manager)) { [weak self] in self?.objectsChanged($0)
      },
      connection.listen(
        MatchRule(
          sender: Self.service, pathNamespace: "/org/bluez", interface: "org.freedesktop.DBus.Properties",
          member: "PropertiesChanged")
      ) { [weak self] in self?.propertiesChanged($0) },
      connection.watchOwner(of: Self.service) { [weak self] old, new in self?.ownerChanged(old, new) },
    ]
  }

  private static func noBus(_ error: DBusError) -> CentralError {
    var described = CentralError(
      .unavailable, "there is no system bus: \(error.message)",
      advice: "is dbus-daemon running? DBUS_SYSTEM_BUS_ADDRESS says where it is looked for")
    described.dbus = error.name
    return described
  }

  /// Takes the whole picture anew.
  private func load() async throws(CentralError) {
    _ = try await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", as: .adapter) { answer in
      self.tree.removeAll()
      answer.first?.entries?.forEachUnwrapped { path, interfaces in
        if let path = path.path { self.added(path, interfaces) }
      }
    }
  }

  public func close() async {
    search?.cancel()
    search = nil
    listeners.forEach { $0.cancel() }
    listeners = []
    connection?.onLost = nil
    // What was sent last has left when this is answered; a bus that hangs must not hold us.
    let bus = "org.freedesktop.DBus"
    _ = try? await connection?.call(bus, "/org/freedesktop/DBus", "\(bus).Peer", "Ping", timeout: Limit.goodbye)
    connection?.close()
    connection = nil
    tree.removeAll()
    discovering = []
    availability = nil
  }

  private func busLost(_ error: DBusError) {
    connection = nil
    listeners = []
    gone(Self.noBus(error))
    searchForBus()
  }

  private func ownerChanged(_ old: String?, _ new: String?) {
    if old != nil {
      gone(CentralError(DBusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", message: ""), .adapter))
    }
    if new != nil { Task { @LoopActor in await reopen() } }
  }

  private func gone(_ error: CentralError) {
    guard availability == .ready else { return }
    availability = .unavailable(error)
    tree.removeAll()
    discovering = []
    events?.backendChanged(.unavailable(error))
  }

  // MARK: Calls

  /// `onAnswer`: for an answer that is a picture of the state. It is called as the answer comes in; the caller goes on
  /// only later, when signals that came after it have been heard already.
  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [], as request: BlueZRequest,
    timeout: Seconds = Limit.answer, onAnswer: @escaping @LoopActor ([Value]) -> Void = { _ in }
  ) async throws(CentralError) -> [Value] {
    guard let connection else { throw Self.noBus(.disconnected) }
    let message = MethodCall(Self.service, path, interface, member, arguments)
    do throws(DBusError) {
      return try await pending.send(message, over: connection, timeout: timeout, onAnswer: onAnswer)
    } catch {
      throw CentralError(error, request)
    }
  }

  /// The object of an adapter; `no_adapter` where it is gone.
  private func adapterPath(_ name: String) throws(CentralError) -> ObjectPath {
    guard let adapter = tree.adapter(named: name) else { throw CentralError(.noAdapter, "no adapter \(name)") }
    return adapter.path
  }

  private func device(_ id: DeviceID) throws(CentralError) -> DeviceObject {
    guard let device = tree.device(id) else {
      throw CentralError(.notFound, "BlueZ does not know the device", retryable: true)
    }
    return device
  }

  private func attribute(_ id: AttributeID) throws(CentralError) -> AttributeObject {
    guard let attribute = try device(id.device).attribute(id.handle) else {
      throw CentralError(.notFound, "the device has no attribute 0x\(String(id.handle, radix: 16)) any more")
    }
    return attribute
  }

  // MARK: What is there

  public var adapters: [AdapterState] { tree.adapters.values.map(\.state) }
  public func state(of id: DeviceID) -> DeviceState? { tree.device(id)?.state }
  public func attributes(of id: DeviceID) -> AttributeTable { tree.device(id)?.attributes ?? AttributeTable() }
  public func mtu(of id: DeviceID) -> Int? { tree.device(id)?.mtu }
  public func cachedValue(of id: AttributeID) -> [UInt8]? { tree.device(id.device)?.attribute(id.handle)?.value }
  public func isNotifying(_ id: AttributeID) -> Bool {
    tree.device(id.device)?.attribute(id.handle)?.isNotifying ?? false
  }

  // MARK: Adapters and discovery (doc/org.bluez.Adapter)

  public func setPower(of adapter: String, on: Bool) async throws(CentralError) {
    let (path, properties) = (try adapterPath(adapter), "org.freedesktop.DBus.Properties")
    let arguments: [Value] = [.string(AdapterObject.interface), .string("Powered"), .variant(.bool(on))]
    _ = try await call(path, properties, "Set", arguments, as: .adapter, timeout: 30)
    // The answer comes before the news that it is so (src/adapter.c, property_set_mode_complete).
    let answer = try await call(path, properties, "GetAll", [.string(AdapterObject.interface)], as: .adapter)
    if let all = answer.first { adapterChanged(path, all) }
  }

  public func startDiscovery(on adapter: String) async throws(CentralError) {
    let path = try adapterPath(adapter)
    // LE only; DuplicateData has each advertisement told with just what it carried.
    let filter: Value = .properties([("Transport", .string("le")), ("DuplicateData", .bool(true))])
    _ = try await call(path, AdapterObject.interface, "SetDiscoveryFilter", [filter], as: .discovery)
    // Advertisements may be told before the answer.
    discovering.insert(adapter)
    do throws(CentralError) {
      _ = try await call(path, AdapterObject.interface, "StartDiscovery", as: .discovery)
    } catch {
      discovering.remove(adapter)
      throw error
    }
  }

  public func stopDiscovery(on adapter: String) async throws(CentralError) {
    discovering.remove(adapter)
    _ = try await call(try adapterPath(adapter), AdapterObject.interface, "StopDiscovery", as: .discovery)
  }

  // MARK: Devices (doc/org.bluez.Device)

  public func connect(_ id: DeviceID) async throws(CentralError) {
    _ = try await call(try device(id).path, DeviceObject.interface, "Connect", as: .connect, timeout: Limit.link)
  }

  public func disconnect(_ id: DeviceID) async throws(CentralError) {
    _ = try await call(try device(id).path, DeviceObject.interface, "Disconnect", as: .connect, timeout: Limit.link)
  }

  /// bluetoothd sends all signals that it has before any reply (gdbus, `g_dbus_flush`); and the reply says whether the
  /// device is connected, should that signal have been lost.
  public func synchronize(_ id: DeviceID) async throws(CentralError) {
    let properties = "org.freedesktop.DBus.Properties"
    _ = try await call(
      try device(id).path, properties, "GetAll", [.string(DeviceObject.interface)], as: .connect
    ) { answer in
      guard let device = self.tree.device(id), let all = answer.first else { return }
      device.apply(all)
      self.events?.deviceChanged(id, device.state)
    }
    guard let device = tree.device(id) else { return }
    // Not signalled for objects that are older than the link (src/gatt-client.c binds the watch to the first one).
    guard device.state.isConnected, let characteristic = device.anyCharacteristic else { return }
    let name: [Value] = [.string(AttributeObject.Kind.characteristic.rawValue), .string("MTU")]
    let mtu = try? await call(characteristic.path, properties, "Get", name, as: .exchange)
    device.mtu = mtu?.first?.unwrapped.int
  }

  // MARK: Attributes (doc/org.bluez.GattCharacteristic, doc/org.bluez.GattDescriptor)

  public func read(_ id: AttributeID, offset: Int) async throws(CentralError) -> [UInt8] {
    let attribute = try attribute(id)
    let options: Value = .properties(offset == 0 ? [] : [("offset", .uint16(UInt16(clamping: offset)))])
    let answer = try await call(
      attribute.path, attribute.kind.rawValue, "ReadValue", [options], as: .exchange, timeout: Limit.exchange)
    guard let value = answer.first?.bytes else {
      throw CentralError(.unavailable, "bluetoothd answered a read without bytes")
    }
    return value
  }

  public func write(_ id: AttributeID, _ value: [UInt8], _ kind: WriteKind, offset: Int) async throws(CentralError) {
    let attribute = try attribute(id)
    var options: [(String, Value)] = []
    if attribute.kind == .characteristic { options.append(("type", .string(kind.name))) }
    if offset != 0 { options.append(("offset", .uint16(UInt16(clamping: offset)))) }
    _ = try await call(
      attribute.path, attribute.kind.rawValue, "WriteValue", [.bytes(value), .properties(options)], as: .exchange,
      timeout: Limit.exchange)
  }

  public func startNotify(_ id: AttributeID) async throws(CentralError) {
    let attribute = try attribute(id)
    _ = try await call(
      attribute.path, attribute.kind.rawValue, "StartNotify", as: .exchange, timeout: Limit.exchange)
  }

  public func stopNotify(_ id: AttributeID) async throws(CentralError) {
    let attribute = try attribute(id)
    _ = try await call(attribute.path, attribute.kind.rawValue, "StopNotify", as: .exchange)
  }

  // MARK: Signals

  private func objectsChanged(_ signal: Signal) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].path else { return }
    switch signal.member {
    case "InterfacesAdded": added(path, signal.arguments[1])
    case "InterfacesRemoved": signal.arguments[1].strings?.forEach { removed(path, $0) }
    default: break
    }
  }

  private func added(_ path: ObjectPath, _ interfaces: Value) {
    interfaces.entries?.forEachUnwrapped { name, properties in
      switch name.string {
      case AdapterObject.interface: adapterAdded(path, properties)
      case DeviceObject.interface: deviceAdded(path, properties)
      case let name?:
        guard let kind = AttributeObject.Kind(rawValue: name) else { return }
        attributeAdded(kind, path, properties)
      case nil: break
      }
    }
  }

  private func adapterChanged(_ path: ObjectPath, _ changed: Value) {
    guard let adapter = tree.adapters[path] else { return }
    adapter.apply(changed)
    if !adapter.state.isPowered { discovering.remove(adapter.state.name) }
    events?.adapterChanged(adapter.state.name, adapter.state)
  }

  private func adapterAdded(_ path: ObjectPath, _ properties: Value) {
    guard let adapter = AdapterObject(path: path, properties) else { return }
    tree.add(adapter)
    if availability == .ready { events?.adapterChanged(adapter.state.name, adapter.state) }
  }

  private func deviceAdded(_ path: ObjectPath, _ properties: Value) {
    // The object may be a new one under the old path.
    if tree.devices[path] != nil { removed(path, DeviceObject.interface) }
    guard let device = DeviceObject(path: path, properties) else { return }
    tree.add(device)
    events?.deviceChanged(device.id, device.state)
    tellAdvertisement(device, properties)
  }

  private func attributeAdded(_ kind: AttributeObject.Kind, _ path: ObjectPath, _ properties: Value) {
    guard let attribute = AttributeObject(kind, path: path, properties) else { return }
    tree.add(attribute)
    if let device = tree.device(holding: path) { events?.attributesChanged(of: device.id) }
  }

  private func removed(_ path: ObjectPath, _ interface: String) {
    switch interface {
    case AdapterObject.interface:
      guard let (adapter, devices) = tree.removeAdapter(path) else { return }
      discovering.remove(adapter.state.name)
      devices.forEach { events?.deviceChanged($0.id, nil) }
      events?.adapterChanged(adapter.state.name, nil)
      pending.objectRemoved(path)
    case DeviceObject.interface:
      guard let device = tree.removeDevice(path) else { return }
      events?.deviceChanged(device.id, nil)
      pending.objectRemoved(path)
    default:
      guard AttributeObject.Kind(rawValue: interface) != nil, let device = tree.removeAttribute(path) else { return }
      events?.attributesChanged(of: device.id)
      pending.objectRemoved(path)
    }
  }

  private func propertiesChanged(_ signal: Signal) {
    guard signal.arguments.count == 3, case .string(let interface) = signal.arguments[0] else { return }
    let changed = signal.arguments[1]
    switch interface {
    case DeviceObject.interface:
      guard let device = tree.devices[signal.path] else { return }
      let before = device.state
      device.apply(changed, invalidated: signal.arguments[2].strings ?? [])
      if device.state != before { events?.deviceChanged(device.id, device.state) }
      tellAdvertisement(device, changed)
    case AttributeObject.Kind.characteristic.rawValue:
      guard let attribute = tree.attributes[signal.path] else { return }
      attribute.apply(changed)
      attributeChanged(attribute, changed)
    case AdapterObject.interface:
      adapterChanged(signal.path, changed)
    default: tree.attributes[signal.path]?.apply(changed)
    }
  }

  private func attributeChanged(_ attribute: AttributeObject, _ changed: Value) {
    guard let device = tree.device(holding: attribute.path) else { return }
    if let mtu = changed["MTU"]?.int { device.mtu = mtu }
    if let value = changed["Value"]?.bytes { events?.valueChanged(of: AttributeID(device.id, attribute.handle), value) }
  }

  private func tellAdvertisement(_ device: DeviceObject, _ changed: Value) {
    guard discovering.contains(device.id.adapter),
      let advertisement = device.advertisement(in: changed, time: clock.now)
    else { return }
    events?.heard(advertisement)
  }
}

extension WriteKind {
  /// BlueZ's name, for the option `type` of WriteValue.
  fileprivate var name: String {
    switch self {
    case .request: "request"
    case .command: "command"
    case .reliable: "reliable"
    }
  }
}

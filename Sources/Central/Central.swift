public import Bluetooth
public import EventLoop

/// Bluetooth LE as a central: adapters, scans, devices. All waiting ends, and each call ends once.
@LoopActor
public final class Central {
  /// What the radio is up to, seen from the script.
  public enum State: String, Sendable {
    case on, off, resetting, unsupported, unauthorized, unavailable
  }

  public let clock: Clock
  let backend: any CentralBackend

  /// The name (`hci1`) or address of the adapter to use where none is named; nil: the first that is powered.
  public var preferredAdapter: String?

  private var availability: Availability?
  private var opening: OneShot<Availability>?
  private var adapters: [String: Adapter] = [:]
  private var devices: [DeviceID: WeakDevice] = [:]
  /// Devices whose link this program has made. They stay until it is gone.
  private var linked: [DeviceID: Device] = [:]
  private var stateWatchers: [EventStream<State>] = []
  private var lastState: State?

  private struct WeakDevice { weak var device: Device? }

  public init(backend: any CentralBackend, clock: Clock) {
    self.backend = backend
    self.clock = clock
    backend.events = self
  }

  // MARK: Opening

  /// Opens the way to the stack where it is not open. Throws what stands in the way.
  public func open() async throws(CentralError) {
    if availability != .ready { availability = await tryToOpen() }
    if case .unavailable(let error) = availability { throw error }
  }

  private func tryToOpen() async -> Availability {
    if let opening { return await opening.value }
    let opening = OneShot<Availability>()
    self.opening = opening
    let result = await backend.open()
    self.opening = nil
    availability = result
    backend.adapters.forEach { adapterChanged($0.name, $0) }
    opening.finish(result)
    return result
  }

  /// Ends everything: operations, scans, and the links that this program made. Returns when they are down.
  public func shutdown() async {
    guard availability == .ready else { return }
    let ending = CentralError(.cancelled, "the program ends")
    adapters.values.forEach { $0.discovery.endAll(ending) }
    for device in devices.values { device.device?.endAll(ending) }
    let closing = linked.values.map { device in
      Task { @LoopActor in try? await device.disconnect(timeout: Self.closingTime) }
    }
    for task in closing { await task.value }
    for adapter in adapters.values { await adapter.discovery.settle() }
    await backend.close()
    availability = nil
  }

  /// Seconds that a link may take to go down: bluetoothd waits two before it tells the controller.
  public nonisolated static let closingTime: Seconds = 10

  // MARK: Adapters and state

  public var allAdapters: [Adapter] {
    adapters.values.sorted { ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name) }
  }

  /// The adapter of this name or address; without one, the preferred one, else the first powered, else the first.
  public func adapter(_ wanted: String? = nil) throws(CentralError) -> Adapter {
    let all = allAdapters
    if let wanted = wanted ?? preferredAdapter {
      let address = Address(wanted)
      if let found = all.first(where: { $0.name == wanted || $0.state.address == address }) { return found }
      let there = all.isEmpty ? "none" : all.map(\.name).joined(separator: ", ")
      throw CentralError(.noAdapter, "no adapter \(wanted) (there: \(there))", advice: "name one that is there")
    }
    guard let found = all.first(where: \.state.isPowered) ?? all.first else {
      throw CentralError(
        .noAdapter, "no Bluetooth adapter",
        advice: "plug one in; `rfkill list` and `dmesg | grep -i bluetooth` say what the kernel sees")
    }
    return found
  }

  public var state: State {
    switch availability {
    case nil: return .unavailable
    case .unavailable(let error): return error.code == .accessDenied ? .unauthorized : .unavailable
    case .ready:
      guard let adapter = try? adapter() else { return .unsupported }
      return adapter.isChangingPower ? .resetting : adapter.state.isPowered ? .on : .off
    }
  }

  /// Each change of ``state`` from now on.
  public func stateChanges() -> EventStream<State> {
    stateWatchers.removeAll(where: \.isFinished)
    let stream = EventStream<State>()
    stateWatchers.append(stream)
    return stream
  }

  /// Waits until ``state`` is `on`.
  public func ready(timeout: Seconds) async throws(CentralError) {
    let changes = stateChanges()
    let deadline = clock.after(timeout) { [weak self] in
      let state = self?.state.rawValue ?? "gone"
      changes.finish(CentralError(.timeout, "the adapter is not on after \(tidy(timeout)) s: it is \(state)"))
    }
    defer {
      deadline.cancel()
      changes.cancel()
    }
    try? await open()
    while state != .on { _ = try await changes.next() }
  }

  func tellState() {
    stateWatchers.removeAll(where: \.isFinished)
    guard state != lastState else { return }
    lastState = state
    stateWatchers.forEach { $0.send(state) }
  }

  // MARK: Devices

  /// The device of this address, known to the stack or not.
  public func device(_ address: Address, adapter: String? = nil) throws(CentralError) -> Device {
    device(DeviceID(adapter: try self.adapter(adapter).name, address: address))
  }

  func device(_ id: DeviceID) -> Device {
    if let device = devices[id]?.device { return device }
    let device = Device(id, central: self)
    devices[id] = WeakDevice(device: device)
    return device
  }

  /// Called when a link that this program made comes or goes.
  func linkChanged(_ device: Device, isOurs: Bool) {
    linked[device.id] = isOurs ? device : nil
  }

  /// No object of the program names the device any more.
  func forget(_ id: DeviceID) {
    if devices[id]?.device == nil { devices[id] = nil }
  }

  /// Devices that have an object here: for tests of leaks.
  public var deviceCount: Int { devices.count }
}

extension Central: CentralBackendEvents {
  public func backendChanged(_ availability: Availability) {
    self.availability = availability
    if case .unavailable(let error) = availability {
      for adapter in allAdapters { adapterChanged(adapter.name, nil, because: error) }
    }
    tellState()
  }

  public func adapterChanged(_ name: String, _ state: AdapterState?) {
    adapterChanged(name, state, because: CentralError(.adapterOff, "the adapter \(name) is gone"))
  }

  private func adapterChanged(_ name: String, _ state: AdapterState?, because error: CentralError) {
    if let state {
      let adapter = adapters[name] ?? Adapter(state, central: self)
      adapters[name] = adapter
      let wentOff = adapter.state.isPowered && !state.isPowered
      adapter.state = state
      if wentOff { endAll(on: adapter, .adapterOff(name)) }
    } else if let adapter = adapters.removeValue(forKey: name) {
      adapter.state.isPowered = false
      adapter.state.isDiscovering = false
      endAll(on: adapter, error)
    }
    tellState()
  }

  private func endAll(on adapter: Adapter, _ error: CentralError) {
    adapter.discovery.endAll(error)
    for (id, box) in devices where id.adapter == adapter.name { box.device?.endAll(error) }
  }

  public func deviceChanged(_ id: DeviceID, _ state: DeviceState?) {
    devices[id]?.device?.changed(state)
  }

  public func attributesChanged(of id: DeviceID) {
    devices[id]?.device?.attributesChanged()
  }

  public func heard(_ advertisement: Advertisement) {
    adapters[advertisement.adapter]?.discovery.heard(advertisement)
  }

  public func valueChanged(of attribute: AttributeID, _ value: [UInt8]) {
    devices[attribute.device]?.device?.valueChanged(attribute.handle, value)
  }
}

extension CentralError {
  static func adapterOff(_ name: String) -> CentralError {
    CentralError(
      .adapterOff, "the adapter \(name) is off",
      advice: "switch it on: `bluetoothctl power on`, or ble.adapter():power(true)")
  }
}

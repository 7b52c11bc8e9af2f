import Bluetooth
import Central
import EventLoop

/// A stack that does what a test says. Each call is noted in `calls`; it answers at once, or when the test lets it.
@LoopActor
final class FakeBackend: CentralBackend {
  weak var events: (any CentralBackendEvents)?
  var availability = Availability.ready
  var adapters: [AdapterState] = []
  var states: [DeviceID: DeviceState] = [:]
  var tables: [DeviceID: AttributeTable] = [:]
  var values: [UInt16: [UInt8]] = [:]
  var mtus: [DeviceID: Int] = [:]
  var resolvesServices = true

  private(set) var calls: [String] = []
  /// Errors for the next calls of a name, in order.
  var errors: [String: [CentralError]] = [:]
  /// Names whose calls wait for ``answer(_:_:)``.
  var held: Set<String> = []
  private var waiting: [(name: String, answer: OneShot<CentralError?>)] = []

  static let pulse = DeviceID(adapter: "hci0", address: Address("C8:3F:26:00:00:01")!)
  static let table = AttributeTable([
    .init(
      uuid: UUID(0x180D), handle: 0x0E,
      characteristics: [
        .init(
          uuid: UUID(0x2A37), handle: 0x0F, properties: [.notify],
          descriptors: [.init(uuid: UUID(0x2902), handle: 0x11)]),
        .init(uuid: UUID(0x2A38), handle: 0x12, properties: [.read]),
        .init(uuid: UUID(0x2A39), handle: 0x14, properties: [.write]),
      ]),
    .init(
      uuid: UUID(0x180F), handle: 0x16,
      characteristics: [.init(uuid: UUID(0x2A19), handle: 0x17, properties: [.read, .notify])]),
    .init(
      uuid: UUID(0xFFF0), handle: 0x20,
      characteristics: [
        .init(uuid: UUID(0xFFF1), handle: 0x21, properties: [.read, .writeWithoutResponse]),
        .init(uuid: UUID(0xFFF1), handle: 0x23, properties: [.read]),
      ]),
  ])

  init(powered: Bool = true, known: Bool = true) {
    adapters = [AdapterState(name: "hci0", address: Address("AA:BB:CC:00:00:01")!, isPowered: powered)]
    tables[Self.pulse] = Self.table
    if known { states[Self.pulse] = DeviceState() }
  }

  // MARK: What a test does

  var pending: [String] { waiting.map(\.name) }

  /// Answers the oldest held call of this name.
  func answer(_ name: String, _ error: CentralError? = nil) {
    guard let index = waiting.firstIndex(where: { $0.name == name }) else { return }
    waiting.remove(at: index).answer.finish(error)
  }

  func change(_ id: DeviceID = pulse, _ body: (inout DeviceState) -> Void) {
    var state = states[id] ?? DeviceState()
    body(&state)
    states[id] = state
    events?.deviceChanged(id, state)
  }

  func linkComesUp(_ id: DeviceID = pulse) {
    change(id) {
      $0.isConnected = true
      $0.areServicesResolved = resolvesServices
    }
  }

  func linkGoesDown(_ id: DeviceID = pulse) {
    change(id) {
      $0.isConnected = false
      $0.areServicesResolved = false
    }
  }

  func remove(_ id: DeviceID = pulse) {
    states[id] = nil
    events?.deviceChanged(id, nil)
  }

  func setPowered(_ on: Bool) {
    adapters[0].isPowered = on
    events?.adapterChanged("hci0", adapters[0])
  }

  func notify(_ handle: UInt16, _ value: [UInt8]) {
    events?.valueChanged(of: AttributeID(Self.pulse, handle), value)
  }

  func hear(_ advertisement: Advertisement) {
    var advertisement = advertisement
    advertisement.adapter = "hci0"
    events?.heard(advertisement)
  }

  func count(_ name: String) -> Int { calls.filter { $0 == name }.count }

  // MARK: CentralBackend

  private func call(_ name: String) async throws(CentralError) {
    calls.append(name)
    if errors[name]?.isEmpty == false, let error = errors[name]?.removeFirst() { throw error }
    guard held.contains(name) else { return }
    let answer = OneShot<CentralError?>()
    waiting.append((name, answer))
    if let error = await answer.value { throw error }
  }

  func open() async -> Availability { availability }
  func close() async { calls.append("close") }
  func state(of id: DeviceID) -> DeviceState? { states[id] }
  func attributes(of id: DeviceID) -> AttributeTable {
    states[id]?.areServicesResolved == true ? tables[id] ?? AttributeTable() : AttributeTable()
  }
  func mtu(of id: DeviceID) -> Int? { mtus[id] }
  func cachedValue(of id: AttributeID) -> [UInt8]? { values[id.handle] }
  func isNotifying(_ id: AttributeID) -> Bool { false }

  func setPower(of adapter: String, on: Bool) async throws(CentralError) {
    try await call("power")
    setPowered(on)
  }
  func startDiscovery(on adapter: String) async throws(CentralError) { try await call("startDiscovery") }
  func stopDiscovery(on adapter: String) async throws(CentralError) { try await call("stopDiscovery") }

  func connect(_ id: DeviceID) async throws(CentralError) {
    try await call("connect")
    linkComesUp(id)
  }
  func disconnect(_ id: DeviceID) async throws(CentralError) {
    try await call("disconnect")
    // Like bluetoothd: an attempt under way ends, and a link goes down.
    answer("connect", CentralError(.connectFailed, "cancelled", retryable: true))
    if states[id]?.isConnected == true { linkGoesDown(id) }
  }
  /// What happens while the central synchronizes.
  var onSynchronize: () -> Void = {}
  func synchronize(_ id: DeviceID) async throws(CentralError) { onSynchronize() }

  func read(_ id: AttributeID, offset: Int) async throws(CentralError) -> [UInt8] {
    try await call("read")
    return values[id.handle] ?? []
  }
  func write(_ id: AttributeID, _ value: [UInt8], _ kind: WriteKind, offset: Int) async throws(CentralError) {
    try await call("write \(kind)")
    values[id.handle] = value
  }
  func startNotify(_ id: AttributeID) async throws(CentralError) { try await call("startNotify") }
  func stopNotify(_ id: AttributeID) async throws(CentralError) { try await call("stopNotify") }
}

/// A central on a fake stack, with a clock that the test moves.
@LoopActor
final class Bench {
  let clock = Clock()
  let backend: FakeBackend
  let central: Central
  let device: Device

  init(powered: Bool = true, known: Bool = true) async throws {
    backend = FakeBackend(powered: powered, known: known)
    central = Central(backend: backend, clock: clock)
    try? await central.open()
    device = try central.device(FakeBackend.pulse.address)
  }

  /// Lets everything go as far as it can, then moves the clock in small steps.
  func advance(_ seconds: Seconds = 0) async {
    await EventLoop.shared.settle()
    let end = clock.now + seconds
    while let next = clock.next, next <= end {
      clock.advance(to: next)
      await EventLoop.shared.settle()
    }
    clock.advance(to: end)
    await EventLoop.shared.settle()
  }

  func connected() async throws {
    try await device.connect()
  }

  func start<Value: Sendable>(
    _ body: @escaping @LoopActor () async throws(CentralError) -> Value
  ) -> Outcome<Value> {
    Outcome(body)
  }
}

/// What became of an operation: how often it ended, and how.
@LoopActor
final class Outcome<Value: Sendable> {
  private(set) var results: [Result<Value, CentralError>] = []
  private(set) var task: Task<Void, Never>?

  init(_ body: @escaping @LoopActor () async throws(CentralError) -> Value) {
    task = Task { @LoopActor in
      do throws(CentralError) { results.append(.success(try await body())) } catch { results.append(.failure(error)) }
    }
  }

  var error: CentralError? {
    if case .failure(let error)? = results.first { error } else { nil }
  }

  var value: Value? { try? results.first?.get() }
  var isEnded: Bool { !results.isEmpty }
  func cancel() { task?.cancel() }
}

func name(_ text: String) -> CharacteristicName {
  CharacteristicName(.uuid(UUID(text)!), text: text)
}

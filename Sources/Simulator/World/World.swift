internal import DBus
internal import EventLoop
internal import LuaRuntime

/// A virtual world as a Lua file describes it. It has a Lua state of its own.
@LoopActor
final class World {
  let air = Air()
  private(set) lazy var bluetoothd = Bluetoothd(air)
  /// The bus lets nobody call bluetoothd.
  var isDenied = false { didSet { if isOpen { work { await self.holdingTime { await self.onPolicy() } } } } }
  /// Has the bus take the policy on.
  var onPolicy: () async -> Void = {}
  /// Errors of the world's functions while it runs.
  var onError: (String) -> Void = { _ in }
  /// Whether bluetoothd is to run; until ``isOpen`` it is only noted.
  private(set) var wantsBluetoothd = true
  private(set) var isOpen = false

  private let lua: LuaRuntime
  private var peripherals: [Peripheral] = []
  private var timers: [Int64: Clock.Timer] = [:]
  private var lastTimer: Int64 = 0
  private var orders: LuaFunction?
  private var ready: LuaFunction?
  /// What bluetoothd is told to do, one after the other.
  private var daemonWork: Task<Void, Never>?

  init(file: String, arguments: [String], path: ModulePath) throws(LuaError) {
    lua = try LuaRuntime(path: path)
    do throws(LuaError) {
      try lua.register(module: "sim.host", language)
      try lua.call(try lua.load(file: file), arguments.map { LuaValue($0) })
      if let ready { try lua.call(ready) }
    } catch {
      lua.close()
      throw error
    }
  }

  /// The bus is there: from now on bluetoothd obeys.
  func open() async throws(DBusError) {
    isOpen = true
    if wantsBluetoothd { try await bluetoothd.start() }
  }

  func close() async {
    for timer in timers.values { timer.cancel() }
    timers = [:]
    await daemonWork?.value
    if bluetoothd.isRunning { bluetoothd.crash() }
    for dongle in air.dongles {
      for link in dongle.links { link.end(quietly: true) }
    }
    lua.close()
  }

  /// Carries out one line, and returns when it is done.
  func order(_ line: String) async throws(LuaError) {
    guard let orders else { throw LuaError("this world takes no orders") }
    try lua.call(orders, [LuaValue(line)])
    await daemonWork?.value
  }

  func tellBluetoothd(_ verb: String) {
    guard isOpen else {
      wantsBluetoothd = verb == "start" || verb == "restart"
      return
    }
    // A crash is at once, in the midst of whatever it is.
    if verb == "crash" { bluetoothd.crash() }
    work {
      if verb == "stop" || verb == "restart" { await self.holdingTime { await self.bluetoothd.stop() } }
      if verb == "restart" { try? await EventLoop.shared.clock.sleep(1) }
      if verb == "start" || verb == "restart" { await self.holdingTime { await self.startBluetoothd() } }
      if verb == "crash" { await self.holdingTime { await self.onCrash() } }
    }
  }

  /// Does something once what came before is done; orders wait for it.
  private func work(_ body: @escaping @LoopActor () async -> Void) {
    let before = daemonWork
    daemonWork = Task { @LoopActor in
      await before?.value
      await body()
    }
  }

  /// Waits until the bus has noticed that bluetoothd is gone.
  var onCrash: () async -> Void = {}

  private func startBluetoothd() async {
    do throws(DBusError) {
      try await bluetoothd.start()
    } catch {
      onError("bluetoothd can't start: \(error.message)")
    }
  }

  /// What goes over connections that nobody who moves the clock can see.
  private func holdingTime(_ body: @escaping @LoopActor () async -> Void) async {
    if let virtual = EventLoop.shared.virtualTime { await virtual.hold(body) } else { await body() }
  }

  /// Calls a function of the world; its errors are told, and are nil here.
  func call(_ function: LuaFunction, _ arguments: [LuaValue] = []) -> [LuaValue]? {
    do throws(LuaError) {
      return try lua.call(function, arguments)
    } catch {
      onError(error.description)
      return nil
    }
  }

  // MARK: What the language makes

  func add(_ peripheral: Peripheral) -> Int64 {
    peripherals.append(peripheral)
    air.add(peripheral)
    return Int64(peripherals.count)
  }

  func peripheral(_ number: Int64) -> Peripheral? {
    peripherals.indices.contains(Int(clamping: number) - 1) ? peripherals[Int(number) - 1] : nil
  }

  func setOrders(_ function: LuaFunction) { orders = function }
  func setReady(_ function: LuaFunction) { ready = function }

  func after(_ seconds: Seconds, _ function: LuaFunction, isRepeated: Bool) -> Int64 {
    lastTimer += 1
    let number = lastTimer
    let clock = EventLoop.shared.clock
    schedule(number, at: clock.now + seconds, every: isRepeated ? seconds : nil, function)
    return number
  }

  private func schedule(_ number: Int64, at time: Seconds, every interval: Seconds?, _ function: LuaFunction) {
    timers[number] = EventLoop.shared.clock.at(time) { [weak self] in
      guard let self else { return }
      timers[number] = nil
      if let interval { schedule(number, at: time + interval, every: interval, function) }
      _ = call(function)
    }
  }

  func cancel(_ timer: Int64) {
    timers.removeValue(forKey: timer)?.cancel()
  }
}

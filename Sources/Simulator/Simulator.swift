public import DBus
public import EventLoop
internal import Glibc
public import LuaRuntime

/// bluetoothd and the air around it, played on a private bus for a world that a Lua file describes.
@LoopActor
public final class Simulator {
  /// What clients take for the system bus: the value of `DBUS_SYSTEM_BUS_ADDRESS`.
  public let address: String
  /// Errors in the world's functions while it runs, each with its file and line. Unless set they go to standard error.
  public var onError: (String) -> Void = { message in
    let line = Array("\(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  let world: World
  private let bus: SimulatedBus
  private let control: Connection
  private let orders: ObjectServer

  /// Reads the world, then starts the bus and bluetoothd. `path` has the folder with `sim.lua`; the world may require
  /// what is there, too. Throws what is wrong with the world, with its file and line.
  public static func start(
    world file: String, arguments: [String] = [], path: ModulePath
  ) async throws(LuaError) -> Simulator {
    let world = try World(file: file, arguments: arguments, path: path)
    let bus = SimulatedBus()
    bus.isDenied = world.isDenied
    do {
      let address = try await bus.start()
      world.bluetoothd.bus = address
      let control = try await Connection.open(.address(address), timeout: 30)
      let simulator = Simulator(world, bus, address, control)
      try await control.requestName(OrderInterface.name)
      try await world.open()
      // Adapters come a moment after the name, as they do with bluetoothd.
      try await EventLoop.shared.clock.sleep(Bluetoothd.adapterDelay * 2)
      return simulator
    } catch {
      await world.close()
      await bus.stop()
      throw LuaError("the simulator's bus: \(error)")
    }
  }

  private init(_ world: World, _ bus: SimulatedBus, _ address: String, _ control: Connection) {
    (self.world, self.bus, self.address, self.control) = (world, bus, address, control)
    orders = ObjectServer(control)
    orders.add([OrderInterface(world)], at: OrderInterface.path)
    world.onError = { [weak self] in self?.onError($0) }
    world.onPolicy = { [weak self] in await self?.changePolicy() }
    world.onCrash = { while await control.owner(of: Bluetoothd.name) != nil {} }
  }

  /// bluetoothd's connection, while it runs: for a look at what is under way.
  public var connection: Connection? { world.bluetoothd.connection }

  /// Carries out an order such as `lab notify notify 0102`, and returns when that is done.
  public func order(_ line: String) async throws(LuaError) {
    try await world.order(line)
  }

  public func stop() async {
    await world.close()
    control.close()
    await bus.stop()
  }

  private func changePolicy() async {
    bus.isDenied = world.isDenied
    let name = "org.freedesktop.DBus"
    _ = try? await control.call(name, "/org/freedesktop/DBus", name, "ReloadConfig", timeout: 30)
  }
}

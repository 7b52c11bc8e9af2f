internal import BlueZ
internal import Central
internal import DBus
internal import EventLoop
internal import Glibc
internal import LuaBLE
internal import LuaRuntime
internal import Simulator

/// One script's surroundings: a Lua state, a central, and the Bluetooth that they work with, real or simulated.
@LoopActor
final class Host {
  let runtime: LuaRuntime
  let central: Central
  let backend: BlueZBackend
  let simulator: Simulator?

  /// The name under which a script comes from standard input.
  static let standardInput = "-"

  /// `script`: the file that will run, for `require`. `world`: a world file to play. Throws the world's error.
  init(script: String, world: String? = nil, adapter: String? = nil) async throws(LuaError) {
    let path = ModulePath(
      library: Installation.scripts.map { $0 + "/lib" }, script: folder(of: script), user: Installation.userFolder)
    let clock = EventLoop.shared.clock
    if let world {
      simulator = try await Simulator.start(world: world, path: path)
    } else {
      simulator = nil
    }
    backend = BlueZBackend(bus: simulator.map { .address($0.address) } ?? .system, clock: clock)
    central = Central(backend: backend, clock: clock)
    central.preferredAdapter = adapter ?? getenv("BLESCRIPT_ADAPTER").map { String(cString: $0) }
    runtime = try LuaRuntime(path: path)
    runtime.onUncaughtError = { Self.tell($0) }
    runtime.onWarning = { Output.message("blescript: warning: \($0)") }
    try BLEModule.register(in: runtime, central)
    try DecoderModule().register(in: runtime)
  }

  /// Runs a file until it and its tasks have ended.
  func run(_ file: String, _ arguments: [String]) async -> LuaRuntime.Outcome {
    do throws(LuaError) {
      let main = try file == Self.standardInput ? runtime.loadStandardInput() : runtime.load(file: file)
      let arg = LuaTable(arguments.map { LuaValue($0) }, fields: [(0, LuaValue(file))])
      try runtime.setGlobal("arg", .table(arg))
      return await runtime.run(main, arguments.map { LuaValue($0) })
    } catch {
      Self.tell(error)
      return .failed(error)
    }
  }

  /// Ends what runs, takes down the links, stops discovery, leaves the bus. The world goes last.
  func close() async {
    await central.shutdown()
    runtime.close()
    await simulator?.stop()
  }

  /// What a person sees of an error that nobody caught.
  static func tell(_ error: LuaError) {
    Output.message("blescript: \(error)")
    if let traceback = traceback(of: error) { Output.message(traceback) }
  }

  /// An error with a code is about the world, not about our code: only the script's own lines say more than its
  /// position does, and only where there are several.
  private static func traceback(of error: LuaError) -> String? {
    guard error.code != nil, let lines = error.traceback?.split(separator: "\n") else { return error.traceback }
    let library = Installation.scripts.map { "\t\($0)/lib/" } ?? "\t[C]"
    let own = lines.filter { line in
      !["\t[C]", "\t(...tail calls...)", library].contains { line.hasPrefix($0) }
    }
    return own.count > 2 ? own.joined(separator: "\n") : nil
  }
}

internal import EventLoop
internal import Glibc
internal import LuaRuntime
internal import Simulator

// For measuring against transcripts before the command line exists.
let arguments = CommandLine.arguments
let failed = EventLoop.run { () async -> Bool in
  do {
    let simulator = try await Simulator.start(world: arguments[1], path: ModulePath(library: arguments[2]))
    print("DBUS_SYSTEM_BUS_ADDRESS=\(simulator.address)")
    fflush(nil)
    await OneShot<Void>().value
    return false
  } catch {
    print("\(error)")
    return true
  }
}
exit(failed ? 1 : 0)

internal import EventLoop
internal import LuaRuntime
internal import Simulator

/// `blescript sim WORLD`: plays org.bluez until it is interrupted. Prints the bus on which other programs find it.
@LoopActor
struct SimCommand {
  let world: String

  func run() async -> Int32 {
    guard areReadable([world]) else { return ExitStatus.usage.rawValue }
    let simulator: Simulator
    do throws(LuaError) {
      let path = ModulePath(
        library: Installation.scripts.map { $0 + "/lib" }, script: folder(of: world), user: Installation.userFolder)
      simulator = try await Simulator.start(world: world, path: path)
    } catch {
      Host.tell(error)
      return ExitStatus.scriptFailed.rawValue
    }
    let end = OneShot<Void>()
    // To be ended from outside is how this command ends.
    let interrupts = Interrupts { end.finish(()) }
    Output.data("DBUS_SYSTEM_BUS_ADDRESS=\(simulator.address)")
    await end.value
    await simulator.stop()
    interrupts.end()
    return ExitStatus.success.rawValue
  }
}

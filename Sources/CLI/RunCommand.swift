internal import EventLoop
internal import LuaRuntime

/// `blescript FILE …`: runs a script. However it ends, connections that it made are closed and its discovery is stopped.
@LoopActor
struct RunCommand {
  let invocation: Invocation
  let file: String
  let arguments: [String]

  func run() async -> Int32 {
    let files = [file, invocation.world].compactMap { $0 }.filter { $0 != Host.standardInput }
    guard areReadable(files) else { return ExitStatus.usage.rawValue }
    let host: Host
    do throws(LuaError) {
      host = try await Host(script: file, world: invocation.world, adapter: invocation.adapter)
    } catch {
      Host.tell(error)
      return ExitStatus.scriptFailed.rawValue
    }
    let interrupts = Interrupts(breakingInto: host.runtime.interrupter) { host.runtime.stop() }
    host.runtime.onUncaughtError = { if interrupts.received != .brokenPipe { Host.tell($0) } }
    let outcome = await host.run(file, arguments)
    await host.close()
    interrupts.end()
    return interrupts.received?.rawValue ?? status(outcome)
  }

  private func status(_ outcome: LuaRuntime.Outcome) -> Int32 {
    switch outcome {
    case .finished: ExitStatus.success.rawValue
    case .failed(let error): ExitStatus(error).rawValue
    case .exited(let status): status
    case .stopped: ExitStatus.interrupted.rawValue
    }
  }
}

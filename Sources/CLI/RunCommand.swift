internal import EventLoop
internal import Glibc
internal import LuaRuntime

/// `blescript FILE …`: runs a script. However it ends, connections that it made are closed and its discovery is stopped.
@LoopActor
struct RunCommand {
  let invocation: Invocation
  let file: String
  let arguments: [String]

  func run() async -> Int32 {
    guard Installation.isReadable(file) else {
      Output.message("blescript: can't read \(file): \(String(cString: strerror(errno)))")
      return ExitStatus.usage.rawValue
    }
    let host: Host
    do throws(LuaError) {
      host = try await Host(script: file, world: invocation.world, adapter: invocation.adapter)
    } catch {
      Host.tell(error)
      return ExitStatus.scriptFailed.rawValue
    }
    let signals = Interrupts { host.runtime.stop() }
    let outcome = await host.run(file, arguments)
    await host.close()
    return signals.received?.rawValue ?? status(outcome)
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

/// SIGINT and SIGTERM. The first asks for an orderly end; the second ends the program at once.
@LoopActor
final class Interrupts {
  private(set) var received: ExitStatus?
  private var watchers: [SignalWatcher] = []

  init(_ stop: @escaping @LoopActor () -> Void) {
    for (number, status) in [(SIGINT, ExitStatus.interrupted), (SIGTERM, .terminated), (SIGHUP, .terminated)] {
      watchers.append(
        SignalWatcher(number) { [weak self] in
          if self?.received != nil { _exit(status.rawValue) }
          self?.received = status
          stop()
        })
    }
  }
}

internal import EventLoop
@preconcurrency internal import Glibc

/// The program `blescript`.
public enum CLI {
  /// `arguments` without the program's name. Returns the exit status.
  public static func main(_ arguments: [String]) -> Int32 {
    // A reader that has gone is an error of the write, not the end of the program before its links are down.
    signal(SIGPIPE, SIG_IGN)
    // Whoever reads wants each line when it is there, not when there are 4096 bytes.
    setvbuf(stdout, nil, _IOLBF, 0)
    return EventLoop.run { await run(arguments) }
  }

  @LoopActor
  static func run(_ arguments: [String]) async -> Int32 {
    let invocation: Invocation
    do throws(Invocation.Mistake) {
      invocation = try Invocation(arguments)
    } catch {
      Output.message("blescript: \(error.message)")
      Output.message("Try 'blescript --help'.")
      return ExitStatus.usage.rawValue
    }
    switch invocation.action {
    case .help:
      Output.data(help)
      return ExitStatus.success.rawValue
    case .version:
      Output.data("blescript \(Installation.version)")
      return ExitStatus.success.rawValue
    case .run(let file, let arguments):
      return await RunCommand(invocation: invocation, file: file, arguments: arguments).run()
    case .simulate(let world):
      return await SimCommand(world: world).run()
    case .test(let files):
      return await TestCommand(invocation: invocation, files: files).run()
    }
  }

  static let help = """
    blescript runs Lua scripts that talk to Bluetooth LE devices.

      blescript [OPTION…] FILE [ARGUMENT…]        run a script; -: from standard input
      blescript run [OPTION…] FILE [ARGUMENT…]    the same
      blescript sim WORLD                         play a world of simulated devices, for other programs
      blescript test [--act COMMAND] FILE…        run test files; results as TAP

      -s, --sim WORLD       play this world, and run the script in it
      -a, --adapter NAME    use this adapter: hci1, or its address (also BLESCRIPT_ADAPTER)
          --act COMMAND     test on the system's Bluetooth; COMMAND gives the world an order, which replaces {}
      -h, --help            this text
      -V, --version         the version

    Exit status: 0; 1 the script failed; 2 usage; 3 no Bluetooth; 4 not found; 5 an operation failed; 6 timed out;
    130 interrupted, 143 terminated, 141 nobody reads the output any more.
    """
}

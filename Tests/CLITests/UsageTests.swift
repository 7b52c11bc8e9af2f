import EventLoop
import Foundation
import Testing

@Suite struct UsageTests {
  init() { EventLoop.runInBackground() }

  private static let hint = "Try 'blescript --help'.\n"

  @Test(arguments: [
    (["--frobnicate", "x.lua"], "unknown option --frobnicate\n" + hint),
    (["-q", "x.lua"], "unknown option -q\n" + hint),
    (["--sim"], "--sim: a value is missing\n" + hint),
    ([], "what should it run?\n" + hint),
    (["run"], "run: a script is missing\n" + hint),
    (["sim"], "sim: one world file is wanted, got 0\n" + hint),
    (["sim", "a", "b"], "sim: one world file is wanted, got 2\n" + hint),
    (["--sim", "a", "sim", "b"], "sim: --sim is for other commands\n" + hint),
    (["run", "--sim"], "--sim: a value is missing\n" + hint),
    (["test"], "test: a test file is missing\n" + hint),
    (["--sim", "w", "test", "x"], "test: each test names its own world; --sim is for scripts\n" + hint),
    (["--act", "x", "y.lua"], "--act is for the command test\n" + hint),
    (["/"], "can't read /: Is a directory\n"),
    (["test", "/", "/nonexistent/x.lua"], "can't read /: Is a directory\n"),
    (["run", "--sim", "/nonexistent/w.lua", "-"], "can't read /nonexistent/w.lua: No such file or directory\n"),
    (["/nonexistent/x.lua"], "can't read /nonexistent/x.lua: No such file or directory\n"),
    (["sim", "/nonexistent/x.lua"], "can't read /nonexistent/x.lua: No such file or directory\n"),
    (["--sim", "/nonexistent/w.lua", "-"], "can't read /nonexistent/w.lua: No such file or directory\n"),
  ])
  @LoopActor func aWrongCommandLineIsStatusTwo(arguments: [String], message: String) async throws {
    #expect(try await Program.run(arguments) == Ending(status: 2, errors: "blescript: " + message))
  }

  @Test @LoopActor func helpAndVersionEnd() async throws {
    let help = try await Program.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.hasPrefix("blescript runs Lua scripts that talk to Bluetooth LE devices.\n"))
    #expect(help.errors == "")
    #expect(try await Program.run(["-V"]).output.hasPrefix("blescript "))
  }
}

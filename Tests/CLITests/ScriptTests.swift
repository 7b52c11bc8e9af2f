import EventLoop
import Testing

/// Scripts that have nothing to do with a device: how they start, fail and end.
@Suite struct ScriptTests {
  init() { EventLoop.runInBackground() }

  @LoopActor private func run(_ script: String, _ arguments: [String] = []) async throws -> Ending {
    let folder = try Folder(["script.lua": script])
    var ending = try await Program.run([folder.path + "/script.lua"] + arguments)
    ending.errors = ending.errors.replacing(folder.path + "/", with: "")
    ending.output = ending.output.replacing(folder.path + "/", with: "")
    return ending
  }

  @Test @LoopActor func aScriptGetsItsArguments() async throws {
    let script = "#!/usr/bin/env blescript\nprint(#arg, arg[0], arg[1], arg[2], ...)"
    #expect(
      try await run(script, ["--one", "two words"])
        == Ending(status: 0, output: "2\tscript.lua\t--one\ttwo words\t--one\ttwo words\n"))
  }

  @Test @LoopActor func aScriptIsRunByItsFirstLine() async throws {
    let folder = try Folder(["script.lua": "#!\(Program.path)\nprint('run', ...)\nerror 'line 3'"])
    let file = folder.path + "/script.lua"
    let ending = try await Program.run([], through: ["sh", "-c", "chmod +x \(file) && exec \(file) a b"])
    #expect(ending.status == 1)
    #expect(ending.output == "run\ta\tb\n")
    #expect(ending.errors.hasPrefix("blescript: \(file):3: line 3\n"))
  }

  @Test @LoopActor func aScriptComesFromStandardInput() async throws {
    let folder = try Folder(["input": "print(arg[0], ...)\nerror 'here'"])
    let ending = try await Program.run(["-", "a"], input: folder.path + "/input")
    #expect(ending.status == 1)
    #expect(ending.output == "-\ta\n")
    #expect(ending.errors.hasPrefix("blescript: stdin:2: here\n"))
  }

  @Test @LoopActor func aSyntaxErrorNamesItsLine() async throws {
    #expect(
      try await run("local x = 1\nif x then")
        == Ending(status: 1, errors: "blescript: script.lua:2: 'end' expected near <eof>\n"))
  }

  @Test @LoopActor func aMissingModuleIsNamed() async throws {
    let ending = try await run("\nrequire 'no_such_module'")
    #expect(ending.status == 1)
    #expect(ending.errors.hasPrefix("blescript: script.lua:2: module 'no_such_module' not found:\n"))
  }

  @Test(arguments: [
    ("error 'text'", "script.lua:1: text"), ("error('text', 0)", "text"),
    ("error()", "(error object is a nil value)"), ("error(nil)", "(error object is a nil value)"),
    ("error(true)", "(error object is a boolean value)"), ("error {}", "(error object is a table value)"),
    ("error { code = 5 }", "(error object is a table value)"), ("error(print)", "(error object is a function value)"),
    ("error(setmetatable({}, { __tostring = function() return 'mine' end }))", "mine"),
    ("error(setmetatable({}, { __tostring = function() error 'no' end }))", "(error object is a table value)"),
    ("error(setmetatable({}, { __tostring = function() return {} end }))", "(error object is a table value)"),
    ("local x = nil; x.y = 1", "script.lua:1: attempt to index a nil value (local 'x')"),
    (
      "local task = require 'task' task.spawn(function() error 'in a task' end) task.sleep(9)",
      "script.lua:1: in a task"
    ),
  ])
  @LoopActor func L10_anyErrorIsALineAndStatusOne(script: String, line: String) async throws {
    let ending = try await run(script)
    #expect(ending.status == 1)
    #expect(ending.errors.hasPrefix("blescript: \(line)\n"), "\(ending)")
  }

  @Test @LoopActor func theStatusIsTheErrorsCode() async throws {
    for (code, status) in [("timeout", 6), ("not_found", 4), ("no_adapter", 3), ("att", 5), ("invalid", 1)]
      as [(String, Int32)]
    {
      let ending = try await run("error(require('ble.error').new { code = '\(code)', message = 'x' })")
      #expect(ending.status == status, "\(code)")
    }
  }

  @Test @LoopActor func exitEndsWithItsStatusWhenTheLinksAreDown() async throws {
    let script = """
      local dev <close> = require("ble").connect "C8:3F:26:00:00:01"
      require("task").spawn(function() os.exit(7) end)
      require("task").sleep(50)
      """
    try await World.with(script: script) { world async throws in #expect(try await world.run() == Ending(status: 7)) }
  }

  @Test @LoopActor func anErrorInANotificationHandlerEndsTheScript() async throws {
    let script = """
      local dev = require("ble").connect "C8:3F:26:00:00:01"
      dev:subscribe("fff2", function(value)
        error("can't use " .. value)
      end)
      print "subscribed"
      require("task").sleep(50)
      """
    try await World.with(script: script) { world async throws in
      let program = try world.start()
      try await program.says("subscribed")
      try await world.order("it notify silent 6162")
      let ending = try await program.end()
      #expect(ending.status == 1)
      #expect(ending.errors.hasPrefix("blescript: \(world.folder.path)/script.lua:3: can't use ab\nstack traceback:\n"))
    }
  }

  @Test @LoopActor func anErrorInOneLineOfAScriptNeedsNoTraceback() async throws {
    let ending = try await run("local ble = require 'ble'\nprint(ble.read('C8:3F:26:00:00:01', '2a19') .. ' %')")
    #expect(ending.status == 3)
    #expect(ending.errors.hasPrefix("blescript: script.lua:2: connect on C8:3F:26:00:00:01: there is no system bus"))
    #expect(!ending.errors.contains("traceback"), "\(ending)")
  }

  @Test @LoopActor func anErrorDeepInAScriptShowsTheScriptsLinesOnly() async throws {
    let script = """
      local function find() return (require("ble").find { name = "Nobody" }) end
      local function run()
        local found = find()
        return found
      end
      local found = run()
      return found
      """
    let ending = try await run(script)
    #expect(ending.status == 3)
    #expect(ending.errors.hasPrefix("blescript: script.lua:1: scan: there is no system bus"))
    let lines = ending.errors.split(separator: "\n").dropFirst(2)
    #expect(lines.first == "stack traceback:")
    #expect(lines.dropFirst().allSatisfy { $0.contains("\tscript.lua:") }, "\(ending)")
    #expect(lines.contains { $0.contains("script.lua:6:") }, "\(ending)")
  }
}

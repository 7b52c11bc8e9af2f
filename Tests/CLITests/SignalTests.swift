import EventLoop
import Foundation
import Glibc
import Testing

/// Ctrl-C and SIGTERM: the program ends at once, with its status, and its links are down.
@Suite struct SignalTests {
  init() { EventLoop.runInBackground() }

  private static let waits = [
    "for _ in ble.scan { name = 'Nobody' } do end",
    "ble.connect('C8:3F:26:00:00:99', { timeout = 50 })",
    "dev:read('fff2', { timeout = 50 })",
    "dev:write('fff2', 'x', { timeout = 50 })",
    "for _ in dev:notifications 'fff2' do end",
    "task.sleep(50)",
    "while true do end",
    "while true do string.rep('x', 10) end",
    "coroutine.wrap(function() while true do end end)()",
  ]

  private static func script(_ wait: String) -> String {
    """
    local ble, task = require "ble", require "task"
    local dev = ble.connect "C8:3F:26:00:00:01"
    print "connected"
    \(wait)
    print "not here"
    """
  }

  @Test(arguments: waits, [SIGINT, SIGTERM])
  @LoopActor func theLinkGoesDownFirst(wait: String, signal: Int32) async throws {
    try await World.with(script: Self.script(wait)) { world async throws in
      let program = try world.start()
      try await program.says("connected")
      try await EventLoop.shared.clock.sleep(0.5)
      program.send(signal)
      let ending = try await program.end()
      #expect(ending.status == 128 + signal)
      #expect(ending.output == "connected\n")
      // Where it was is worth knowing if it was busy.
      let isBusy = wait.contains("while true")
      #expect(ending.errors.isEmpty == !isBusy)
      if isBusy { #expect(ending.errors.contains("script.lua:4: interrupted\n"), "\(ending)") }
    }
  }

  @Test @LoopActor func aConnectUnderWayIsGivenUp() async throws {
    let script = """
      local ble, task = require "ble", require "task"
      local found = ble.find { name = "It" }
      print "found"
      while not io.open(... .. "/hidden") do task.sleep(0.01) end
      ble.connect(found, { timeout = 50 })
      """
    try await World.with(script: script) { world async throws in
      let program = try world.start([world.folder.path])
      try await program.says("found")
      try await world.order("it hide")
      #expect(FileManager.default.createFile(atPath: world.folder.path + "/hidden", contents: nil))
      try await EventLoop.shared.clock.sleep(1.5)
      program.send(SIGINT)
      let ending = try await program.end()
      #expect(ending == Ending(status: 130, output: "found\n"))
    }
  }

  /// What `timeout` does: the signal comes to the process and to its group.
  @Test @LoopActor func aSignalThatComesTwiceAtOnceIsOne() async throws {
    try await World.with(script: Self.script("task.sleep(50)")) { world async throws in
      let program = try world.start()
      try await program.says("connected")
      program.send(SIGTERM)
      program.send(SIGTERM)
      #expect(try await program.end() == Ending(status: 143, output: "connected\n"))
    }
  }

  /// What a terminal does: Ctrl-C is for all that the program has started, too.
  @Test(arguments: ["for _ in dev:notifications 'fff2' do end", "dev:read('fff2', { timeout = 50 })"])
  @LoopActor func ctrlCInATerminalLeavesTheSimulatorsBus(wait: String) async throws {
    let folder = try Folder(["world.lua": World.device, "script.lua": Self.script(wait)])
    let program = try Program(
      ["--sim", folder.path + "/world.lua", folder.path + "/script.lua"], through: ["setsid"])
    try await program.says("connected")
    try await EventLoop.shared.clock.sleep(0.5)
    kill(-program.process.pid, SIGINT)
    #expect(try await program.end() == Ending(status: 130, output: "connected\n"))
  }

  @Test @LoopActor func theSecondCtrlCEndsAtOnce() async throws {
    let world = World.device + "sim.fault { on = 'Disconnect', delay = 5 }"
    try await World.with(world, script: Self.script("task.sleep(50)")) { world async throws in
      let program = try world.start()
      try await program.says("connected")
      program.send(SIGINT)
      try await EventLoop.shared.clock.sleep(0.3)
      #expect(program.process.isRunning)
      let before = EventLoop.shared.clock.now
      program.send(SIGINT)
      #expect(try await program.end() == Ending(status: 130, output: "connected\n"))
      #expect(EventLoop.shared.clock.now - before < 4.5)
      // bluetoothd has the order to take the link down; that it comes to pass does not need us.
      try await EventLoop.shared.clock.sleep(8)
    }
  }

  /// L02: no hook runs within a pattern match.
  @Test @LoopActor func theSecondCtrlCEndsAPatternMatchThatNeverEnds() async throws {
    let folder = try Folder(["script.lua": "print 'begin'; (('a'):rep(600)):find('.-.-.-.-.-.-b$')"])
    let program = try Program([folder.path + "/script.lua"])
    try await program.says("begin")
    program.send(SIGINT)
    try await EventLoop.shared.clock.sleep(0.5)
    #expect(program.process.isRunning)
    program.send(SIGINT)
    #expect(try await program.end() == Ending(status: 130, output: "begin\n"))
  }

  @Test @LoopActor func aScriptThatCatchesTheInterruptionGoesOnToItsEnd() async throws {
    let script = """
      local ok, reason = pcall(function() print "busy" while true do end end)
      print(ok, reason)
      """
    let folder = try Folder(["script.lua": script])
    let program = try Program([folder.path + "/script.lua"])
    try await program.says("busy")
    program.send(SIGINT)
    #expect(
      try await program.end()
        == Ending(status: 130, output: "busy\nfalse\t\(folder.path)/script.lua:1: interrupted\n"))
  }

  @Test(arguments: ["while true do print 'x' end", "while true do print 'x' task.sleep(0.01) end"])
  @LoopActor func nobodyReadsAnyMore(loop: String) async throws {
    try await World.with(script: Self.script(loop)) { world async throws in
      let shell = ["bash", "-c", "set -o pipefail; \"$@\" | head -1", "bash"]
      #expect(try await world.start(through: shell).end() == Ending(status: 141, output: "connected\n"))
    }
  }
}

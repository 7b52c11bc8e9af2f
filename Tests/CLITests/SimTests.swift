import EventLoop
import Foundation
import Glibc
import Testing

/// `blescript sim`, and worlds that come with a script.
@Suite struct SimTests {
  init() { EventLoop.runInBackground() }

  @Test(arguments: [SIGINT, SIGTERM])
  @LoopActor func itServesUntilASignal(signal: Int32) async throws {
    let folder = try Folder(["world.lua": World.device])
    let program = try Program(["sim", folder.path + "/world.lua"])
    let line = try await program.firstLine()
    #expect(line.wholeMatch(of: /DBUS_SYSTEM_BUS_ADDRESS=unix:[^\s]+/) != nil)
    program.send(signal)
    // That its dbus-daemon is gone, too, is looked at there.
    #expect(try await program.end() == Ending(status: 0, output: line + "\n"))
    #expect(try remains().isEmpty)
  }

  @Test(arguments: [true, false])
  @LoopActor func aFaultInAWorldIsStatusOne(isServed: Bool) async throws {
    let folder = try Folder([
      "world.lua": "local sim = require 'sim'\nsim.peripheral { address = 'AA' }", "script.lua": "",
    ])
    let (world, script) = (folder.path + "/world.lua", folder.path + "/script.lua")
    let ending = try await Program.run(isServed ? ["sim", world] : ["--sim", world, script])
    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(
      ending.errors.hasPrefix("blescript: \(world):2: address: AA:BB:CC:DD:EE:FF expected, got \"AA\"\n"), "\(ending)")
  }

  @Test @LoopActor func aWorldEndsWithItsScript() async throws {
    let folder = try Folder([
      "world.lua": World.device,
      "script.lua": "local dev <close> = require('ble').connect('C8:3F:26:00:00:01') print(dev:read('fff1'))",
    ])
    let ending = try await Program.run(["--sim", folder.path + "/world.lua", folder.path + "/script.lua"])
    #expect(ending == Ending(status: 0, output: "ok\n"))
    #expect(try remains().isEmpty)
  }

  /// Files that the program may have left.
  private func remains() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/tmp").filter { $0.hasPrefix("blescript-bus") }
  }
}

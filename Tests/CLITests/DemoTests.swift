import EventLoop
import Foundation
import Testing

/// What `make demo` runs.
@Suite struct DemoTests {
  init() { EventLoop.runInBackground() }

  @LoopActor private func run(in world: String) async throws -> Ending {
    let scripts = project.path + "/scripts"
    return try await Program.run(["--sim", "\(scripts)/worlds/\(world).lua", "\(scripts)/examples/heart-rate.lua"])
  }

  @Test @LoopActor func theHeartBeats() async throws {
    let ending = try await run(in: "heart-rate")
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    let lines = ending.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { !$0.hasPrefix("heart ") } == [
        "found      C8:3F:26:00:00:01 Pulse, -58 dBm", "service    1801 Generic Attribute",
        "service    180d Heart Rate",
        "service    180f Battery", "service    180a Device Information", "battery    85 %",
        "control    energy expended reset, acknowledged", "goodbye    disconnected",
      ])
    // The world's beats, one after the other. A slow machine misses the first ones.
    let beats = [72, 73, 75, 76, 75, 73, 72, 70, 69, 70].map { "heart      \($0) beats a minute" }
    let heard = Array(lines.dropFirst(6).prefix(5))
    #expect(beats.indices.contains { start in (0..<5).map { beats[(start + $0) % beats.count] } == heard }, "\(ending)")
  }

  @Test @LoopActor func theRadioIsOff() async throws {
    let ending = try await run(in: "radio-off")
    #expect(ending.status == 3)
    #expect(ending.output == "")
    #expect(
      ending.errors.hasSuffix(
        """
        /heart-rate.lua:5: scan: the adapter hci0 is off (step: adapter)
          switch it on: `bluetoothctl power on`, or ble.adapter():power(true)

        """), "\(ending)")
    #expect(ending.errors.split(separator: "\n").count == 2)
  }
}

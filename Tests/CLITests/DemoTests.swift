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
    #expect(
      try await run(in: "heart-rate") == Ending(
        status: 0,
        output: """
          found      C8:3F:26:00:00:01 Pulse, -58 dBm
          service    1801 Generic Attribute
          service    180d Heart Rate
          service    180f Battery
          service    180a Device Information
          battery    85 %
          heart      72 beats a minute
          heart      73 beats a minute
          heart      75 beats a minute
          heart      76 beats a minute
          heart      75 beats a minute
          control    energy expended reset, acknowledged
          goodbye    disconnected

          """))
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

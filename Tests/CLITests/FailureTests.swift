import EventLoop
import Testing

/// A device that does not do what it should: which status, and what the person reads.
@Suite struct FailureTests {
  init() { EventLoop.runInBackground() }

  static let connected = """
    local ble = require "ble"
    local dev <close> = ble.connect("C8:3F:26:00:00:01")
    print "connected"

    """

  @Test @LoopActor func nobodyHasThatAddress() async throws {
    let script = "require('ble').connect('C8:3F:26:00:00:99', { timeout = 1 })"
    try await World.with(script: script) { world async throws in
      #expect(
        try await world.run()
          == Ending(
            status: 4,
            errors: """
              blescript: script.lua:1: connect on C8:3F:26:00:00:99: not seen within 1 s (step: scan)
                is it on, in range, and not connected to something else?

              """))
    }
  }

  @Test @LoopActor func nobodyMatchesTheFilter() async throws {
    try await World.with(script: "require('ble').find { name = 'Nobody', timeout = 1 }") { world async throws in
      #expect(
        try await world.run()
          == Ending(
            status: 4,
            errors: """
              blescript: script.lua:1: find: Nobody was not seen within 1 s (step: scan)
                is it on, in range, and not connected to something else?

              """))
    }
  }

  @Test @LoopActor func theFourthAttemptIsTheOne() async throws {
    let refusing = """
      device:on("connect", function(n) if n <= 3 then return sim.fail "le-connection-abort-by-local" end end)
      """
    try await World.with(World.device + refusing, script: Self.connected) { world async throws in
      #expect(try await world.run() == Ending(status: 0, output: "connected\n"))
    }
  }

  @Test @LoopActor func noAttemptIsTheOne() async throws {
    let refusing = """
      device:on("connect", function() return sim.fail "le-connection-abort-by-local" end)
      """
    try await World.with(World.device + refusing, script: Self.connected) { world async throws in
      #expect(
        try await world.run()
          == Ending(
            status: 5,
            errors: """
              blescript: script.lua:2: connect on C8:3F:26:00:00:01: the connection failed: no link came about (4 attempts) \
              (step: connect)
                is it in range, and not connected to something else?

              """))
    }
  }

  @Test(arguments: [
    ("dev:read 'fff2'", "read fff2 on C8:3F:26:00:00:01: the link was lost (step: exchange)"),
    ("dev:write('fff2', 'x')", "write fff2 on C8:3F:26:00:00:01: the link was lost (step: exchange)"),
    (
      "for _ in dev:notifications 'fff2' do end",
      "notifications on C8:3F:26:00:00:01: the link was lost (step: exchange)"
    ),
  ])
  @LoopActor func theDeviceGoes(step: String, error: String) async throws {
    try await World.with(script: Self.connected + step) { world async throws in
      let program = try world.start()
      try await program.says("connected")
      try await EventLoop.shared.clock.sleep(0.5)
      try await world.order("it lose")
      let ending = try await program.end()
      #expect(ending.status == 5)
      #expect(ending.errors == "blescript: \(world.folder.path)/script.lua:4: \(error)\n")
    }
  }

  @Test @LoopActor func theDeviceGoesWhileItsServicesAreDiscovered() async throws {
    let leaving = "device:on('connect', function() device:disconnect() end)"
    try await World.with(World.device + leaving, script: Self.connected) { world async throws in
      let ending = try await world.run()
      #expect(ending.status == 5)
      #expect(ending.output == "")
      let start = "blescript: script.lua:2: connect on C8:3F:26:00:00:01: the link was lost"
      #expect(ending.errors.hasPrefix(start), "\(ending)")
      #expect(ending.errors.contains("(4 attempts)"), "\(ending)")
    }
  }

  @Test(arguments: ["dev:read('fff2', { timeout = 1 })", "dev:write('fff2', 'x', { timeout = 1 })"])
  @LoopActor func theDeviceDoesNotAnswer(step: String) async throws {
    try await World.with(script: Self.connected + step) { world async throws in
      let ending = try await world.run()
      #expect(ending.status == 6)
      #expect(ending.errors.contains("fff2 on C8:3F:26:00:00:01: timed out after 1 s (step: exchange)"))
    }
  }

  @Test(arguments: [
    ("dev:read 'ffff'", 4, "read ffff on C8:3F:26:00:00:01: the device has no characteristic ffff (step: attribute)"),
    ("dev:service '180f'", 4, "find 180f on C8:3F:26:00:00:01: the device shows no service 180f (step: attribute)"),
    (
      "dev:subscribe('fff1', print)", 5,
      "subscribe fff1 on C8:3F:26:00:00:01: the characteristic does not notify (properties: read write) (step: exchange)"
    ),
    ("dev:read('fff1', { as = 'u8' })", 1, "u8"),
    ("dev:write('fff1', ('x'):rep(600))", 5, "write fff1 on C8:3F:26:00:00:01: "),
  ])
  @LoopActor func anOperationFails(step: String, status: Int32, error: String) async throws {
    try await World.with(script: Self.connected + step) { world async throws in
      let ending = try await world.run()
      #expect(ending.status == status)
      #expect(ending.errors.hasPrefix("blescript: script.lua:4: "), "\(ending)")
      #expect(ending.errors.contains(error), "\(ending)")
    }
  }
}

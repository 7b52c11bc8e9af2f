import EventLoop
import LuaGate
import Testing

@testable import LuaRuntime

// In one suite with the other tests that count objects, so that they take turns.
extension ObjectTests {
  /// A bit of everything that crosses the gate.
  static let representative = """
    local host, task = require "host", require "task"
    local function try(f, ...) return select(2, pcall(f, ...)) end
    local t <close> = host.thing("one")
    host.log(t:greet("x"), t.name, #host.echo({ 1, 2, { a = "b" } }, "s", 1.5, function() end))
    try(host.fail, "plain") try(host.host_error, "table") try(t.greet) try(function() return t.nothing end)
    local many = {}
    for i = 1, 40 do many[i] = ("x"):rep(i) end
    host.echo(many, table.unpack(many))
    local co = coroutine.wrap(function() coroutine.yield(host.turn(t)) try(host.turn_error) try(host.turn_message) end)
    co() co()
    for i = 1, 3 do host.thing("more " .. i) end
    try(string.gsub, "a", "a", function() host.turn() end)
    local r = task.all({ 1, 2 }, function(n) host.turn() return { n } end)
    host.log(r[2][1], t:later(), host.call(function(o) return o end, t) == t)
    local c = task.channel(1)
    task.spawn(function() for i = 1, 3 do c:send({ i }) end c:close() end)
    for v in c do host.log(v[1]) end
    local lost = task.spawn(function() local _ <close> = host.thing("lost") task.sleep(1000) end)
    host.turn() lost:cancel()
    try(task.race, { function() error({ code = "x" }) end, function() task.sleep(1000) end })
    load("return 1")()
    host.log("end")
    """

  /// Runs the script in a state whose n-th allocation fails. Says whether it got to its end.
  @LoopActor private static func runFailing(_ n: UInt64) async -> Bool {
    gate_fail_allocation(n)
    guard let lua = try? Harness() else {
      gate_fail_allocation(0)
      return false
    }
    var reachedEnd = false
    if let main = try? lua.runtime.load(Array(representative.utf8), name: "=script") {
      let outcome = await lua.runtime.run(main)
      if case .finished = outcome { reachedEnd = lua.log.last == "end" }
      if case .failed(let error) = outcome { #expect(!error.message.isEmpty) }
    }
    #expect(lua.runtime.taskCount == 0)
    lua.log = []
    lua.uncaught = []
    lua.runtime.close()
    #expect(lua.runtime.memory.blocks == 0, "allocation \(n)")
    #expect(lua.runtime.memory.bytes == 0, "allocation \(n)")
    return reachedEnd && gate_allocation_failed() == 0
  }

  @Test(.timeLimit(.minutes(2))) @LoopActor func L11_anyAllocationMayFail() async throws {
    await EventLoop.shared.settle()
    let before = Thing.alive
    var n: UInt64 = 1
    while true {
      let passed = await Self.runFailing(n)
      if passed { break }
      await EventLoop.shared.settle()
      #expect(Thing.alive == before, "allocation \(n)")
      if Thing.alive != before { break }
      // Set-up is long and the same each time; every allocation of the script is tried.
      n += 1
      try #require(n < 20000)
    }
    await EventLoop.shared.settle()
    #expect(n > 1000)
    #expect(Thing.alive == before)
    #expect(gate_leaked_blocks() == 0)
  }

  @Test @LoopActor func L11_aMemoryLimitIsAnErrorThatScriptsCatch() async throws {
    let lua = try Harness(memoryLimit: 4 << 20)
    #expect(
      try await lua.logged(
        """
        host.log(pcall(string.rep, "x", 50 << 20))
        host.log((pcall(function() local t = {} for i = 1, 1e9 do t[i] = i end end)))
        collectgarbage()
        host.log(host.turn(("v"):rep(512)) == ("v"):rep(512))
        """) == [false, "not enough memory", false, true])
    #expect(throws: LuaError.self) { try Harness(memoryLimit: 10_000) }
    #expect(throws: LuaError.self) { try Harness(memoryLimit: 100) }
    #expect(gate_leaked_blocks() == 0)
  }

  @Test @LoopActor func L11_aValueTooLargeForTheLimitIsAnErrorOfTheWait() async throws {
    let lua = try Harness(memoryLimit: 4 << 20)
    try lua.runtime.register(
      module: "large",
      [
        .waiting("value") { _ in
          await EventLoop.shared.settle()
          return [.string([UInt8](repeating: 120, count: 8 << 20))]
        },
        .plain("now") { _ in [.string([UInt8](repeating: 120, count: 8 << 20))] },
      ])
    #expect(
      try await lua.logged(
        """
        local large = require "large"
        host.log(pcall(large.value))
        host.log(pcall(large.now))
        host.log(host.turn(1))
        """) == [false, "not enough memory", false, "not enough memory", 1])
  }
}

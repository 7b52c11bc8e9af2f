import Bluetooth
import Central
import EventLoop
import Testing

@Suite struct SubscriptionTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func deliversInOrderAlsoEmptyAndEqualOnes() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let subscription = try await bench.device.subscribe(name("2a37"), timeout: 10)
    for value in [[1], [1], [], [2]] as [[UInt8]] { bench.backend.notify(0x0F, value) }
    for value in [[1], [1], [], [2]] as [[UInt8]] { #expect(try await subscription.next() == value) }
  }

  @Test @LoopActor func valuesBeforeTheAnswerAreKept() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["startNotify"]
    let subscribe = bench.start { () throws(CentralError) in try await bench.device.subscribe(name("2a37"), timeout: 10)
    }
    await bench.advance()
    bench.backend.notify(0x0F, [9])
    bench.backend.answer("startNotify")
    await bench.advance()
    #expect(try await subscribe.value?.next() == [9])
  }

  @Test @LoopActor func theFirstStartsAndTheLastStops() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let first = try await bench.device.subscribe(name("2a37"), timeout: 10)
    let second = try await bench.device.subscribe(name("2a37"), timeout: 10)
    #expect(bench.backend.count("startNotify") == 1)
    bench.backend.notify(0x0F, [1])
    #expect(try await first.next() == [1])
    #expect(try await second.next() == [1])
    first.cancel()
    await bench.advance()
    #expect(bench.backend.count("stopNotify") == 0)
    second.cancel()
    await bench.advance()
    #expect(bench.backend.count("stopNotify") == 1)
    #expect(try await second.next() == nil)
  }

  @Test @LoopActor func X2_ownReadsAreNoNotifications() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let subscription = try await bench.device.subscribe(name("2a19"), timeout: 10)
    bench.backend.held = ["read"]
    bench.backend.values[0x17] = [85]
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("2a19"), timeout: 10) }
    await bench.advance()
    bench.backend.notify(0x17, [84])
    bench.backend.notify(0x17, [85])
    bench.backend.answer("read")
    await bench.advance()
    #expect(read.value == [85])
    bench.backend.notify(0x17, [86])
    #expect(try await subscription.next() == [84])
    #expect(try await subscription.next() == [86])
  }

  @Test @LoopActor func aLostLinkEndsTheSubscription() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let subscription = try await bench.device.subscribe(name("2a37"), timeout: 10)
    bench.backend.notify(0x0F, [1])
    bench.backend.linkGoesDown()
    await bench.advance()
    #expect(try await subscription.next() == [1])
    let end = bench.start { () throws(CentralError) in try await subscription.next() }
    await bench.advance()
    #expect(end.error?.code == .disconnected)
    // So that bluetoothd does not take it up again at the next connect.
    #expect(bench.backend.count("stopNotify") == 1)
  }

  @Test @LoopActor func whatIsDroppedIsCounted() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let subscription = try await bench.device.subscribe(name("2a37"), limit: 2, timeout: 10)
    for value in 1...5 { bench.backend.notify(0x0F, [UInt8(value)]) }
    #expect(subscription.dropped == 3)
    #expect(try await subscription.next() == [4])
  }

  @Test @LoopActor func aValueThatDoesNotComeIsATimeout() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let subscription = try await bench.device.subscribe(name("2a37"), timeout: 10)
    let next = bench.start { () throws(CentralError) in try await subscription.next(timeout: 5) }
    await bench.advance(4.9)
    #expect(!next.isEnded)
    await bench.advance(0.2)
    #expect(next.error?.code == .timeout)
    bench.backend.notify(0x0F, [1])
    #expect(try await subscription.next(timeout: 5) == [1])
  }

  @Test @LoopActor func X4_refusalsAreToldApart() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let mute = bench.start { () throws(CentralError) in try await bench.device.subscribe(name("2a38"), timeout: 10) }
    await bench.advance()
    #expect(mute.error?.code == .unsupported)
    bench.backend.errors["startNotify"] = [CentralError(.notAuthorized, "pair first")]
    let unpaired = bench.start { () throws(CentralError) in try await bench.device.subscribe(name("2a37"), timeout: 10)
    }
    await bench.advance()
    #expect(unpaired.error?.code == .notAuthorized)
    // The refused one has left nothing behind.
    _ = try await bench.device.subscribe(name("2a37"), timeout: 10)
    #expect(bench.backend.count("startNotify") == 2)
  }

  @Test @LoopActor func disconnectEndsWhatIsQueued() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["read"]
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 10) }
    await bench.advance()
    try await bench.device.disconnect()
    await bench.advance()
    #expect(read.error?.code == .disconnected)
    #expect(!bench.device.state.isConnected)
  }
}

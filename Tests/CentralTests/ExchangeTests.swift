import Bluetooth
import Central
import EventLoop
import Testing

@Suite struct ExchangeTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func readsInOrderOneAtATime() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.values = [0x12: [1], 0x17: [85]]
    bench.backend.held = ["read"]
    let first = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 10) }
    let second = bench.start { () throws(CentralError) in try await bench.device.read(name("2a19"), timeout: 10) }
    await bench.advance(1)
    #expect(bench.backend.pending == ["read"])
    bench.backend.answer("read")
    await bench.advance()
    #expect(first.value == [1])
    #expect(!second.isEnded)
    bench.backend.answer("read")
    await bench.advance()
    #expect(second.value == [85])
  }

  @Test @LoopActor func B33_aLostLinkEndsAllOnceAndSendsNoMore() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["read"]
    var order: [Int] = []
    let reads = (0..<5).map { number in
      bench.start { () throws(CentralError) in
        defer { order.append(number) }
        return try await bench.device.read(name("2a38"), timeout: 10)
      }
    }
    await bench.advance(1)
    bench.backend.linkGoesDown()
    await bench.advance()
    #expect(reads.allSatisfy { $0.error?.code == .disconnected && $0.results.count == 1 })
    #expect(order == [0, 1, 2, 3, 4])
    #expect(bench.backend.count("read") == 1)
    let later = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 10) }
    await bench.advance()
    #expect(later.error?.code == .disconnected)
  }

  @Test @LoopActor func B01_aTimedOutOperationKeepsItsPlaceUntilItIsOver() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["write request"]
    let first = bench.start { () throws(CentralError) in try await bench.device.write(name("2a39"), [1], timeout: 1) }
    let second = bench.start { () throws(CentralError) in try await bench.device.write(name("2a39"), [2], timeout: 20) }
    await bench.advance(2)
    #expect(first.error?.code == .timeout)
    #expect(bench.backend.count("write request") == 1)
    bench.backend.answer("write request")
    await bench.advance()
    #expect(bench.backend.count("write request") == 2)
    bench.backend.answer("write request")
    await bench.advance()
    #expect(second.value != nil)
    #expect(first.results.count == 1)
  }

  @Test @LoopActor func B01_butNotForEver() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["read"]
    let first = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 1) }
    let second = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 60) }
    await bench.advance(30)
    #expect(first.isEnded)
    #expect(bench.backend.count("read") == 1)
    await bench.advance(1)
    #expect(bench.backend.count("read") == 2)
    bench.backend.answer("read")
    bench.backend.answer("read")
    await bench.advance()
    #expect(second.value != nil)
  }

  @Test @LoopActor func aQueuedOperationThatTimesOutIsNeverSent() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["read"]
    let first = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 10) }
    let second = bench.start { () throws(CentralError) in try await bench.device.write(name("2a39"), [1], timeout: 1) }
    let third = bench.start { () throws(CentralError) in try await bench.device.write(name("2a39"), [2], timeout: 10) }
    await bench.advance(2)
    third.cancel()
    await bench.advance()
    #expect(second.error?.code == .timeout)
    #expect(second.error?.stage == .queue)
    #expect(third.error?.code == .cancelled)
    bench.backend.answer("read")
    await bench.advance(1)
    #expect(first.value != nil)
    #expect(bench.backend.count("write request") == 0)
  }

  @Test @LoopActor func busyIsTriedAgainWithinTheDeadline() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.errors["read"] = [
      CentralError(.busy, "busy", retryable: true), CentralError(.busy, "busy", retryable: true),
    ]
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 10) }
    await bench.advance(1)
    #expect(read.value != nil)
    #expect(bench.backend.count("read") == 3)
  }

  @Test @LoopActor func B35_an0x0eBeforeTheLinkGoesIsADisconnect() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.errors["write request"] = [CentralError(.att, "refused", att: .unlikely)]
    let write = bench.start { () throws(CentralError) in try await bench.device.write(name("2a39"), [1], timeout: 10) }
    await bench.advance(0.1)
    #expect(!write.isEnded)
    bench.backend.linkGoesDown()
    await bench.advance()
    #expect(write.error?.code == .disconnected)
  }

  @Test @LoopActor func B35_an0x0eOnALinkThatStaysIsWhatItSays() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.errors["write request"] = [CentralError(.att, "refused", att: .unlikely)]
    let write = bench.start { () throws(CentralError) in try await bench.device.write(name("2a39"), [1], timeout: 10) }
    await bench.advance(1)
    #expect(write.error?.code == .att)
    #expect(write.error?.att == .unlikely)
  }

  @Test @LoopActor func B13_twoOfOneUUIDAreAmbiguous() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("fff1"), timeout: 10) }
    await bench.advance()
    #expect(read.error?.code == .ambiguous)
    #expect(read.error?.what.contains("0x21, 0x23") == true)
    let byHandle = CharacteristicName(.handle(0x23), text: "0x23")
    bench.backend.values[0x23] = [7]
    #expect(try await bench.device.read(byHandle, timeout: 10) == [7])
  }

  @Test @LoopActor func whatIsNotThereIsNotFound() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("2aff"), timeout: 10) }
    await bench.advance()
    #expect(read.error?.code == .notFound)
    #expect(read.error?.op == "read")
    #expect(read.error?.stage == .attribute)
    #expect(throws: CentralError.self) { try bench.device.characteristic(name("2aff")) }
  }

  @Test @LoopActor func theWayToWriteFollowsTheProperties() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let command = CharacteristicName(.handle(0x21), text: "0x21")
    try await bench.device.write(command, [1], timeout: 10)
    try await bench.device.write(command, [1], kind: .request, timeout: 10)
    #expect(bench.backend.calls.suffix(2) == ["write command", "write request"])
    let refused = bench.start { () throws(CentralError) in try await bench.device.write(name("2a38"), [1], timeout: 10)
    }
    await bench.advance()
    #expect(refused.error?.code == .unsupported)
  }

  @Test @LoopActor func B28_tooLongForAWriteWithoutResponse() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.mtus[FakeBackend.pulse] = 23
    let command = CharacteristicName(.handle(0x21), text: "0x21")
    try await bench.device.write(command, Array(repeating: 0, count: 20), timeout: 10)
    let long = bench.start { () throws(CentralError) in
      try await bench.device.write(command, Array(repeating: 0, count: 21), timeout: 10)
    }
    await bench.advance()
    #expect(long.error?.code == .invalid)
    #expect(long.error?.what.contains("21") == true && long.error?.what.contains("20") == true)
  }

  @Test @LoopActor func descriptors() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.values[0x11] = [1, 0]
    #expect(try await bench.device.readDescriptor(name("2a37"), UUID(0x2902), timeout: 10) == [1, 0])
    let refused = bench.start { () throws(CentralError) in
      try await bench.device.writeDescriptor(name("2a37"), UUID(0x2902), [1, 0], timeout: 10)
    }
    let missing = bench.start { () throws(CentralError) in
      try await bench.device.readDescriptor(name("2a37"), UUID(0x2901), timeout: 10)
    }
    await bench.advance()
    #expect(refused.error?.code == .unsupported)
    #expect(missing.error?.code == .notFound)
  }

  @Test @LoopActor func aRemovedDeviceEndsItsOperations() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["read"]
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 10) }
    await bench.advance(1)
    bench.backend.remove()
    await bench.advance()
    #expect(read.error?.code == .disconnected)
    #expect(read.error?.reason == "removed")
  }

  @Test @LoopActor func anAdapterThatGoesOffIsTheReasonOfTheDisconnect() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let disconnects = bench.device.disconnects()
    bench.backend.setPowered(false)
    let reason = try await disconnects.next()
    #expect(reason?.code == .disconnected)
    #expect(reason?.reason == "adapter_off")
    #expect(reason?.what == "the adapter hci0 is off")
  }

  @Test @LoopActor func patienceEndsWithWhatItWasFor() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["read"]
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 1) }
    await bench.advance(1)
    #expect(read.error?.code == .timeout)
    #expect(bench.clock.timerCount == 1)
    bench.backend.answer("read")
    await bench.advance()
    #expect(bench.clock.timerCount == 0)
  }

  @Test @LoopActor func aStackThatGoesEndsEverything() async throws {
    let bench = try await Bench()
    try await bench.connected()
    bench.backend.held = ["read"]
    let read = bench.start { () throws(CentralError) in try await bench.device.read(name("2a38"), timeout: 10) }
    await bench.advance(1)
    bench.backend.events?.backendChanged(.unavailable(CentralError(.unavailable, "bluetoothd is not running")))
    await bench.advance()
    #expect(read.error?.code == .unavailable)
    #expect(bench.central.state == .unavailable)
  }
}

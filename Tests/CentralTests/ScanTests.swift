import Bluetooth
import Central
import EventLoop
import Testing

@Suite struct ScanTests {
  init() { EventLoop.runInBackground() }

  private func heard(_ last: String, rssi: Int? = -50, name: String? = nil, data: [UInt8]? = nil) -> Advertisement {
    Advertisement(
      address: Address("C8:3F:26:00:00:\(last)")!, name: name, rssi: rssi,
      manufacturerData: data.map { [0x59: $0] } ?? [:])
  }

  @Test @LoopActor func theFirstScanStartsAndTheLastStops() async throws {
    let bench = try await Bench()
    let first = try await bench.central.scan(ScanFilter())
    let second = try await bench.central.scan(ScanFilter())
    await bench.advance()
    #expect(bench.backend.calls == ["startDiscovery"])
    bench.backend.hear(heard("01"))
    #expect(try await first.next()?.address == Address("C8:3F:26:00:00:01"))
    #expect(try await second.next()?.address == Address("C8:3F:26:00:00:01"))
    first.cancel()
    await bench.advance()
    #expect(bench.backend.calls == ["startDiscovery"])
    second.cancel()
    await bench.advance()
    #expect(bench.backend.calls == ["startDiscovery", "stopDiscovery"])
    #expect(try await second.next() == nil)
  }

  @Test @LoopActor func B19_withDuplicatesEveryAdvertisementComes() async throws {
    let bench = try await Bench()
    var options = ScanOptions()
    options.duplicates = true
    let all = try await bench.central.scan(ScanFilter(), options)
    let news = try await bench.central.scan(ScanFilter())
    for data in [[1], [1], [2], [1]] as [[UInt8]] { bench.backend.hear(heard("01", data: data)) }
    all.cancel()
    var seen: [[UInt8]?] = []
    for _ in 0..<3 { seen.append(try await news.next()?.manufacturerData[0x59]) }
    #expect(seen == [[1], [2], [1]])
    news.cancel()
  }

  @Test @LoopActor func whatAnAdvertisementLeavesOutIsNotNewWhenItComesAgain() async throws {
    let bench = try await Bench()
    let scan = try await bench.central.scan(ScanFilter())
    for data in [[1], nil, [1], nil, [2]] as [[UInt8]?] { bench.backend.hear(heard("01", data: data)) }
    #expect(try await scan.next()?.manufacturerData[0x59] == [1])
    #expect(try await scan.next()?.manufacturerData[0x59] == [2])
  }

  @Test @LoopActor func eachOfTwoReadersGetsAnAdvertisement() async throws {
    let bench = try await Bench()
    let scan = try await bench.central.scan(ScanFilter())
    let first = bench.start { () throws(CentralError) in try await scan.next() }
    let second = bench.start { () throws(CentralError) in try await scan.next() }
    let third = bench.start { () throws(CentralError) in try await scan.next() }
    await bench.advance()
    bench.backend.hear(heard("01"))
    bench.backend.hear(heard("02"))
    await bench.advance()
    #expect(Set([first.value??.address, second.value??.address]).count == 2)
    scan.cancel()
    await bench.advance()
    #expect(third.isEnded)
  }

  @Test @LoopActor func endsByCountAndByTime() async throws {
    let bench = try await Bench()
    var options = ScanOptions()
    options.count = 2
    let counted = try await bench.central.scan(ScanFilter(), options)
    options.count = nil
    options.timeout = 5
    let timed = try await bench.central.scan(ScanFilter(), options)
    for last in ["01", "02", "03"] { bench.backend.hear(heard(last)) }
    _ = try await counted.next()
    _ = try await counted.next()
    #expect(try await counted.next() == nil)
    for _ in 0..<3 { #expect(try await timed.next() != nil) }
    await bench.advance(5)
    #expect(try await timed.next() == nil)
    await bench.advance()
    #expect(bench.backend.calls.last == "stopDiscovery")
  }

  @Test @LoopActor func B25_B22_theFilterIsOurs() async throws {
    let bench = try await Bench()
    var filter = ScanFilter()
    filter.rssi = -80
    let scan = try await bench.central.scan(filter)
    bench.backend.hear(heard("01", rssi: -95))
    bench.backend.hear(heard("02", rssi: nil))
    bench.backend.hear(heard("03", rssi: -60))
    #expect(try await scan.next()?.address == Address("C8:3F:26:00:00:03"))
    scan.cancel()
  }

  @Test @LoopActor func B03_adapterOffEndsTheScanAndTheNextOneStartsAnew() async throws {
    let bench = try await Bench()
    let scan = try await bench.central.scan(ScanFilter())
    await bench.advance()
    bench.backend.setPowered(false)
    let end = bench.start { () throws(CentralError) in try await scan.next() }
    await bench.advance()
    #expect(end.error?.code == .adapterOff)
    let refused = bench.start { () throws(CentralError) in try await bench.central.scan(ScanFilter()) }
    await bench.advance()
    #expect(refused.error?.code == .adapterOff)
    bench.backend.setPowered(true)
    let again = try await bench.central.scan(ScanFilter())
    await bench.advance()
    #expect(bench.backend.calls == ["startDiscovery", "startDiscovery"])
    again.cancel()
  }

  @Test @LoopActor func aStartThatIsRefusedIsTriedAgainThenTold() async throws {
    let bench = try await Bench()
    let busy = CentralError(.busy, "busy", retryable: true)
    bench.backend.errors["startDiscovery"] = [busy]
    let scan = try await bench.central.scan(ScanFilter())
    await bench.advance(1)
    #expect(bench.backend.count("startDiscovery") == 2)
    scan.cancel()
    await bench.advance()
    bench.backend.errors["startDiscovery"] = Array(repeating: busy, count: 10)
    let doomed = try await bench.central.scan(ScanFilter())
    let next = bench.start { () throws(CentralError) in try await doomed.next() }
    await bench.advance(15)
    #expect(next.error?.code == .busy)
    #expect(bench.backend.count("startDiscovery") == 9)
  }

  @Test @LoopActor func aScanThatNeverBeganSaysWhy() async throws {
    let bench = try await Bench()
    bench.backend.errors["startDiscovery"] = Array(repeating: CentralError(.busy, "busy", retryable: true), count: 10)
    var options = ScanOptions()
    options.timeout = 3
    let scan = try await bench.central.scan(ScanFilter(), options)
    let next = bench.start { () throws(CentralError) in try await scan.next() }
    await bench.advance(3)
    #expect(next.error?.code == .busy)
  }

  @Test @LoopActor func aRefusedStartIsNotTriedAgainForNobody() async throws {
    let bench = try await Bench()
    bench.backend.errors["startDiscovery"] = Array(repeating: CentralError(.busy, "busy", retryable: true), count: 10)
    let scan = try await bench.central.scan(ScanFilter())
    await bench.advance()
    scan.cancel()
    await bench.advance(15)
    #expect(bench.backend.calls == ["startDiscovery"])
  }

  @Test @LoopActor func statesAreTold() async throws {
    let bench = try await Bench()
    let changes = bench.central.stateChanges()
    #expect(bench.central.state == .on)
    bench.backend.setPowered(false)
    #expect(try await changes.next() == .off)
    bench.backend.events?.adapterChanged("hci0", nil)
    #expect(try await changes.next() == .unsupported)
    bench.backend.events?.backendChanged(.unavailable(CentralError(.accessDenied, "no")))
    #expect(try await changes.next() == .unauthorized)
  }

  @Test @LoopActor func anAdapterThatIsGoneIsOff() async throws {
    let bench = try await Bench()
    let adapter = try bench.central.adapter()
    bench.backend.events?.adapterChanged("hci0", nil)
    #expect(!adapter.state.isPowered)
    bench.backend.errors["power"] = [CentralError(.noAdapter, "no adapter hci0")]
    let power = bench.start { () throws(CentralError) in try await adapter.setPower(true) }
    await bench.advance()
    #expect(power.error?.description == "power: no adapter hci0 (step: adapter)")
  }

  @Test @LoopActor func readyWaitsAndEnds() async throws {
    let bench = try await Bench(powered: false)
    let late = bench.start { () throws(CentralError) in try await bench.central.ready(timeout: 5) }
    await bench.advance(6)
    #expect(late.error?.code == .timeout)
    let ready = bench.start { () throws(CentralError) in try await bench.central.ready(timeout: 5) }
    await bench.advance(1)
    bench.backend.setPowered(true)
    await bench.advance()
    #expect(ready.value != nil)
  }
}

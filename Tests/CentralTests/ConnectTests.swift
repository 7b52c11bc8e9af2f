import Bluetooth
import Central
import EventLoop
import Testing

@Suite struct ConnectTests {
  init() { EventLoop.runInBackground() }

  private let aborted = CentralError(.connectFailed, "no link came about", retryable: true)

  @Test @LoopActor func connectsAndWaitsForServices() async throws {
    let bench = try await Bench()
    bench.backend.held = ["connect"]
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance()
    #expect(bench.backend.pending == ["connect"])
    bench.backend.answer("connect")
    await bench.advance()
    #expect(connect.value != nil)
    #expect(bench.device.isOurs)
  }

  @Test @LoopActor func retriesWhatMayPassWithGrowingPauses() async throws {
    let bench = try await Bench()
    bench.backend.errors["connect"] = [aborted, aborted, aborted]
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance()
    #expect(bench.backend.count("connect") == 1)
    await bench.advance(0.25)
    #expect(bench.backend.count("connect") == 2)
    await bench.advance(0.5)
    #expect(bench.backend.count("connect") == 3)
    await bench.advance(1)
    #expect(connect.value != nil)
    #expect(bench.backend.count("connect") == 4)
  }

  @Test @LoopActor func givesUpAfterTheLastAttempt() async throws {
    let bench = try await Bench()
    bench.backend.errors["connect"] = Array(repeating: aborted, count: 4)
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(10)
    #expect(connect.error?.code == .connectFailed)
    #expect(connect.error?.stage == .connect)
    #expect(connect.error?.what.contains("4 attempts") == true)
    #expect(bench.backend.count("connect") == 4)
  }

  @Test @LoopActor func doesNotRetryWhatWillNotPass() async throws {
    let bench = try await Bench()
    bench.backend.errors["connect"] = [CentralError(.accessDenied, "no")]
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(10)
    #expect(connect.error?.code == .accessDenied)
    #expect(bench.backend.count("connect") == 1)
  }

  // After the deadline the attempt is ended in the stack, and the next one waits for that.
  @Test @LoopActor func B10_aDeadlineEndsTheAttemptBeforeTheNextBegins() async throws {
    let bench = try await Bench()
    bench.backend.held = ["connect", "disconnect"]
    var options = ConnectOptions()
    options.timeout = 1
    let short = options
    let first = bench.start { () throws(CentralError) in try await bench.device.connect(short) }
    await bench.advance(1)
    #expect(first.error?.code == .timeout)
    #expect(bench.backend.pending.contains("disconnect"))
    let second = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(0.5)
    #expect(bench.backend.count("connect") == 1)
    bench.backend.held = []
    bench.backend.answer("disconnect")
    bench.backend.answer("disconnect")
    await bench.advance(1)
    #expect(second.value != nil)
    #expect(first.results.count == 1)
  }

  @Test @LoopActor func B09_servicesThatNeverResolveTakeTheLinkDown() async throws {
    let bench = try await Bench()
    bench.backend.resolvesServices = false
    var options = ConnectOptions()
    options.timeout = 10
    let chosen = options
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect(chosen) }
    await bench.advance(9.9)
    #expect(!connect.isEnded)
    await bench.advance(0.1)
    #expect(connect.error?.code == .timeout)
    #expect(connect.error?.stage == .services)
    #expect(bench.backend.count("disconnect") == 1)
    #expect(!bench.device.state.isConnected)
    bench.backend.resolvesServices = true
    let second = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(1)
    #expect(second.value != nil)
    #expect(connect.results.count == 1)
  }

  @Test @LoopActor func B31_anEmptyTableIsAFailure() async throws {
    let bench = try await Bench()
    bench.backend.tables = [:]
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(20)
    #expect(connect.error?.code == .connectFailed)
    #expect(connect.error?.advice?.contains("BR/EDR") == true)
    #expect(bench.device.state.isConnected == false)
  }

  @Test @LoopActor func aLinkThatGoesJustWhenTheServicesAreKnownIsLost() async throws {
    let bench = try await Bench()
    // First the link is confirmed, then the services.
    var count = 0
    bench.backend.onSynchronize = {
      count += 1
      if count.isMultiple(of: 2) { bench.backend.linkGoesDown() }
    }
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(20)
    #expect(connect.error?.code == .disconnected)
    #expect(connect.error?.what == "the link was lost before the services were known (4 attempts)")
    #expect(bench.backend.count("connect") == 4)
  }

  @Test @LoopActor func anUnknownDeviceIsLookedForFirst() async throws {
    let bench = try await Bench(known: false)
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(1)
    #expect(bench.backend.calls == ["startDiscovery"])
    bench.backend.states[FakeBackend.pulse] = DeviceState()
    bench.backend.hear(Advertisement(address: FakeBackend.pulse.address, rssi: -50))
    await bench.advance(1)
    #expect(connect.value != nil)
    #expect(bench.backend.calls == ["startDiscovery", "connect", "stopDiscovery"])
  }

  @Test @LoopActor func aDeviceThatIsNotSeenIsNotFound() async throws {
    let bench = try await Bench(known: false)
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(20)
    #expect(connect.error?.code == .notFound)
    #expect(connect.error?.stage == .scan)
    await bench.advance(1)
    #expect(bench.backend.count("stopDiscovery") == 1)
  }

  @Test @LoopActor func adapterOffEndsAConnectAtOnce() async throws {
    let bench = try await Bench()
    bench.backend.held = ["connect"]
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(1)
    bench.backend.setPowered(false)
    await bench.advance()
    #expect(connect.error?.code == .adapterOff)
    #expect(connect.results.count == 1)
  }

  @Test @LoopActor func withTheAdapterOffNothingIsAsked() async throws {
    let bench = try await Bench(powered: false)
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance()
    #expect(connect.error?.code == .adapterOff)
    #expect(bench.backend.calls.isEmpty)
  }

  @Test @LoopActor func cancelEndsTheAttempt() async throws {
    let bench = try await Bench()
    bench.backend.held = ["connect"]
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(1)
    connect.cancel()
    await bench.advance()
    #expect(connect.error?.code == .cancelled)
    #expect(bench.backend.count("disconnect") >= 1)
    #expect(bench.device.state.isConnected == false)
  }

  @Test @LoopActor func B07_theRemovalOfAnotherDeviceIsNoneOfOurs() async throws {
    let bench = try await Bench()
    let other = DeviceID(adapter: "hci0", address: Address("C8:3F:26:00:00:02")!)
    bench.backend.states[other] = DeviceState()
    bench.backend.held = ["connect"]
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(1)
    bench.backend.remove(other)
    bench.backend.answer("connect")
    await bench.advance(1)
    #expect(connect.value != nil)
  }

  @Test @LoopActor func X6_somebodyElsesLinkIsUsedAndLeftAlone() async throws {
    let bench = try await Bench()
    bench.backend.linkComesUp()
    try await bench.device.connect()
    #expect(bench.backend.count("connect") == 0)
    try await bench.device.release()
    await bench.advance(5)
    #expect(bench.backend.count("disconnect") == 0)
  }

  @Test @LoopActor func theLastHolderTakesTheLinkDown() async throws {
    let bench = try await Bench()
    try await bench.device.connect()
    try await bench.device.connect()
    try await bench.device.release()
    await bench.advance(1)
    #expect(bench.device.state.isConnected)
    try await bench.device.release()
    await bench.advance(1)
    #expect(!bench.device.state.isConnected)
    #expect(bench.backend.count("connect") == 1)
    #expect(bench.backend.count("disconnect") == 1)
  }

  // One holder leaves while another's connect is between "there is a link" and its hold on it.
  @Test @LoopActor func aConnectUnderWayKeepsTheLink() async throws {
    let bench = try await Bench()
    try await bench.device.connect()
    bench.backend.change { $0.areServicesResolved = false }
    let second = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance()
    #expect(!second.isEnded)
    let release = bench.start { () throws(CentralError) in try await bench.device.release() }
    await bench.advance(1)
    bench.backend.change { $0.areServicesResolved = true }
    await bench.advance(1)
    #expect(release.value != nil)
    #expect(second.value != nil)
    #expect(bench.device.state.isConnected)
    #expect(bench.backend.count("disconnect") == 0)
    try await bench.device.release()
    #expect(!bench.device.state.isConnected)
  }

  @Test @LoopActor func aLinkThatItsLastHolderLeftGoesWhenAConnectUnderWayFails() async throws {
    let bench = try await Bench()
    try await bench.device.connect()
    bench.backend.change { $0.areServicesResolved = false }
    var options = ConnectOptions()
    options.timeout = 2
    let short = options
    let second = bench.start { () throws(CentralError) in try await bench.device.connect(short) }
    await bench.advance()
    try await bench.device.release()
    await bench.advance(5)
    #expect(second.error?.code == .timeout)
    #expect(!bench.device.state.isConnected)
  }

  @Test @LoopActor func twoDisconnectsAtOnceBothSucceed() async throws {
    let bench = try await Bench()
    try await bench.device.connect()
    bench.backend.held = ["disconnect"]
    let first = bench.start { () throws(CentralError) in try await bench.device.disconnect() }
    let second = bench.start { () throws(CentralError) in try await bench.device.disconnect() }
    await bench.advance(1)
    bench.backend.held = []
    bench.backend.answer("disconnect")
    await bench.advance()
    #expect(first.value != nil)
    #expect(second.value != nil)
    #expect(!bench.device.state.isConnected)
  }

  @Test @LoopActor func shutdownTakesDownWhatIsOurs() async throws {
    let bench = try await Bench()
    try await bench.device.connect()
    await bench.central.shutdown()
    #expect(!bench.device.state.isConnected)
    #expect(bench.backend.calls.suffix(2) == ["disconnect", "close"])
  }
}

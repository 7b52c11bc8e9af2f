import Bluetooth
import Central
import EventLoop
import Testing

/// What a central says of adapters and links that go and come.
@Suite struct RecoveryTests {
  init() { EventLoop.runInBackground() }

  private let second = AdapterState(name: "hci1", address: Address("AA:BB:CC:00:00:02")!, isPowered: true)

  @Test @LoopActor func B16_anAdapterThatComesAgainIsTheSameObject() async throws {
    let bench = try await Bench()
    let adapter = try bench.central.adapter("hci0")
    let state = bench.backend.adapters[0]
    bench.backend.events?.adapterChanged("hci0", nil)
    #expect(!adapter.isThere && !adapter.state.isPowered)
    #expect(bench.central.allAdapters.isEmpty)
    bench.backend.events?.adapterChanged("hci0", state)
    #expect(adapter.isThere && adapter.state.isPowered)
    #expect(try bench.central.adapter("hci0") === adapter)
  }

  @Test @LoopActor func anotherAdapterUnderTheOldNameIsAnotherObject() async throws {
    let bench = try await Bench()
    let adapter = try bench.central.adapter("hci0")
    bench.backend.events?.adapterChanged("hci0", nil)
    var other = second
    other.name = "hci0"
    bench.backend.events?.adapterChanged("hci0", other)
    #expect(try bench.central.adapter("hci0") !== adapter)
    #expect(!adapter.isThere)
  }

  @Test @LoopActor func theStateOfAnAdapterIsToldThoughItIsNotTheOneInUse() async throws {
    let bench = try await Bench()
    let changes = bench.central.stateChanges(of: "AA:BB:CC:00:00:02")
    #expect(bench.central.state(of: "AA:BB:CC:00:00:02") == .unsupported)
    let ready = bench.start { () throws(CentralError) in
      try await bench.central.ready("AA:BB:CC:00:00:02", timeout: 5)
    }
    await bench.advance(1)
    #expect(!ready.isEnded)
    bench.backend.events?.adapterChanged("hci1", second)
    await bench.advance()
    #expect(ready.value != nil)
    #expect(try await changes.next() == .on)
    // Under another name.
    bench.backend.events?.adapterChanged("hci1", nil)
    #expect(try await changes.next() == .unsupported)
    var renamed = second
    renamed.name = "hci2"
    bench.backend.events?.adapterChanged("hci2", renamed)
    #expect(try await changes.next() == .on)
    #expect(bench.central.state == .on)
  }

  @Test @LoopActor func B15_aLinkThatOutlivedBluetoothdIsMadeAnew() async throws {
    let bench = try await Bench()
    bench.backend.resolvesServices = false
    bench.backend.linkComesUp()
    bench.backend.resolvesServices = true
    let connect = bench.start { () throws(CentralError) in try await bench.device.connect() }
    await bench.advance(9)
    #expect(bench.backend.calls.isEmpty && !connect.isEnded)
    await bench.advance(2)
    #expect(connect.value != nil)
    #expect(bench.backend.calls == ["disconnect", "connect"])
    #expect(bench.device.isOurs)
  }

  @Test @LoopActor func aLinkOfAnotherProgramIsLeftAsItIs() async throws {
    let bench = try await Bench()
    bench.backend.linkComesUp()
    try await bench.connected()
    #expect(!bench.device.isOurs)
    try await bench.device.release()
    #expect(bench.backend.calls.isEmpty)
  }

  @Test @LoopActor func theReasonSaysWhoTookTheLinkDown() async throws {
    let bench = try await Bench()
    let losses = bench.device.disconnects()
    try await bench.connected()
    try await bench.device.disconnect()
    #expect(try await losses.next()?.reason == "local")
    try await bench.connected()
    bench.backend.linkGoesDown()
    #expect(try await losses.next()?.reason == nil)
    try await bench.connected()
    bench.backend.setPowered(false)
    let loss = try #require(try await losses.next())
    #expect(loss.code == .disconnected && loss.reason == "adapter_off" && loss.what.contains("hci0 is off"))
  }

  // bluetoothd takes two seconds to take a link down.
  @Test @LoopActor func subscriptionsEndWhenADisconnectIsAskedFor() async throws {
    let bench = try await Bench()
    try await bench.connected()
    let subscription = try await bench.device.subscribe(name("2a37"), timeout: 5)
    bench.backend.held = ["disconnect"]
    let disconnect = bench.start { () throws(CentralError) in try await bench.device.disconnect() }
    await bench.advance()
    bench.backend.notify(0x0F, [1])
    let next = bench.start { () throws(CentralError) in try await subscription.next() }
    await bench.advance()
    #expect(next.error?.reason == "local")
    #expect(!disconnect.isEnded)
    bench.backend.answer("disconnect")
    await bench.advance()
    #expect(disconnect.value != nil)
    #expect(bench.backend.count("stopNotify") == 1)
  }
}

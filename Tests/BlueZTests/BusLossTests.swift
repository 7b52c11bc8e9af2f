import BlueZ
import Central
import DBus
import EventLoop
import Glibc
import Testing

@testable import Simulator

/// A message bus at an address of its own, at which it can be started again, and a bluetoothd on it.
@LoopActor
private final class Machine {
  private let socket = "/tmp/bus-loss-\(UInt64.random(in: 0...UInt64.max))"
  private var bus: ChildProcess?
  private let air = Air()
  private let bluetoothd: Bluetoothd

  var address: String { "unix:path=\(socket)" }

  init() {
    air.add(Dongle(air, name: "hci0", address: "AA:BB:CC:00:00:01", isPoweredAtStart: true))
    bluetoothd = Bluetoothd(air)
    bluetoothd.bus = address
  }

  func start() async throws {
    let pipe = try #require(Pipe())
    bus = try ChildProcess(
      ["dbus-daemon", "--session", "--address=\(address)", "--print-address=1", "--nofork", "--nopidfile"],
      output: .descriptor(pipe.writingEnd), errors: .null)
    pipe.closeWritingEnd()
    _ = try #require(await pipe.line())
    try await bluetoothd.start()
  }

  func stop() async {
    bluetoothd.crash()
    bus?.terminate()
    _ = await bus?.status
    unlink(socket)
  }
}

@Suite struct BusLossTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func B17_aBusThatIsBackIsFoundAndTold() async throws {
    let machine = Machine()
    try await machine.start()
    let central = Central(
      backend: BlueZBackend(bus: .address(machine.address), clock: EventLoop.shared.clock),
      clock: EventLoop.shared.clock)
    try await central.ready(timeout: 5)
    let adapter = try central.adapter()
    let changes = central.stateChanges()
    // Each time as soon as the first time.
    for _ in 1...4 {
      await machine.stop()
      #expect(try await changes.next(within: TimeLimit(5, on: central.clock)) == .unavailable)
      #expect(!adapter.isThere)
      await #expect(throws: CentralError.self) { try await central.open() }
      try await machine.start()
      // Nobody asks: it is looked for.
      #expect(try await changes.next(within: TimeLimit(5, on: central.clock)) == .on)
      #expect(try central.adapter() === adapter)
      #expect(adapter.isThere && adapter.state.isPowered)
    }
    await central.shutdown()
    await machine.stop()
  }

  @Test @LoopActor func B17_whoWaitsForTheRadioWaitsForTheBus() async throws {
    let machine = Machine()
    let central = Central(
      backend: BlueZBackend(bus: .address(machine.address), clock: EventLoop.shared.clock),
      clock: EventLoop.shared.clock)
    let ready = Task { @LoopActor in try await central.ready(timeout: 10) }
    try await EventLoop.shared.clock.sleep(0.2)
    #expect(central.state == .unavailable)
    try await machine.start()
    try await ready.value
    #expect(central.state == .on)
    await central.shutdown()
    await machine.stop()
  }

  @Test @LoopActor func afterAShutdownNobodyLooksForABus() async throws {
    let clock = Clock()
    let nowhere = BlueZBackend(bus: .address("unix:path=/nonexistent/bus"), clock: clock)
    let central = Central(backend: nowhere, clock: clock)
    await #expect(throws: CentralError.self) { try await central.open() }
    await EventLoop.shared.settle()
    #expect(clock.timerCount == 1)
    await central.shutdown()
    await EventLoop.shared.settle()
    #expect(clock.timerCount == 0)
  }
}

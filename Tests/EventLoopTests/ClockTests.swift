import EventLoop
import Testing

@Suite struct ClockTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func firesInOrderOfTimeThenOfMaking() {
    let clock = Clock()
    var fired: [String] = []
    clock.after(2) { fired.append("c") }
    clock.after(1) { fired.append("a") }
    clock.after(1) { fired.append("b") }
    clock.advance(to: 1)
    #expect(fired == ["a", "b"])
    clock.advance(to: 5)
    #expect(fired == ["a", "b", "c"])
    #expect(clock.next == nil)
  }

  @Test @LoopActor func keepsOrderWithManyTimers() {
    let clock = Clock()
    var fired: [Int] = []
    for i in 0..<1000 { clock.at(Seconds((i * 7919) % 1000)) { fired.append((i * 7919) % 1000) } }
    for time in stride(from: 0, through: 1100, by: 37.5) { clock.advance(to: time) }
    #expect(fired.elementsEqual(0..<1000))
  }

  @Test @LoopActor func cancelledTimersStaySilent() {
    let clock = Clock()
    var fired = 0
    let timer = clock.after(1) { fired += 1 }
    timer.cancel()
    clock.after(1) { fired += 10 }
    #expect(clock.next == 1)
    clock.advance(to: 2)
    #expect(fired == 10)
  }

  @Test @LoopActor func aTimerMadeByATimerWaitsForTheNextTurn() {
    let clock = Clock()
    var fired = 0
    @LoopActor func again() {
      fired += 1
      if fired < 2 { clock.after(0) { again() } }
    }
    clock.after(0) { again() }
    clock.advance(to: 1)
    #expect(fired == 1)
    clock.advance(to: 1)
    #expect(fired == 2)
  }

  @Test @LoopActor func aCancelledSleepThrowsAtOnce() async {
    let clock = Clock()
    let sleeper = Task { @LoopActor in try await clock.sleep(100) }
    await EventLoop.shared.settle()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.now == 0)
  }

  @Test @LoopActor func timeNeverGoesBack() {
    let clock = Clock()
    clock.advance(to: 5)
    clock.advance(to: 3)
    #expect(clock.now == 5)
  }

  @Test @LoopActor func cancelledTimersLeaveAndTheRestKeepsItsOrder() {
    let clock = Clock()
    var fired: [Int] = []
    let timers = (0..<500).map { i in clock.at(Seconds((i * 7919) % 500)) { fired.append((i * 7919) % 500) } }
    for (i, timer) in timers.enumerated() where i % 3 == 0 { timer.cancel() }
    let left = timers.enumerated().filter { $0.offset % 3 != 0 }.map { Int($0.element.time) }.sorted()
    #expect(clock.timerCount == left.count)
    clock.advance(to: 1000)
    #expect(fired == left)
    #expect(clock.timerCount == 0)
  }
}

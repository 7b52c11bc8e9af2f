import EventLoop
import Glibc
import Testing

@Suite struct LoopTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func sleepsInRealTime() async throws {
    let clock = EventLoop.shared.clock
    let start = clock.now
    try await clock.sleep(0.02)
    #expect(clock.now >= start + 0.02)
  }

  @Test @LoopActor func readsWhatAChildWrites() async throws {
    let pipe = try #require(Pipe())
    let child = try ChildProcess(["sh", "-c", "echo one; echo two; exit 3"], output: .descriptor(pipe.writingEnd))
    pipe.closeWritingEnd()
    #expect(await pipe.line() == "one")
    #expect(await pipe.line() == "two")
    #expect(await pipe.line() == nil)
    #expect(await child.status == 3)
    #expect(!child.isRunning)
  }

  @Test @LoopActor func aChildGetsItsEnvironment() async throws {
    let pipe = try #require(Pipe())
    let child = try ChildProcess(
      ["sh", "-c", "echo $ANSWER"], environment: ["ANSWER": "42", "PATH": "/usr/bin:/bin"],
      output: .descriptor(pipe.writingEnd))
    pipe.closeWritingEnd()
    #expect(await pipe.line() == "42")
    #expect(await child.status == 0)
  }

  @Test @LoopActor func terminatesAChild() async throws {
    let child = try ChildProcess(["sleep", "100"])
    child.terminate()
    #expect(await child.status == 128 + SIGTERM)
  }

  @Test @LoopActor func seesADescriptorBecomeReadable() async throws {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let seen = OneShot<Poll.Events>()
    let poll = try #require(Poll(ends[0]) { seen.finish($0) })
    poll.watch(.readable)
    write(ends[1], "x", 1)
    #expect(await seen.value.contains(.readable))
    poll.close()
    for end in ends { close(end) }
  }

  @Test @LoopActor func refusesToWatchAPlainFile() {
    let file = open("/etc/passwd", O_RDONLY)
    #expect(Poll(file) { _ in } == nil)
    close(file)
  }

  @Test @LoopActor func tellsASignal() async {
    let seen = OneShot<Bool>()
    let watcher = SignalWatcher(SIGUSR1) { seen.finish(true) }
    kill(getpid(), SIGUSR1)
    #expect(await seen.value)
    watcher.close()
  }
}

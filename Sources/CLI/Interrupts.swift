internal import EventLoop
internal import Glibc
internal import LuaRuntime

/// Signals that end the program: SIGINT, SIGTERM, SIGHUP, and SIGPIPE where standard output is meant. The first asks for
/// an orderly end, the second ends the program at once.
///
/// The orderly end is the loop's. A script that keeps the loop waiting (`while true do end`) is broken into from within
/// the signal handler. What can't be broken into is a function in C that does not return, such as a pattern match: for
/// that there is the second signal.
@LoopActor
final class Interrupts {
  private var watchers: [SignalWatcher]

  /// `interrupter` breaks into what Lua runs, until ``end()``. `stop` is called on the loop.
  init(breakingInto interrupter: LuaInterrupter? = nil, _ stop: @escaping @LoopActor () -> Void) {
    handler.pointee = Handler(thread: pthread_self(), interrupter: interrupter)
    watchers = Handler.signals.map { number in
      let watcher = SignalWatcher(number) {
        if handler.pointee.received != 0 { stop() }
      }
      Handler.putInFront(number)
      return watcher
    }
  }

  /// How the program is to end, once a signal has come.
  var received: ExitStatus? {
    handler.pointee.received == 0 ? nil : Handler.status(handler.pointee.received)
  }

  /// The signals have their old effect again.
  func end() {
    handler.pointee.interrupter = nil
    watchers.forEach { $0.close() }
    // They hold who is to be stopped, who may hold us.
    watchers = []
    signal(SIGPIPE, SIG_IGN)
  }
}

/// What the signal handler knows. A handler can't be given anything, so there is one, for good.
nonisolated(unsafe) private let handler = {
  let place = UnsafeMutablePointer<Handler>.allocate(capacity: 1)
  place.initialize(to: Handler(thread: pthread_self()))
  return place
}()

private struct Handler {
  static let signals = [SIGINT, SIGTERM, SIGHUP, SIGPIPE]

  /// The loop's: there the handler does not race with what it looks at.
  let thread: pthread_t
  var interrupter: LuaInterrupter?
  /// The first signal, and when it came.
  var received: Int32 = 0
  var time = timespec()
  /// libuv's handler, which wakes the loop.
  var next: (@convention(c) (Int32) -> Void)?

  static func status(_ number: Int32) -> ExitStatus {
    switch number {
    case SIGINT: .interrupted
    case SIGPIPE: .brokenPipe
    default: .terminated
    }
  }

  /// Has our handler called before libuv's.
  static func putInFront(_ number: Int32) {
    var action = sigaction()
    sigaction(number, nil, &action)
    handler.pointee.next = action.__sigaction_handler.sa_handler
    action.__sigaction_handler.sa_handler = { Handler.handle($0) }
    sigaction(number, &action, nil)
  }

  /// Only what signal-safety(7) allows.
  private static func handle(_ number: Int32) {
    guard pthread_equal(pthread_self(), handler.pointee.thread) != 0 else {
      pthread_kill(handler.pointee.thread, number)
      return
    }
    // A write elsewhere tells its caller of the broken pipe.
    if number == SIGPIPE, !isOutputBroken() { return }
    // Two within so many seconds are one: `timeout` sends its signal to us and then to our process group.
    let doubled = 0.1
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    if handler.pointee.received == 0 {
      handler.pointee.received = number
      handler.pointee.time = now
      handler.pointee.interrupter?.interrupt()
    } else if number != SIGPIPE, seconds(from: handler.pointee.time, to: now) > doubled {
      _exit(status(number).rawValue)
    }
    handler.pointee.next?(number)
  }

  private static func seconds(from: timespec, to: timespec) -> Double {
    Double(to.tv_sec - from.tv_sec) + Double(to.tv_nsec - from.tv_nsec) / 1e9
  }

  private static func isOutputBroken() -> Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
  }
}

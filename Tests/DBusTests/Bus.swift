import EventLoop
import Testing

@testable import DBus

/// A message bus of the tests' own.
@LoopActor
final class Bus {
  let address: String
  private let daemon: ChildProcess

  /// One for all tests that leave it as it was.
  static func shared() async throws -> Bus {
    if let starting { return try await starting.value }
    let task = Task { @LoopActor in try await Bus() }
    starting = task
    return try await task.value
  }

  private static var starting: Task<Bus, any Error>?

  init() async throws {
    let pipe = try #require(Pipe())
    daemon = try ChildProcess(
      ["dbus-daemon", "--session", "--print-address=1", "--nofork", "--nopidfile"],
      output: .descriptor(pipe.writingEnd), errors: .null)
    pipe.closeWritingEnd()
    address = try #require(await pipe.line())
  }

  func connect() async throws -> Connection {
    try await Connection.open(.address(address), timeout: 30)
  }

  func stop() async {
    daemon.terminate()
    _ = await daemon.status
  }
}

/// Runs `body` with a connection to the shared bus, which is closed afterwards.
@LoopActor
func withConnection(_ body: (Connection) async throws -> Void) async throws {
  let connection = try await Bus.shared().connect()
  defer { connection.close() }
  try await body(connection)
}

/// Random numbers that are the same each time (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

func failure(_ body: () throws(DBusError) -> Void) -> DBusError? {
  do throws(DBusError) {
    try body()
    return nil
  } catch {
    return error
  }
}

@LoopActor
func failure(_ body: @LoopActor () async throws(DBusError) -> Void) async -> DBusError? {
  do throws(DBusError) {
    try await body()
    return nil
  } catch {
    return error
  }
}

/// Why these can't be sent.
func refusal(_ values: [Value]) -> DBusError? {
  failure { () throws(DBusError) in _ = try Message.signal("/", "a.b", "C", values) }
}

import class EventLoop.Pipe
import EventLoop
import Foundation
import Glibc
import Testing

/// How the program ended, and what it said.
struct Ending: Equatable, CustomStringConvertible {
  var status: Int32
  var output = ""
  var errors = ""

  var description: String { "\nstatus \(status)\noutput: \(output)\nerrors: \(errors)" }
}

/// The built program, run as a person runs it.
@LoopActor
final class Program {
  /// `$BLESCRIPT`, else `blescript` beside the test bundle.
  nonisolated static let path =
    ProcessInfo.processInfo.environment["BLESCRIPT"]
    ?? bundle.deletingLastPathComponent().appending(path: "blescript").path

  /// The tests, as the test runner was given them.
  private nonisolated static let bundle = URL(
    filePath: CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0])

  let process: ChildProcess
  private let output: Transcript
  private let errors: Transcript
  /// In its environment, and so in that of all that it starts.
  private let mark = "BLESCRIPT_TEST=\(UUID())"

  /// Starts it. `through`: a command that starts it, given its path and arguments.
  init(_ arguments: [String], bus: String? = nil, input: String = "/dev/null", through wrapper: [String] = []) throws {
    let pipes = (try #require(Pipe()), try #require(Pipe()))
    let file = open(input, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var environment = ProcessInfo.processInfo.environment
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus ?? "unix:path=/nonexistent/bus"
    environment["XDG_CONFIG_HOME"] = "/nonexistent"
    environment["BLESCRIPT_TEST"] = String(mark.dropFirst("BLESCRIPT_TEST=".count))
    process = try ChildProcess(
      wrapper + [Self.path] + arguments, environment: environment, input: .descriptor(file),
      output: .descriptor(pipes.0.writingEnd), errors: .descriptor(pipes.1.writingEnd))
    output = Transcript(pipes.0)
    errors = Transcript(pipes.1)
  }

  /// Runs it to its end. It is killed, and the test fails, after a minute.
  static func run(
    _ arguments: [String], bus: String? = nil, input: String = "/dev/null", through wrapper: [String] = []
  ) async throws -> Ending {
    try await Program(arguments, bus: bus, input: input, through: wrapper).end()
  }

  /// Waits until it has written this line.
  func says(_ line: String) async throws {
    try await eventually("it says \"\(line)\"") { self.output.text.contains(line + "\n") }
  }

  func firstLine() async throws -> String {
    try await eventually("it says something") { self.output.text.contains("\n") || !self.process.isRunning }
    return String(output.text.prefix { $0 != "\n" })
  }

  func send(_ signal: Int32) {
    kill(process.pid, signal)
  }

  /// Waits for its end, and sees to it that none of its children outlives it.
  func end() async throws -> Ending {
    let alarm = EventLoop.shared.clock.after(60) { [process] in
      Issue.record("it does not end")
      kill(process.pid, SIGKILL)
    }
    let status = await process.status
    alarm.cancel()
    let ending = Ending(status: status, output: await output.whole(), errors: await errors.whole())
    try await eventually("its children are gone") { try self.relatives().isEmpty }
    return ending
  }

  /// Processes that have our mark in their environment.
  private func relatives() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      guard Int(name) != nil, let data = FileManager.default.contents(atPath: "/proc/\(name)/environ") else {
        return false
      }
      return String(decoding: data, as: UTF8.self).contains(mark)
    }
  }
}

/// All that comes out of a pipe.
@LoopActor
private final class Transcript {
  private(set) var text = ""
  private let end = OneShot<Void>()

  init(_ pipe: Pipe) {
    pipe.closeWritingEnd()
    Task { @LoopActor in
      while let line = await pipe.line() { text += line + "\n" }
      end.finish(())
    }
  }

  func whole() async -> String {
    await end.value
    return text
  }
}

/// Waits until the condition is true; the test fails if that takes longer than a minute.
@LoopActor
func eventually(_ what: String, within seconds: Seconds = 60, _ condition: () async throws -> Bool) async throws {
  let clock = EventLoop.shared.clock
  let end = clock.now + seconds
  while try await !condition() {
    try #require(clock.now < end, "\(what): not within \(seconds) s")
    try await clock.sleep(0.02)
  }
}

/// A folder of files for one test, which goes with it.
@LoopActor
final class Folder {
  let path: String

  init(_ files: [String: String]) throws {
    // A short name: Lua shortens long ones in its messages.
    let folder = URL(filePath: "/tmp/cli-\(UInt32.random(in: 0...UInt32.max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
    for (name, text) in files { try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8) }
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The project's folder.
let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

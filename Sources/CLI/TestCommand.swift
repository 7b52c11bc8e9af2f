internal import BlueZ
internal import DBus
internal import Decoders
internal import EventLoop
internal import LuaRuntime
internal import Simulator

/// `blescript test FILE…`: runs the tests that the files declare (`scripts/lib/test.lua`), each in a world of its own.
/// Of a decoder file: the tests that it holds.
/// Without `--act` they run in the simulator and in virtual time; with it on the system's Bluetooth. TAP on standard output.
@LoopActor
struct TestCommand {
  let invocation: Invocation
  let files: [String]

  /// Seconds, real or virtual, that a test may take where it does not say.
  static let limit: Seconds = 600

  func run() async -> Int32 {
    guard areReadable(files) else { return ExitStatus.usage.rawValue }
    var report = TestReport()
    for file in files {
      do throws(LuaError) {
        if isDecoder(file) {
          try addDecoder(file, to: &report)
          continue
        }
        let tests = try await declared(in: file)
        for (index, test) in tests.enumerated() { report.add(test.name, await run(test, number: index + 1, of: file)) }
      } catch {
        Host.tell(error)
        report.add(file, .failed("the file could not be loaded"))
      }
    }
    return report.end()
  }

  /// A file of a folder of that name; its tests are advertisements.
  private func isDecoder(_ file: String) -> Bool {
    folder(of: file).split(separator: "/").last == "decoders"
  }

  private func addDecoder(_ file: String, to report: inout TestReport) throws(LuaError) {
    var problems: [String] = []
    let library = (Installation.scripts ?? "scripts") + "/lib"
    let decoders = try Decoders(library: library, file: file) { problems.append($0) }
    let results = decoders.testResults()
    report.add("\(file) is a decoder", problems.isEmpty ? .passed : .failed(problems.joined(separator: "\n")))
    for (name, fault) in results { report.add(name, fault.map { .failed($0) } ?? .passed) }
  }

  /// Runs the file to see which tests it declares.
  private func declared(in file: String) async throws(LuaError) -> [DeclaredTest] {
    let host = try await Host(script: file)
    let module = TestModule(file: file)
    try module.register(in: host.runtime)
    let outcome = await host.run(file, [])
    await host.close()
    if case .failed(let error) = outcome { throw error }
    return module.declared
  }

  private func run(_ test: DeclaredTest, number: Int, of file: String) async -> TestResult {
    let place = invocation.act == nil ? "simulator" : "real"
    if let only = test.only, only != place { return .skipped("only in: \(only)") }
    do throws(LuaError) {
      let host = try await Host(
        script: file, world: invocation.act == nil ? test.world : nil, adapter: invocation.adapter)
      let module = TestModule(file: file, running: number, act: invocation.act, host: host)
      try module.register(in: host.runtime)
      return await run(host, file, limit: test.limit)
    } catch {
      return .failed("\(error)")
    }
  }

  private func run(_ host: Host, _ file: String, limit: Seconds) async -> TestResult {
    if host.simulator != nil { EventLoop.shared.virtualTime = VirtualTime { await host.isQuiet() } }
    defer { EventLoop.shared.virtualTime = nil }
    var isOver = false
    let deadline = EventLoop.shared.clock.after(limit) {
      isOver = true
      host.runtime.stop()
    }
    var told: [LuaError] = []
    host.runtime.onUncaughtError = { told.append($0) }
    let outcome = await host.run(file, [])
    deadline.cancel()
    await host.close()
    if isOver { return .failed("not done after \(Int(limit)) s") }
    switch outcome {
    case .finished, .exited(0): return .passed
    case .exited(let status): return .failed("os.exit(\(status))")
    case .stopped: return .failed("stopped")
    case .failed(let error):
      let traceback = (told.first ?? error).traceback.map { "\n" + $0 } ?? ""
      return .failed("\(error)\(traceback)")
    }
  }
}

extension Host {
  /// Whether nothing is under way between us, the bus, and the simulator. After the first round trip all that we sent
  /// has been routed, after the second the simulator has seen it, after the third we have seen its answers.
  func isQuiet() async -> Bool {
    let connections = [backend.connection, simulator?.connection].compactMap { $0 }
    let before = connections.reduce(0) { $0 &+ $1.traffic }
    for connection in connections + connections.prefix(1) { try? await connection.roundTrip() }
    return connections.reduce(0) { $0 &+ $1.traffic } == before
  }
}

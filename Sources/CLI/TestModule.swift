internal import EventLoop
internal import LuaRuntime
internal import Simulator

/// A test as its file declares it.
struct DeclaredTest {
  let name: String
  /// The world file that it wants, or nil.
  let world: String?
  /// `simulator` or `real` where it makes sense only there.
  let only: String?
  /// Seconds, real or virtual, that it may take.
  let limit: Seconds
}

/// The module `test.native`, on which scripts/lib/test.lua stands.
@LoopActor
final class TestModule {
  private(set) var declared: [DeclaredTest] = []
  private let file: String
  private let running: Int?
  private let act: String?
  /// Nil where the file is only looked at. Its runtime holds this module.
  private weak var host: Host?

  /// `running`: the number of the test to run; nil: only look what is declared.
  init(file: String, running: Int? = nil, act: String? = nil, host: Host? = nil) {
    self.file = file
    self.running = running
    self.act = act
    self.host = host
  }

  func register(in runtime: LuaRuntime) throws(LuaError) {
    try runtime.register(
      module: "test.native",
      [
        // Declares a test; whether it is the one to run now.
        .plain("declare") { [self] call throws(LuaError) in
          let options = try call[2].options(allowing: ["world", "only", "limit"])
          let world = try (options["world"].ifPresent?.string()).map { worldFile($0) }
          let only = try options["only"].ifPresent?.word(["simulator", "real"])
          let limit = try options["limit"].ifPresent?.seconds() ?? TestCommand.limit
          declared.append(DeclaredTest(name: try call[1].string(), world: world, only: only, limit: limit))
          return [.boolean(declared.count == running)]
        },
        // Has the world carry out an order; returns when it has.
        .waiting("order") { [self] call async throws(LuaError) in
          try await order(try call[1].string())
          return []
        },
        // What the program holds now, once garbage is gone.
        .plain("holdings") { [self] call in
          call.runtime.collectGarbage()
          return [host.map { .table($0.holdings) } ?? .nil]
        },
        .plain("place") { [self] _ in [LuaValue(act == nil ? "simulator" : "real")] },
      ])
  }

  /// A path is relative to the test file; a plain name is a world that ships.
  private func worldFile(_ name: String) -> String {
    guard !name.hasPrefix("/") else { return name }
    if name.contains("/") || name.hasSuffix(".lua") { return folder(of: file) + "/" + name }
    return (Installation.scripts ?? "scripts") + "/worlds/\(name).lua"
  }

  private func order(_ line: String) async throws(LuaError) {
    if let act { return try await order(line, by: act) }
    guard let simulator = host?.simulator else { throw LuaError("this test has no world to give orders to") }
    try await simulator.order(line)
  }

  private func order(_ line: String, by command: String) async throws(LuaError) {
    let words = command.split(separator: " ").flatMap { $0 == "{}" ? line.split(separator: " ") : [$0] }
    let child: ChildProcess
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(words.map(String.init), output: .null)
    } catch {
      throw LuaError(error.message)
    }
    let status = await child.status
    if status != 0 { throw LuaError("the world did not carry out \"\(line)\": exit status \(status)") }
  }
}

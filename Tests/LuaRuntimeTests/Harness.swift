import EventLoop
import Glibc
import LuaGate
import Testing

@testable import LuaRuntime

/// One state, and what it had to say.
@LoopActor
final class Harness {
  let runtime: LuaRuntime
  var uncaught: [LuaError] = []
  var warnings: [String] = []
  var log: [LuaValue] = []

  static let library = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/scripts/lib"

  init(memoryLimit: Int? = nil, path: ModulePath = ModulePath(library: Harness.library)) throws {
    runtime = try LuaRuntime(memoryLimit: memoryLimit, path: path)
    runtime.onUncaughtError = { [unowned self] in uncaught.append($0) }
    runtime.onWarning = { [unowned self] in warnings.append($0) }
    try runtime.register(module: "host", functions)
  }

  private var interrupting: pthread_t?

  func joinInterrupting() {
    if let interrupting { pthread_join(interrupting, nil) }
    interrupting = nil
  }

  private var functions: [LuaFunctionDefinition] {
    [
      .plain("echo") { $0.arguments },
      .plain("log") { [unowned self] call in
        log += call.arguments
        return []
      },
      .plain("fail") { call throws(LuaError) in throw LuaError(try call[1].string()) },
      .plain("host_error") { call throws(LuaError) in throw LuaError(code: "busy", try call[1].string()) },
      .plain("integer") { call throws(LuaError) in [.integer(try call[1].integer())] },
      .plain("seconds") { call throws(LuaError) in [.number(try call[1].seconds())] },
      .plain("options") { call throws(LuaError) in
        let options = try call.options(1)
        try options.allow(["timeout"])
        return [.number(try options["timeout"].ifPresent?.seconds() ?? 5)]
      },
      .plain("interrupt_soon") { [unowned self] call in
        interrupting = startInterrupting(call.runtime.interrupter)
        return []
      },
      .plain("thing") { call in [.object(Thing(call[1].value.text ?? "thing"))] },
      .plain("call") { call throws(LuaError) in
        try call.runtime.call(try call[1].function(), Array(call.arguments.dropFirst()))
      },
      .waiting("turn") { call in
        await EventLoop.shared.settle()
        return call.arguments
      },
      .waiting("turn_error") { call throws(LuaError) in
        await EventLoop.shared.settle()
        throw LuaError(code: "busy", "late")
      },
      .waiting("turn_message") { call throws(LuaError) in
        await EventLoop.shared.settle()
        throw LuaError("late message")
      },
    ]
  }

  @discardableResult
  func run(_ code: String) async throws -> LuaRuntime.Outcome {
    await runtime.run(try runtime.load(Array(code.utf8), name: "@test.lua"))
  }

  /// A plain call of a chunk.
  @discardableResult
  func call(_ code: String, _ arguments: LuaValue...) throws -> [LuaValue] {
    try runtime.call(try runtime.load(Array(code.utf8), name: "@test.lua"), arguments)
  }

  /// Runs a script that must go well, and gives what it logged.
  func logged(_ code: String, location: SourceLocation = #_sourceLocation) async throws -> [LuaValue] {
    let outcome = try await run("local host, task = require 'host', require 'task'\n" + code)
    guard case .finished = outcome else {
      Issue.record("\(outcome)", sourceLocation: location)
      return log
    }
    return log
  }
}

@LoopActor
final class Thing: LuaObject {
  static var alive = 0
  var name: String
  var closed = 0

  init(_ name: String) {
    self.name = name
    Thing.alive += 1
  }

  isolated deinit { Thing.alive -= 1 }

  static let luaType = LuaType("thing", of: Thing.self) { type in
    type.get("name") { LuaValue($0.name) }
    type.get("size") { LuaValue($0.name.utf8.count) }
    type.set("name") { thing, value throws(LuaError) in thing.name = try value.string() }
    type.method("greet") { thing, call throws(LuaError) in
      [LuaValue("hello \(try call[1].string()) from \(thing.name)")]
    }
    type.waiting("later") { thing, _ in
      await EventLoop.shared.settle()
      return [LuaValue(thing.name)]
    }
    type.get("closed") { LuaValue($0.closed) }
    type.close { $0.closed += 1 }
    type.tostring { "thing \($0.name)" }
  }
}

/// Interrupts from a thread of its own: the loop is busy. It is called by the code that is to be interrupted, so that
/// the interrupt finds it running, be it early or late.
private func startInterrupting(_ interrupter: LuaInterrupter) -> pthread_t {
  final class Box {
    let interrupter: LuaInterrupter
    init(_ interrupter: LuaInterrupter) { self.interrupter = interrupter }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().interrupter.interrupt()
      return nil
    }, Unmanaged.passRetained(Box(interrupter)).toOpaque())
  return thread
}

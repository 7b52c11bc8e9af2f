public import EventLoop
internal import LuaGate

/// A Lua state and its tasks. It knows nothing of Bluetooth: see ``register(module:_:)``.
@LoopActor
public final class LuaRuntime {
  /// How a script ended.
  public enum Outcome: Sendable {
    case finished
    case failed(LuaError)
    /// By `os.exit`.
    case exited(Int32)
    /// By ``stop()`` or ``close()``.
    case stopped
  }

  /// Called once for each error that nothing in Lua caught; its description and traceback are for the user.
  public var onUncaughtError: (@LoopActor (LuaError) -> Void)?
  /// Lua's warnings, and errors in `__gc`: one line each.
  public var onWarning: (@LoopActor (String) -> Void)? {
    get { gate.onWarning }
    set { gate.onWarning = newValue }
  }
  /// `os.exit` while no ``run(_:_:)`` is going on.
  public var onExit: (@LoopActor (Int32) -> Void)?

  let gate: Gate
  private var functions: [(definition: LuaFunctionDefinition, name: String)] = []
  var tasks: [UInt64: LuaTask] = [:]
  var taskNumber: UInt64 = 0
  var operationNumber: Int64 = 0
  /// The task whose code runs.
  var current: LuaTask?
  var ended: OneShot<Outcome>?
  private var mustClose = false

  /// `memoryLimit` in bytes.
  public init(memoryLimit: Int? = nil, path: ModulePath = ModulePath()) throws(LuaError) {
    gate = try Gate(memoryLimit: memoryLimit ?? 0)
    gate.number = { [unowned self] definition in number(definition, definition.name) }
    gate.onCall = { [unowned self] number, arguments, canWait in answer(number, arguments, canWait) }
    gate.onFault = { [unowned self] number, argument, fault in
      let name = functions[number].name
      // A method does not count its object.
      let place = name.contains(".") ? argument : argument - 1
      return LuaCall.Argument(value: .nil, place: .argument(place, name)).bad(fault)
    }
    if let library = path.library { gate.setLibrary("@\(library)/") }
    let code = Array(Bootstrap.code.utf8)
    try gate.perform { gate, receiver in gate_bootstrap(gate, code, code.count, Bootstrap.name, receiver) }
    try register(module: "task.native", Self.taskFunctions)
    try call(load(Array(ModulePath.code.utf8), name: "=[host]"), [LuaValue(path.path), LuaValue(path.nativePath)])
  }

  isolated deinit {
    gate.close()
  }

  /// What `require(module)` gives: a table of these functions, and for each type, as `NAME_methods`, the table of its
  /// methods, to which Lua may add.
  public func register(
    module: String, _ functions: [LuaFunctionDefinition], types: [LuaType] = []
  ) throws(LuaError) {
    let list = CFunctions(functions) { number($0, "\(module).\($0.name)") }
    var numbers: [Int32] = []
    for type in types { numbers.append(try gate.type(of: type)) }
    try gate.perform { gate, receiver in
      gate_module(gate, module, list.pointer, list.count, numbers, numbers.count, receiver)
    }
  }

  public func setGlobal(_ name: String, _ value: LuaValue) throws(LuaError) {
    let mark = gate.put([value])
    try gate.perform { gate, receiver in gate_set_global(gate, name, mark, receiver) }
  }

  /// Compiles text; nothing runs. `name` as Lua wants it: `@file.lua`, `=stdin`. A first line that begins with `#` is
  /// left out.
  public func load(_ code: [UInt8], name: String) throws(LuaError) -> LuaFunction {
    let code = code.first == UInt8(ascii: "#") ? Array(code.drop { $0 != UInt8(ascii: "\n") }) : code
    let values = try gate.perform { gate, receiver in gate_load(gate, code, code.count, name, receiver) }
    guard let function = values.first?.function else { throw .outOfMemory }
    return function
  }

  /// Compiles a file.
  public func load(file: String) throws(LuaError) -> LuaFunction {
    try load(try SourceFile.read(file), name: "@\(file)")
  }

  public func loadStandardInput() throws(LuaError) -> LuaFunction {
    try load(try SourceFile.read("/dev/stdin"), name: "=stdin")
  }

  /// A plain call, at once. The function can't wait.
  @discardableResult
  public func call(_ function: LuaFunction, _ arguments: [LuaValue] = []) throws(LuaError) -> [LuaValue] {
    defer { closeIfDue() }
    let mark = gate.put(arguments)
    let reference = function.reference
    guard reference.anchor.gate === gate else { throw .closed }
    return try gate.perform { gate, receiver in
      gate_call(gate, reference.anchor.number, reference.entry, mark, receiver)
    }
  }

  /// A copy of a table that came as a reference.
  public func copy(_ reference: LuaReference) throws(LuaError) -> LuaValue {
    guard reference.anchor.gate === gate else { throw .closed }
    return try gate.perform { gate, receiver in
      gate_copy(gate, reference.anchor.number, reference.entry, receiver)
    }.first ?? .nil
  }

  /// What each ``call(_:_:)`` may spend, counted in thousands; nil: no limit. Beyond it the call fails with "too many
  /// instructions". 64 bytes of memory that it asks for count as one. Tasks have no limit, nor
  /// has the message handler of an `xpcall`.
  public var instructionLimit: Int? {
    didSet { gate.limitInstructions(instructionLimit ?? 0) }
  }

  /// For Ctrl-C in a busy loop.
  public var interrupter: LuaInterrupter { gate.interrupter }

  /// Bytes and blocks that Lua holds.
  public var memory: (bytes: Int, blocks: Int) { (gate.memory.bytes, gate.memory.blocks) }

  public func collectGarbage() {
    if !gate.isClosed { gate.collectGarbage() }
  }

  public var isClosed: Bool { gate.isClosed }

  /// Cancels all tasks and frees the state. Called from Lua, it does so once Lua has returned.
  public func close() {
    mustClose = true
    closeIfDue()
  }

  func closeIfDue() {
    guard mustClose, !gate.isClosed, gate.depth == 0 else { return }
    stop()
    cancelTasks()
    gate.close()
  }

  private func number(_ definition: LuaFunctionDefinition, _ name: String) -> Int32 {
    functions.append((definition, Self.known(name)))
    return Int32(functions.count - 1)
  }

  /// What a script calls: `ble.native.scan` and `_read` are completed in Lua, as `ble.scan` and `read`.
  private static func known(_ name: String) -> String {
    let words = name.split(separator: ".").filter { $0 != "native" }
    return words.map { $0.hasPrefix("_") && !$0.hasPrefix("__") ? $0.dropFirst() : $0 }.joined(separator: ".")
  }

  private func answer(_ number: Int, _ arguments: [LuaValue], _ canWait: Bool) -> Gate.Answer {
    let (definition, name) = functions[number]
    let call = LuaCall(
      runtime: self, function: name, arguments: arguments, task: current, canWait: canWait && current != nil)
    do throws(LuaError) {
      switch definition.body {
      case .plain(let body): return .values(try body(call))
      case .waiting(let check, let body):
        try check(call)
        guard call.canWait, let current else { throw .cannotWait }
        return .wait(operation: current.prepare(call, body))
      }
    } catch {
      return .error(error)
    }
  }
}

extension LuaError {
  static let cannotWait = LuaError(
    """
    cannot wait here: inside a string.gsub or table.sort callback, a __gc, the __close of a cancelled task, \
    or the top level of a required file
    """)
}

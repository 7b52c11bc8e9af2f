internal import EventLoop
internal import LuaGate

/// The C side of one Lua state, and its door to Swift.
@LoopActor
final class Gate {
  private let gate: OpaquePointer
  private(set) var isClosed = false
  /// How many calls into Lua are under way: the state can't be closed meanwhile.
  private(set) var depth = 0
  private var types: [ObjectIdentifier: Int32] = [:]
  private var warning = ""

  /// Answers Lua's calls of Swift functions. Set right after the gate is made.
  var onCall: (@LoopActor (Int, [LuaValue], _ canWait: Bool) -> Answer)?
  /// What is wrong with an argument that can't be brought over.
  var onFault: (@LoopActor (Int, _ argument: Int, _ fault: String) -> LuaError)?
  var onWarning: (@LoopActor (String) -> Void)?
  /// Gives a function a number.
  var number: (@LoopActor (LuaFunctionDefinition) -> Int32)?

  enum Answer {
    case values([LuaValue])
    case error(LuaError)
    case wait(operation: Int64)
  }

  init(memoryLimit: Int) throws(LuaError) {
    // The context needs `self`, which needs the gate.
    let door = UnsafeMutablePointer<Door>.allocate(capacity: 1)
    door.initialize(to: Door())
    var host = Door.host(door)
    guard let gate = gate_new(&host, memoryLimit) else {
      door.deinitialize(count: 1)
      door.deallocate()
      throw .outOfMemory
    }
    (self.gate, self.door) = (gate, door)
    door.pointee.gate = self
  }

  private let door: UnsafeMutablePointer<Door>

  isolated deinit {
    gate_close(gate)
    gate_free(gate)
    door.deinitialize(count: 1)
    door.deallocate()
  }

  func close() {
    isClosed = true
    gate_close(gate)
  }

  var memory: gate_memory { gate_memory_of(gate) }
  func setLibrary(_ prefix: String) { gate_set_library(gate, prefix) }
  func collectGarbage() { gate_collect(gate) }
  func interrupt() { gate_interrupt(gate) }
  var interrupter: LuaInterrupter { LuaInterrupter(gate: gate) }

  func release(_ anchor: Int32) {
    if !isClosed { gate_release(gate, anchor) }
  }

  /// Runs `body` with the gate and a receiver, and gives what the receiver got.
  @discardableResult
  func perform(_ body: (OpaquePointer, UnsafeMutableRawPointer) -> gate_status) throws(LuaError) -> [LuaValue] {
    try run(body).values
  }

  func run(
    _ body: (OpaquePointer, UnsafeMutableRawPointer) -> gate_status
  ) throws(LuaError) -> (isWaiting: Bool, values: [LuaValue]) {
    guard !isClosed else { throw .closed }
    var values: [LuaValue] = []
    depth += 1
    let status = withUnsafeMutablePointer(to: &values) { body(gate, UnsafeMutableRawPointer($0)) }
    depth -= 1
    switch status {
    case gate_ok, gate_waiting: return (status == gate_waiting, values)
    case gate_failed: throw LuaError(told: values)
    default: throw .outOfMemory
    }
  }

  /// Puts values for the next call; gives the mark that the call takes.
  func put(_ values: [LuaValue]) -> Int {
    let mark = gate_mark(gate)
    if !isClosed { values.forEach(put) }
    return mark
  }

  func put(_ error: LuaError) {
    guard !error.isPositioned else { return put(error.value) }
    switch error.value {
    case .table(let table):
      gate_put_error(gate, table.fields.count)
      putFields(table)
    case .string(let bytes): bytes.withUnsafeBytes { gate_put_message(gate, $0.baseAddress, $0.count) }
    default: put(error.value)
    }
  }

  private func put(_ value: LuaValue) {
    switch value {
    case .nil: gate_put_nil(gate)
    case .boolean(let value): gate_put_boolean(gate, value ? 1 : 0)
    case .integer(let value): gate_put_integer(gate, value)
    case .number(let value): gate_put_number(gate, value)
    case .string(let bytes): bytes.withUnsafeBytes { gate_put_string(gate, $0.baseAddress, $0.count) }
    case .table(let table):
      gate_put_table(gate, table.array.count, table.fields.count)
      table.array.forEach(put)
      putFields(table)
    case .object(let object): put(object)
    case .function(let function): put(function.reference)
    case .reference(let reference): put(reference)
    }
  }

  private func putFields(_ table: LuaTable) {
    for (key, value) in table.fields {
      put(key)
      put(value)
    }
  }

  private func put(_ reference: LuaReference) {
    // Numbers of another state mean nothing here.
    guard reference.anchor.gate === self else { return gate_put_nil(gate) }
    gate_put_reference(gate, reference.anchor.number, reference.entry)
  }

  private func put(_ object: any LuaObject) {
    do throws(LuaError) {
      let type = try type(of: Swift.type(of: object).luaType)
      gate_put_object(gate, Unmanaged.passRetained(object as AnyObject).toOpaque(), type)
    } catch {
      gate_put_failure(gate)
    }
  }

  /// The number of a type, which Lua hears of when it is first asked for.
  func type(of type: LuaType) throws(LuaError) -> Int32 {
    if let known = types[ObjectIdentifier(type)] { return known }
    let methods = CFunctions(type.methods, number!)
    let operators = CFunctions(type.operators, number!)
    let (index, newIndex) = (number!(type.index), number!(type.newIndex))
    var result: Int32 = 0
    try perform { gate, receiver in
      gate_type(
        gate, type.name, methods.pointer, methods.count, operators.pointer, operators.count, index, newIndex, &result,
        receiver)
    }
    types[ObjectIdentifier(type)] = result
    return result
  }

  func answer(_ request: UnsafeMutablePointer<gate_request>) -> gate_answer {
    if let fault = request.pointee.fault {
      // Anchored all the same.
      _ = anchor(request.pointee.anchor)
      put(onFault!(Int(request.pointee.function), Int(request.pointee.count), String(cString: fault)))
      return gate_answer_error
    }
    let reader = CellReader(
      request.pointee.cells, count: request.pointee.cell_count, anchor: anchor(request.pointee.anchor))
    let arguments = (0..<request.pointee.count).map { _ in reader.next() }
    depth += 1
    defer { depth -= 1 }
    switch onCall!(Int(request.pointee.function), arguments, request.pointee.can_wait != 0) {
    case .values(let values):
      values.forEach(put)
      return gate_answer_values
    case .error(let error):
      put(error)
      return gate_answer_error
    case .wait(let operation):
      request.pointee.operation = operation
      return gate_answer_wait
    }
  }

  func anchor(_ number: Int32) -> Anchor? {
    number == Int32(gate_no_anchor) ? nil : Anchor(gate: self, number: number)
  }

  func warn(_ text: String, continues: Bool) {
    warning += text
    if continues { return }
    let line = warning
    warning = ""
    // Control messages ("@on") are for Lua's own reporter.
    if !line.hasPrefix("@") { onWarning?(line) }
  }
}

extension LuaError {
  static let closed = LuaError("the script has ended")

  /// From what a failed call tells.
  fileprivate init(told: [LuaValue]) {
    guard told.count == 4 else {
      self = .outOfMemory
      return
    }
    self.init(
      value: told[0], message: told[1].display, fields: told[3].table,
      traceback: told[2].isNil ? nil : told[2].display)
  }
}

internal import EventLoop
internal import LuaGate

/// What C calls. Lives at a fixed address as long as the gate.
struct Door {
  /// Nil while the state is being made.
  unowned(unsafe) var gate: Gate?

  static func host(_ door: UnsafeMutablePointer<Door>) -> gate_host {
    gate_host(
      context: door,
      call: { context, request in
        nonisolated(unsafe) let request = request!
        return enter(context) { $0.answer(request) } ?? gate_answer_values
      },
      receive: { context, receiver, cells, count, anchor in
        nonisolated(unsafe) let (receiver, cells) = (receiver!, cells)
        enter(context) { gate in
          let reader = CellReader(cells, count: count, anchor: gate.anchor(anchor))
          let values = receiver.assumingMemoryBound(to: [LuaValue].self)
          while !reader.isAtEnd { values.pointee.append(reader.next()) }
        }
      },
      release: { _, object in
        Unmanaged<AnyObject>.fromOpaque(object!).release()
      },
      warn: { context, text, continues in
        nonisolated(unsafe) let text = text!
        enter(context) { $0.warn(String(cString: text), continues: continues != 0) }
      })
  }
}

/// Calls come on the loop's thread, for only there does Lua run. The pointers don't leave it.
@discardableResult
private func enter<Result>(_ context: UnsafeMutableRawPointer?, _ body: @LoopActor (Gate) -> Result) -> Result? {
  nonisolated(unsafe) let door = context!.assumingMemoryBound(to: Door.self)
  return LoopActor.assumeIsolated { door.pointee.gate.map(body) }
}

/// Reads cells in their order.
@LoopActor
final class CellReader {
  private let cells: UnsafeBufferPointer<gate_cell>
  private var position = 0
  private let anchor: Anchor?

  init(_ cells: UnsafePointer<gate_cell>?, count: Int32, anchor: Anchor?) {
    (self.cells, self.anchor) = (UnsafeBufferPointer(start: cells, count: Int(count)), anchor)
  }

  var isAtEnd: Bool { position == cells.count }

  func next() -> LuaValue {
    let cell = cells[position]
    position += 1
    switch cell.kind {
    case gate_kind_boolean: return .boolean(cell.integer != 0)
    case gate_kind_integer: return .integer(cell.integer)
    case gate_kind_number: return .number(cell.number)
    case gate_kind_string: return .string(Array(UnsafeRawBufferPointer(start: cell.pointer, count: cell.length)))
    case gate_kind_table: return .table(table(array: Int(cell.integer), pairs: cell.length))
    case gate_kind_object:
      let object = Unmanaged<AnyObject>.fromOpaque(cell.pointer!).takeUnretainedValue()
      // Only `Gate.put` makes such userdata, from a `LuaObject`.
      return .object(object as! any LuaObject)
    case gate_kind_function: return .function(LuaFunction(reference: reference(.function, cell)))
    case gate_kind_table_reference: return .reference(reference(.table, cell))
    case gate_kind_thread: return .reference(reference(.thread, cell))
    case gate_kind_userdata: return .reference(reference(.userdata, cell))
    default: return .nil
    }
  }

  private func reference(_ kind: LuaReference.Kind, _ cell: gate_cell) -> LuaReference {
    // C gives an anchor whenever a cell needs it.
    LuaReference(kind: kind, anchor: anchor!, entry: cell.integer)
  }

  private func table(array: Int, pairs: Int) -> LuaTable {
    var table = LuaTable()
    table.array.reserveCapacity(array)
    for _ in 0..<array { table.array.append(next()) }
    table.fields.reserveCapacity(pairs)
    for _ in 0..<pairs {
      let key = next()
      table.fields.append((key, next()))
    }
    return table
  }
}

/// Definitions as C wants them; the names live as long as this.
@LoopActor
final class CFunctions {
  let pointer: UnsafeMutablePointer<gate_function>
  let count: Int

  init(_ definitions: [LuaFunctionDefinition], _ number: @LoopActor (LuaFunctionDefinition) -> Int32) {
    count = definitions.count
    pointer = .allocate(capacity: max(count, 1))
    for (index, definition) in definitions.enumerated() {
      let name = definition.name.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: name.count)
      name.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: name.count) }
      (pointer + index).initialize(
        to: gate_function(name: copy, id: number(definition), keeps_tables: definition.keepsTables ? 1 : 0))
    }
  }

  isolated deinit {
    for index in 0..<count { pointer[index].name.deallocate() }
    pointer.deallocate()
  }
}

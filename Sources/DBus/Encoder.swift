internal import CDBus

/// Appends values to a message. They have passed ``BodyCheck``; what can still fail is memory, and then the message is
/// of no use.
enum Encoder {
  static func append(_ values: [Value], to message: OpaquePointer) -> Bool {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    return append(values, &iterator)
  }

  private static func append(_ values: [Value], _ iterator: inout DBusMessageIter) -> Bool {
    for value in values where !append(value, &iterator) { return false }
    return true
  }

  private static func append(_ value: Value, _ iterator: inout DBusMessageIter) -> Bool {
    switch value {
    case .byte(let number): basic("y", number, &iterator)
    case .bool(let flag): basic("b", dbus_bool_t(flag ? 1 : 0), &iterator)
    case .int16(let number): basic("n", number, &iterator)
    case .uint16(let number): basic("q", number, &iterator)
    case .int32(let number): basic("i", number, &iterator)
    case .uint32(let number): basic("u", number, &iterator)
    case .int64(let number): basic("x", number, &iterator)
    case .uint64(let number): basic("t", number, &iterator)
    case .double(let number): basic("d", number, &iterator)
    case .string(let string): text("s", string, &iterator)
    case .path(let path): text("o", path.string, &iterator)
    case .signature(let signature): text("g", signature.string, &iterator)
    case .descriptor(let descriptor): basic("h", descriptor.value ?? -1, &iterator)
    case .bytes(let bytes): append(bytes, &iterator)
    case .array(let element, let values):
      container("a", element.string, &iterator) { append(values, &$0) }
    case .dictionary(let entries):
      container("a", entries.element.string, &iterator) { append(entries, &$0) }
    case .structure(let members):
      container("r", nil, &iterator) { append(members, &$0) }
    case .variant(let payload): variant(payload, &iterator)
    }
  }

  private static func append(_ entries: Entries, _ iterator: inout DBusMessageIter) -> Bool {
    for pair in entries.pairs {
      let isDone = container("e", nil, &iterator) { entry in
        append(pair.key, &entry)
          && (entries.holdsVariants ? variant(pair.value, &entry) : append(pair.value, &entry))
      }
      if !isDone { return false }
    }
    return true
  }

  private static func variant(_ payload: Value, _ iterator: inout DBusMessageIter) -> Bool {
    container("v", payload.signature.string, &iterator) { append(payload, &$0) }
  }

  private static func append(_ bytes: [UInt8], _ iterator: inout DBusMessageIter) -> Bool {
    container("a", "y", &iterator) { array in
      bytes.withUnsafeBufferPointer { buffer in
        // libdbus wants a pointer even to nothing.
        guard var start = buffer.baseAddress, !buffer.isEmpty else { return true }
        return dbus_message_iter_append_fixed_array(&array, code("y"), &start, Int32(buffer.count)) != 0
      }
    }
  }

  private static func basic<Number: BitwiseCopyable>(
    _ type: Unicode.Scalar, _ number: Number, _ iterator: inout DBusMessageIter
  ) -> Bool {
    withUnsafePointer(to: number) { dbus_message_iter_append_basic(&iterator, code(type), $0) != 0 }
  }

  private static func text(_ type: Unicode.Scalar, _ text: String, _ iterator: inout DBusMessageIter) -> Bool {
    text.withCString { basic(type, $0, &iterator) }
  }

  private static func container(
    _ type: Unicode.Scalar, _ contents: String?, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    let isOpen =
      if let contents {
        contents.withCString { dbus_message_iter_open_container(&iterator, code(type), $0, &inner) != 0 }
      } else {
        dbus_message_iter_open_container(&iterator, code(type), nil, &inner) != 0
      }
    guard isOpen else { return false }
    guard body(&inner) else {
      dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inner) != 0
  }

  /// libdbus names types by their letters; `r` and `e` stand for structures and entries.
  private static func code(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }
}

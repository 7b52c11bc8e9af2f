internal import CDBus

/// Takes the values out of a message. libdbus has checked the message as it came in, so types and text are as the
/// D-Bus Specification wants them; whatever is unknown here is an error all the same.
struct Decoder {
  let names: NameCache

  func values(of message: OpaquePointer) throws(DBusError) -> [Value] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return try rest(&iterator, reserving: 3)
  }

  private func rest(_ iterator: inout DBusMessageIter, reserving count: Int = 0) throws(DBusError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    var type = Self.type(&iterator)
    while type != 0 {
      values.append(try value(type, &iterator))
      dbus_message_iter_next(&iterator)
      type = Self.type(&iterator)
    }
    return values
  }

  /// `type` is what the iterator is at: asking libdbus is not free.
  private func value(_ type: UInt8, _ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
    switch type {
    case UInt8(ascii: "y"): .byte(basic(&iterator, 0))
    case UInt8(ascii: "b"): .bool(basic(&iterator, dbus_bool_t(0)) != 0)
    case UInt8(ascii: "n"): .int16(basic(&iterator, 0))
    case UInt8(ascii: "q"): .uint16(basic(&iterator, 0))
    case UInt8(ascii: "i"): .int32(basic(&iterator, 0))
    case UInt8(ascii: "u"): .uint32(basic(&iterator, 0))
    case UInt8(ascii: "x"): .int64(basic(&iterator, 0))
    case UInt8(ascii: "t"): .uint64(basic(&iterator, 0))
    case UInt8(ascii: "d"): .double(basic(&iterator, 0))
    case UInt8(ascii: "s"): .string(try text(&iterator))
    case UInt8(ascii: "o"): .path(ObjectPath(unchecked: try name(&iterator)))
    case UInt8(ascii: "g"): .signature(Signature(unchecked: try text(&iterator)))
    case UInt8(ascii: "h"): .descriptor(try descriptor(&iterator))
    case UInt8(ascii: "v"): .variant(try payload(&iterator))
    case UInt8(ascii: "r"): .structure(try members(&iterator))
    case UInt8(ascii: "a"): try array(&iterator)
    default: throw .inconsistent("a value of an unknown type")
    }
  }

  private func members(_ iterator: inout DBusMessageIter) throws(DBusError) -> [Value] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return try rest(&inner)
  }

  private func payload(_ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return try value(Self.type(&inner), &inner)
  }

  private func array(_ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
    let element = UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator))
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    switch element {
    case UInt8(ascii: "y"): return .bytes(bytes(&inner))
    case UInt8(ascii: "e"): return .dictionary(try entries(&iterator, &inner))
    default:
      if let type = Self.single(element) { return .array(of: type, try rest(&inner)) }
      return .array(of: try Self.contents(of: &iterator), try rest(&inner))
    }
  }

  private func bytes(_ inner: inout DBusMessageIter) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&inner, &start, &count)
    guard let start, count > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private func entries(_ outer: inout DBusMessageIter, _ inner: inout DBusMessageIter) throws(DBusError) -> Entries {
    var pairs: [Entries.Pair] = []
    var types: (key: UInt8, value: UInt8) = (0, 0)
    while Self.type(&inner) == UInt8(ascii: "e") {
      var entry = DBusMessageIter()
      dbus_message_iter_recurse(&inner, &entry)
      types.key = Self.type(&entry)
      // Keys are of a small set: property names, interfaces, paths.
      let key = types.key == UInt8(ascii: "s") ? Value.string(try name(&entry)) : try value(types.key, &entry)
      dbus_message_iter_next(&entry)
      types.value = Self.type(&entry)
      let content = types.value == UInt8(ascii: "v") ? try payload(&entry) : try value(types.value, &entry)
      pairs.append(Entries.Pair(key: key, value: content))
      dbus_message_iter_next(&inner)
    }
    // Those of BlueZ, without asking libdbus, which allocates for that.
    switch types {
    case (UInt8(ascii: "s"), UInt8(ascii: "v")):
      return Entries(element: .property, holdsVariants: true, pairs: pairs)
    case (UInt8(ascii: "q"), UInt8(ascii: "v")):
      return Entries(element: .manufacturer, holdsVariants: true, pairs: pairs)
    default: break
    }
    let element = try Self.contents(of: &outer)
    let holdsVariants = element.string.utf8.count == 4 && element.string.hasSuffix("v}")
    return Entries(element: element, holdsVariants: holdsVariants, pairs: pairs)
  }

  private func basic<Number: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ number: Number) -> Number {
    var number = number
    dbus_message_iter_get_basic(&iterator, &number)
    return number
  }

  private func pointer(_ iterator: inout DBusMessageIter) throws(DBusError) -> UnsafePointer<CChar> {
    var start: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &start)
    guard let start else { throw .inconsistent("a string without text") }
    return start
  }

  private func text(_ iterator: inout DBusMessageIter) throws(DBusError) -> String {
    String(cString: try pointer(&iterator))
  }

  private func name(_ iterator: inout DBusMessageIter) throws(DBusError) -> String {
    names.string(try pointer(&iterator))
  }

  private func descriptor(_ iterator: inout DBusMessageIter) throws(DBusError) -> FileDescriptor {
    // libdbus gives a duplicate; -1 where there are none left.
    let number = basic(&iterator, Int32(-1))
    guard number >= 0 else { throw .limitsExceeded("no file descriptor left for one that was sent") }
    return FileDescriptor(number)
  }

  private static func type(_ iterator: inout DBusMessageIter) -> UInt8 {
    UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator))
  }

  /// The type of the elements of the array at `iterator`.
  private static func contents(of iterator: inout DBusMessageIter) throws(DBusError) -> Signature {
    guard let text = dbus_message_iter_get_signature(&iterator) else { throw .noMemory }
    defer { dbus_free(text) }
    return Signature(unchecked: String(cString: text + 1))
  }

  /// The type of elements that are no containers; nil for those that are.
  private static func single(_ letter: UInt8) -> Signature? {
    switch letter {
    case UInt8(ascii: "s"): .text
    case UInt8(ascii: "o"): .path
    case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "e"): nil
    default: Signature(unchecked: String(Unicode.Scalar(letter)))
    }
  }
}

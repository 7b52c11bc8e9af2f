internal import CDBus

/// Looks through the arguments of a message before libdbus sees them: it aborts on text that is none and on types that
/// do not fit, and the bus hangs up on whoever exceeds a limit of the D-Bus Specification (Message Protocol, Valid
/// Signatures).
struct BodyCheck {
  private enum Limit {
    /// `DBUS_MAXIMUM_MESSAGE_LENGTH`, less than which a header leaves.
    static let message = 134_217_728 - 4096
    /// `DBUS_MAXIMUM_ARRAY_LENGTH`
    static let array = 67_108_864
    /// Containers in containers, variants counted (Message Protocol: 64 in all).
    static let depth = 64
    /// `max_message_unix_fds` of the system bus.
    static let descriptors = 16
  }

  private typealias Types = UnsafeBufferPointer<UInt8>

  /// Bytes of the body so far, alignment included.
  private var size = 0
  private(set) var descriptors = 0
  private var problem: DBusError?

  /// Returns the number of descriptors among `values`.
  static func run(_ values: [Value]) throws(DBusError) -> Int {
    guard !values.isEmpty else { return 0 }
    var check = BodyCheck()
    let signature = values.count == 1 ? values[0].signature.string : values.map(\.signature.string).joined()
    if !check.walk(values, as: signature, depth: 0) { throw check.problem ?? .invalidArguments("bad arguments") }
    return check.descriptors
  }

  private mutating func fail(_ error: DBusError) -> Bool {
    if problem == nil { problem = error }
    return false
  }

  private mutating func walk(_ values: [Value], as signature: String, depth: Int) -> Bool {
    // A single letter comes of a basic value or a variant; but of an array, where its elements have no type.
    guard signature.utf8.count == 1 && signature != "a" || signature.isValid(dbus_signature_validate) else {
      return fail(.invalidSignature("\"\(signature)\" is no signature"))
    }
    var signature = signature
    return signature.withUTF8 { types in
      var position = 0
      for value in values {
        guard position < types.count, walk(value, types, &position, depth) else {
          return fail(
            .invalidSignature("the arguments are not of the types \"\(String(decoding: types, as: UTF8.self))\""))
        }
      }
      return position == types.count
    }
  }

  private mutating func walk(_ value: Value, _ types: Types, _ position: inout Int, _ depth: Int) -> Bool {
    let letter = types[position]
    position += 1
    switch (letter, value) {
    case (UInt8(ascii: "y"), .byte): return add(1)
    case (UInt8(ascii: "n"), .int16), (UInt8(ascii: "q"), .uint16): return add(2, align: 2)
    case (UInt8(ascii: "b"), .bool), (UInt8(ascii: "i"), .int32), (UInt8(ascii: "u"), .uint32):
      return add(4, align: 4)
    case (UInt8(ascii: "x"), .int64), (UInt8(ascii: "t"), .uint64), (UInt8(ascii: "d"), .double):
      return add(8, align: 8)
    case (UInt8(ascii: "s"), .string(let text)):
      if text.hasNUL { return fail(.invalidArguments("a string has a NUL inside")) }
      return add(4 + text.utf8.count + 1, align: 4)
    case (UInt8(ascii: "o"), .path(let path)): return add(4 + path.string.utf8.count + 1, align: 4)
    case (UInt8(ascii: "g"), .signature(let signature)): return add(2 + signature.string.utf8.count)
    case (UInt8(ascii: "h"), .descriptor(let descriptor)): return walk(descriptor)
    case (UInt8(ascii: "v"), .variant(let payload)):
      guard depth < Limit.depth else { return tooDeep() }
      let signature = payload.signature.string
      return add(2 + signature.utf8.count) && walk([payload], as: signature, depth: depth + 1)
    case (UInt8(ascii: "("), .structure(let members)):
      guard depth < Limit.depth else { return tooDeep() }
      guard add(0, align: 8) else { return false }
      for member in members {
        guard types[position] != UInt8(ascii: ")") else { return mismatch() }
        guard walk(member, types, &position, depth + 1) else { return false }
      }
      guard types[position] == UInt8(ascii: ")") else { return mismatch() }
      position += 1
      return true
    case (UInt8(ascii: "a"), _): return walkArray(value, types, &position, depth)
    default: return mismatch()
    }
  }

  private mutating func walk(_ descriptor: FileDescriptor) -> Bool {
    descriptors += 1
    guard descriptor.value != nil else { return fail(.invalidArguments("a descriptor that was handed over")) }
    guard descriptors <= Limit.descriptors else { return fail(.limitsExceeded("more than 16 descriptors")) }
    return add(4, align: 4)
  }

  private mutating func walkArray(_ value: Value, _ types: Types, _ position: inout Int, _ depth: Int) -> Bool {
    guard depth < Limit.depth else { return tooDeep() }
    let start = position
    position = Self.end(of: types, from: start)
    let element = UnsafeBufferPointer(rebasing: types[start..<position])
    guard add(4, align: 4), add(0, align: Self.alignment(element[0])) else { return false }
    let before = size
    switch value {
    case .bytes(let bytes) where element[0] == UInt8(ascii: "y"):
      guard add(bytes.count) else { return false }
    case .array(let type, let values) where Self.same(type.string, element):
      for value in values {
        var position = 0
        guard walk(value, element, &position, depth + 1) else { return false }
      }
    case .dictionary(let entries) where Self.same(entries.element.string, element):
      guard walk(entries, element, depth) else { return false }
    default: return mismatch()
    }
    return size - before <= Limit.array || fail(.limitsExceeded("an array of more than 64 MiB"))
  }

  private mutating func walk(_ entries: Entries, _ element: Types, _ depth: Int) -> Bool {
    guard depth + 1 < Limit.depth else { return tooDeep() }
    for pair in entries.pairs {
      var position = 1
      guard add(0, align: 8), walk(pair.key, element, &position, depth + 2) else { return false }
      if entries.holdsVariants {
        let signature = pair.value.signature.string
        guard depth + 2 < Limit.depth else { return tooDeep() }
        guard add(2 + signature.utf8.count), walk([pair.value], as: signature, depth: depth + 3) else { return false }
      } else {
        guard walk(pair.value, element, &position, depth + 2) else { return false }
      }
    }
    return true
  }

  private mutating func tooDeep() -> Bool { fail(.limitsExceeded("containers nested more than 64 deep")) }
  private mutating func mismatch() -> Bool { fail(.invalidSignature("a value is not of the type declared for it")) }

  private mutating func add(_ bytes: Int, align: Int = 1) -> Bool {
    size = (size + align - 1) & ~(align - 1)
    size += bytes
    return size <= Limit.message || fail(.limitsExceeded("a message of more than 128 MiB"))
  }

  /// Where the complete type that begins at `start` ends. `types` is known to be a good signature.
  private static func end(of types: Types, from start: Int) -> Int {
    var position = start
    while types[position] == UInt8(ascii: "a") { position += 1 }
    var open = 0
    repeat {
      switch types[position] {
      case UInt8(ascii: "("), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"): open -= 1
      default: break
      }
      position += 1
    } while open > 0
    return position
  }

  private static func alignment(_ letter: UInt8) -> Int {
    switch letter {
    case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
    case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
    case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
    default: 4
    }
  }

  private static func same(_ text: String, _ types: Types) -> Bool { text.utf8.elementsEqual(types) }
}

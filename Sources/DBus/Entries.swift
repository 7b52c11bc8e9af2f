/// What a D-Bus dictionary holds, in the order of the message. A key may come twice on the wire; then the last counts.
public struct Entries: Hashable, Sendable, RandomAccessCollection {
  /// The type of an entry with its braces, `{sv}`.
  let element: Signature
  /// Values of a dictionary of variants are kept without the variant: that saves an allocation for each property.
  private(set) var pairs: [Pair]
  let holdsVariants: Bool

  struct Pair: Hashable, Sendable {
    let key: Value
    let value: Value
  }

  /// `key` is one basic type, `value` one complete type.
  public init(key: Signature, value: Signature, _ pairs: [(Value, Value)] = []) {
    element = Signature(unchecked: "{" + key.string + value.string + "}")
    holdsVariants = value == .variant
    self.pairs = []
    self.pairs.reserveCapacity(pairs.count)
    for (key, value) in pairs { append(key, value) }
  }

  /// An `a{sv}`; the values come as they are, not as variants.
  public init(properties: [(String, Value)]) {
    element = .property
    holdsVariants = true
    pairs = properties.map { Pair(key: .string($0.0), value: $0.1) }
  }

  init(element: Signature, holdsVariants: Bool, pairs: [Pair]) {
    (self.element, self.holdsVariants, self.pairs) = (element, holdsVariants, pairs)
  }

  /// Adds an entry at the end. In a dictionary of variants a plain value becomes one.
  public mutating func append(_ key: Value, _ value: Value) {
    if holdsVariants, case .variant(let payload) = value {
      pairs.append(Pair(key: key, value: payload))
    } else {
      pairs.append(Pair(key: key, value: value))
    }
  }

  /// The type of the keys.
  public var key: Signature {
    Signature(unchecked: String(element.string.dropFirst().prefix(1)))
  }

  /// The type of the values.
  public var value: Signature {
    Signature(unchecked: String(element.string.dropFirst(2).dropLast()))
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { pairs.count }

  public subscript(index: Int) -> (key: Value, value: Value) {
    let pair = pairs[index]
    return (pair.key, holdsVariants ? .variant(pair.value) : pair.value)
  }

  /// The value of a key, without the variant around it; nil where there is none.
  public subscript(key: Value) -> Value? {
    guard let value = pairs.last(where: { $0.key == key })?.value else { return nil }
    return holdsVariants ? value : value.unwrapped
  }

  /// The value of a text key, without the variant around it; nil where there is none.
  public subscript(key: String) -> Value? {
    for pair in pairs.reversed() {
      if case .string(key) = pair.key { return holdsVariants ? pair.value : pair.value.unwrapped }
    }
    return nil
  }

  /// Calls `body` for each entry in order, the values without the variant around them. Cheaper than iterating.
  public func forEachUnwrapped(_ body: (_ key: Value, _ value: Value) throws -> Void) rethrows {
    for pair in pairs { try body(pair.key, holdsVariants ? pair.value : pair.value.unwrapped) }
  }
}

internal import DBus

/// What a client wants to hear of: `SetDiscoveryFilter` of 5.66.
struct DiscoveryFilter: Equatable, Sendable {
  var services: [String] = []
  var rssi: Int16?
  var pathloss: UInt16?
  var transport = "auto"
  var wantsDuplicates = false
  var isDiscoverable = false
  var pattern: String?

  static let keys = ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]

  init() {}

  /// Nil for the empty dictionary, which takes a filter away.
  static func parse(_ properties: [String: Value]) throws(BlueZError) -> DiscoveryFilter? {
    if properties.isEmpty { return nil }
    var filter = DiscoveryFilter()
    for (key, value) in properties { try filter.set(key, value) }
    if filter.rssi != nil, filter.pathloss != nil { throw .invalidArguments }
    return filter
  }

  private mutating func set(_ key: String, _ value: Value) throws(BlueZError) {
    switch (key, value) {
    case ("UUIDs", let value):
      guard let texts = value.strings else { throw .invalidArguments }
      for text in texts {
        guard let uuid = longUUID(text) else { throw .invalidArguments }
        services.append(uuid)
      }
    case ("RSSI", .int16(let rssi)) where (-127...20).contains(rssi): self.rssi = rssi
    case ("Pathloss", .uint16(let loss)) where loss <= 137: pathloss = loss
    case ("Transport", .string(let transport)) where ["auto", "le", "bredr"].contains(transport):
      self.transport = transport
    case ("DuplicateData", .bool(let wants)): wantsDuplicates = wants
    case ("Discoverable", .bool(let discoverable)): isDiscoverable = discoverable
    case ("Pattern", .string(let pattern)): self.pattern = pattern
    default: throw .invalidArguments
    }
  }

  /// A filter that asks for nothing but to be discoverable filters nothing.
  var isEmpty: Bool {
    var other = self
    other.isDiscoverable = false
    return other == DiscoveryFilter()
  }

  /// bluetoothd's own check (`is_filter_match`): the signal strength is left to the kernel.
  func matches(_ heard: Advertisement, address: String, rssi: Int16) -> Bool {
    if transport == "bredr" { return false }
    if !services.isEmpty, services.allSatisfy({ !heard.services.contains($0) }) { return false }
    if let pattern, !pattern.isEmpty, !address.hasPrefix(pattern), !shownName(heard.name ?? []).hasPrefix(pattern) {
      return false
    }
    if let pathloss, let power = heard.txPower, Int(power) - Int(rssi) > Int(pathloss) { return false }
    return true
  }
}

/// The filters of all clients that discover, as one scan can serve them.
struct MergedFilter: Equatable, Sendable {
  let filters: [DiscoveryFilter]
  /// A client without a filter gets everything, and so does everybody else.
  let isFiltered: Bool
  let wantsDuplicates: Bool
  /// Below that the kernel reports nothing.
  let rssi: Int16?

  init(_ sessions: [DiscoveryFilter?]) {
    let filters = sessions.compactMap { $0 }.filter { !$0.isEmpty }
    self.filters = filters
    isFiltered = !sessions.isEmpty && filters.count == sessions.count
    wantsDuplicates = filters.contains { $0.wantsDuplicates }
    rssi = isFiltered && filters.allSatisfy { $0.rssi != nil } ? filters.compactMap(\.rssi).min() : nil
  }

  func admits(_ heard: Advertisement, address: String, rssi: Int16) -> Bool {
    guard isFiltered else { return true }
    if let least = self.rssi, rssi < least { return false }
    return filters.contains { $0.matches(heard, address: address, rssi: rssi) }
  }
}

/// Which advertisements are wanted. An empty filter wants all; each field that is set must match.
public struct ScanFilter: Sendable {
  public var name: String?
  public var namePrefix: String?
  public var address: Address?
  /// At least one of these.
  public var services: Set<UUID> = []
  /// At least one of these companies, with data of this shape.
  public var manufacturer: [UInt16: DataPattern] = [:]
  /// Data for at least one of these services, of this shape.
  public var serviceData: [UUID: DataPattern] = [:]
  /// The least signal strength in dBm. An unknown one does not pass.
  public var rssi: Int?
  /// At least one of these filters.
  public var any: [ScanFilter] = []
  /// None of these filters.
  public var except: [ScanFilter] = []
  /// A last word. It is asked only when all else matches.
  public var predicate: (@Sendable (Advertisement) -> Bool)?

  public init() {}

  public func matches(_ advertisement: Advertisement) -> Bool {
    if let address, address != advertisement.address { return false }
    if let rssi, advertisement.rssi.map({ $0 >= rssi }) != true { return false }
    if let name, name != advertisement.name { return false }
    if let namePrefix, advertisement.name?.hasPrefix(namePrefix) != true { return false }
    if !services.isEmpty, !advertisement.services.contains(where: services.contains) { return false }
    if !manufacturer.isEmpty, !Self.some(manufacturer, in: advertisement.manufacturerData) { return false }
    if !serviceData.isEmpty, !Self.some(serviceData, in: advertisement.serviceData) { return false }
    if !any.isEmpty, !any.contains(where: { $0.matches(advertisement) }) { return false }
    if except.contains(where: { $0.matches(advertisement) }) { return false }
    return predicate?(advertisement) ?? true
  }

  private static func some<Key>(_ patterns: [Key: DataPattern], in data: [Key: [UInt8]]) -> Bool {
    patterns.contains { key, pattern in data[key].map(pattern.matches) ?? false }
  }
}

/// The first bytes of a piece of advertised data; where the mask has a zero bit, any bit will do.
public struct DataPattern: Hashable, Sendable {
  public let prefix: [UInt8]
  public let mask: [UInt8]

  /// Any data, even none.
  public static let anything = DataPattern(prefix: [])

  /// A mask that is shorter than the prefix, or nil, asks for the rest exactly.
  public init(prefix: [UInt8], mask: [UInt8]? = nil) {
    self.prefix = prefix
    let mask = (mask ?? []).prefix(prefix.count)
    self.mask = mask + Array(repeating: 0xFF, count: prefix.count - mask.count)
  }

  public func matches(_ data: [UInt8]) -> Bool {
    data.count >= prefix.count && prefix.indices.allSatisfy { (data[$0] ^ prefix[$0]) & mask[$0] == 0 }
  }
}

/// What bluetoothd has gathered of a device's advertisements since it knows it. Entries are never dropped, unless
/// somebody wants duplicates.
struct AdvertisedData {
  var name: String?
  var services: Set<String> = []
  private(set) var manufacturerData: [UInt16: [UInt8]] = [:]
  private(set) var serviceData: [String: [UInt8]] = [:]
  private(set) var rssi: Int16?
  private(set) var txPower: Int16?
  private(set) var appearance: UInt16?

  /// A change of signal strength that is told in a discovery without a filter, in dB; with one each report is.
  static let threshold = 8

  /// Takes an advertisement in; gives the properties of `Device1` that are to be signalled.
  mutating func take(_ heard: Advertisement, _ strength: Int16, filter: MergedFilter) -> [String] {
    var news: [String] = []
    if let bytes = heard.name, case let text = shownName(bytes), text != name {
      name = text
      news.append("Name")
    }
    if !services.isSuperset(of: heard.services) {
      services.formUnion(heard.services)
      news.append("UUIDs")
    }
    if Self.merge(heard.manufacturerData, into: &manufacturerData, afresh: filter.wantsDuplicates) {
      news.append("ManufacturerData")
    }
    if Self.merge(heard.serviceData, into: &serviceData, afresh: filter.wantsDuplicates) { news.append("ServiceData") }
    if let power = heard.txPower, power != txPower {
      txPower = power
      news.append("TxPower")
    }
    if let value = heard.appearance, value != appearance {
      appearance = value
      news.append("Appearance")
    }
    // 0 means unset.
    if strength != 0, filter.isFiltered || abs(Int(strength) - Int(rssi ?? 127)) >= Self.threshold {
      rssi = strength
      news.append("RSSI")
    }
    return news
  }

  /// With duplicates wanted, what is heard takes the place of what was there, and is told even where it is the same.
  private static func merge<Key>(_ heard: [Key: [UInt8]], into known: inout [Key: [UInt8]], afresh: Bool) -> Bool {
    if heard.isEmpty { return false }
    let before = known
    known = afresh ? heard : known.merging(heard) { _, new in new }
    return afresh || known != before
  }

  /// What only counts during a discovery goes; gives the properties that were there.
  mutating func forgetMeasurements() -> [String] {
    defer { (rssi, txPower) = (nil, nil) }
    return (rssi == nil ? [] : ["RSSI"]) + (txPower == nil ? [] : ["TxPower"])
  }
}

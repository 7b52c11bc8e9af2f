/// The fields of an advertisement, or of a scan response.
struct Advertisement: Equatable, Sendable {
  var flags: UInt8?
  var name: [UInt8]?
  /// Service UUIDs, in their long form.
  var services: [String] = []
  var manufacturerData: [UInt16: [UInt8]] = [:]
  /// By service UUID, in its long form.
  var serviceData: [String: [UInt8]] = [:]
  var txPower: Int16?
  var appearance: UInt16?

  /// General or limited discoverable: without it an unfiltered discovery makes no device of it.
  var isDiscoverable: Bool { (flags ?? 0) & 0x03 != 0 }

  /// What an active scan hears: the kernel waits for the scan response, and reports both as one.
  func joined(with response: Advertisement?) -> Advertisement {
    guard let response else { return self }
    var both = self
    both.flags = flags ?? response.flags
    both.name = response.name ?? name
    both.services += response.services.filter { !services.contains($0) }
    both.manufacturerData.merge(response.manufacturerData) { _, later in later }
    both.serviceData.merge(response.serviceData) { _, later in later }
    both.txPower = response.txPower ?? txPower
    both.appearance = response.appearance ?? appearance
    return both
  }

  /// What bluetoothd 5.66 takes of it: longer fields are dropped without a word (`eir.h`, up to 5.76).
  var heard: Advertisement {
    var heard = self
    heard.manufacturerData = manufacturerData.filter { $0.value.count <= 25 }
    heard.serviceData = serviceData.filter { uuid, data in
      data.count <= (uuid.hasSuffix("-0000-1000-8000-00805f9b34fb") ? (uuid.hasPrefix("0000") ? 27 : 25) : 13)
    }
    return heard
  }
}

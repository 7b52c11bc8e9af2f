/// One advertisement as a scanner heard it, scan response included where it came with it.
public struct Advertisement: Hashable, Sendable {
  public var address: Address
  public var addressType: AddressType
  /// The device's name as far as it is known. An alias that only repeats the address is none.
  public var name: String?
  /// dBm; nil when unknown.
  public var rssi: Int?
  /// dBm; nil when not told.
  public var txPower: Int?
  /// The service UUIDs that the device is known to offer.
  public var services: [UUID]
  /// By company identifier: what this advertisement carried.
  public var manufacturerData: [UInt16: [UInt8]]
  /// By service UUID: what this advertisement carried.
  public var serviceData: [UUID: [UInt8]]
  public var flags: UInt8?
  public var appearance: UInt16?
  /// Seconds on the clock of whoever heard it.
  public var time: Double
  /// The adapter that heard it.
  public var adapter: String

  public init(
    address: Address, addressType: AddressType = .public, name: String? = nil, rssi: Int? = nil, txPower: Int? = nil,
    services: [UUID] = [], manufacturerData: [UInt16: [UInt8]] = [:], serviceData: [UUID: [UInt8]] = [:],
    flags: UInt8? = nil, appearance: UInt16? = nil, time: Double = 0, adapter: String = ""
  ) {
    self.address = address
    self.addressType = addressType
    self.name = name
    self.rssi = rssi
    self.txPower = txPower
    self.services = services
    self.manufacturerData = manufacturerData
    self.serviceData = serviceData
    self.flags = flags
    self.appearance = appearance
    self.time = time
    self.adapter = adapter
  }
}

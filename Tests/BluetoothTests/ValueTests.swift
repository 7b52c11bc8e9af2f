import Bluetooth
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    ("180f", "180f"), ("0x180F", "180f"), ("0000180F", "180f"), ("{0000180F-0000-1000-8000-00805F9B34FB}", "180f"),
    ("0000180f00001000800000805f9b34fb", "180f"),
    ("12345678", "12345678-0000-1000-8000-00805f9b34fb"),
    ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"),
  ])
  func uuidsInEveryCommonForm(_ given: String, _ shortest: String) throws {
    let uuid = try #require(UUID(given))
    #expect(uuid.description == shortest)
    #expect(UUID(uuid.full) == uuid)
    #expect(UUID(uuid.description) == uuid)
  }

  @Test(arguments: [
    "", "18", "180g", "180f-", "-180f", "0x", "{180f", "0000180f-0000-1000-8000-00805f9b34f", "1800-f", "１８０ｆ",
  ])
  func whatIsNoUUID(_ text: String) {
    #expect(UUID(text) == nil)
  }

  @Test func addresses() {
    #expect(Address("c8:3f:26:00:00:01")?.description == "C8:3F:26:00:00:01")
    for bad in [
      "", "C8:3F:26:00:00", "C8:3F:26:00:00:0", "C8-3F-26-00-00-01", "C8:3F:26:00:00:+1", "C8:3F:26:00:00:01:02",
    ] {
      #expect(Address(bad) == nil)
    }
  }

  @Test func propertyNames() {
    let properties: CharacteristicProperties = [.notify, .read, .writeWithoutResponse]
    #expect(properties.names == ["read", "write_without_response", "notify"])
  }

  @Test func dataPatterns() {
    #expect(DataPattern(prefix: [2, 0x15], mask: [0xFF, 0xF0]).matches([2, 0x1F, 9]))
    #expect(!DataPattern(prefix: [2, 0x15], mask: [0xFF, 0xF0]).matches([2, 0x25]))
    #expect(!DataPattern(prefix: [2, 0x15]).matches([2]))
    #expect(DataPattern.anything.matches([]))
    // A mask that is too short asks for the rest exactly.
    #expect(!DataPattern(prefix: [2, 0x15], mask: [0]).matches([9, 0x14]))
  }

  @Test func filtersTakeEachOtherIn() {
    var pulse = ScanFilter()
    pulse.namePrefix = "Pul"
    var lab = ScanFilter()
    lab.manufacturer = [0xFFFF: .anything]
    var weak = ScanFilter()
    weak.address = Address("C8:3F:26:00:00:09")
    var filter = ScanFilter()
    filter.any = [pulse, lab]
    filter.except = [weak]
    func heard(_ last: String, name: String? = nil, data: [UInt16: [UInt8]] = [:]) -> Advertisement {
      Advertisement(address: Address("C8:3F:26:00:00:\(last)")!, name: name, manufacturerData: data)
    }
    #expect(filter.matches(heard("01", name: "Pulse")))
    #expect(filter.matches(heard("02", data: [0xFFFF: []])))
    #expect(!filter.matches(heard("03", name: "Other")))
    #expect(!filter.matches(heard("09", name: "Pulse")))
  }
}

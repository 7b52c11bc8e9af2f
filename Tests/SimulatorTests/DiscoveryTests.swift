import DBus
import EventLoop
import Testing

@testable import Simulator

@Suite struct DiscoveryTests {
  private func filter(_ properties: [String: Value]) throws -> DiscoveryFilter? {
    try DiscoveryFilter.parse(properties)
  }

  @Test func aFilterOfNothingIsNone() throws {
    #expect(try filter([:]) == nil)
    #expect(try filter(["Discoverable": .bool(true)])?.isEmpty == true)
    #expect(try filter(["Transport": .string("le")])?.isEmpty == false)
  }

  @Test func theWeakestThresholdCounts() throws {
    let merged = MergedFilter([try filter(["RSSI": .int16(-60)]), try filter(["RSSI": .int16(-80)])])
    #expect(merged.rssi == -80)
    #expect(!merged.admits(Advertisement(), address: "C8:3F:26:00:00:01", rssi: -81))
    #expect(merged.admits(Advertisement(), address: "C8:3F:26:00:00:01", rssi: -80))
  }

  @Test func oneClientWithoutAFilterGetsEverythingForAll() throws {
    let merged = MergedFilter([try filter(["UUIDs": .strings(["180d"])]), nil])
    #expect(!merged.isFiltered)
    #expect(merged.admits(Advertisement(), address: "C8:3F:26:00:00:01", rssi: -127))
  }

  @Test func servicesAreMatchedInAnyForm() throws {
    let merged = MergedFilter([try filter(["UUIDs": .strings(["180D", "0000feaa-0000-1000-8000-00805f9b34fb"])])])
    var heard = Advertisement()
    #expect(!merged.admits(heard, address: "C8:3F:26:00:00:01", rssi: -50))
    heard.services = ["0000feaa-0000-1000-8000-00805f9b34fb"]
    #expect(merged.admits(heard, address: "C8:3F:26:00:00:01", rssi: -50))
  }

  @Test func aPatternIsThePrefixOfAddressOrName() throws {
    let merged = MergedFilter([try filter(["Pattern": .string("Pul")])])
    var heard = Advertisement()
    heard.name = Array("Pulse".utf8)
    #expect(merged.admits(heard, address: "C8:3F:26:00:00:01", rssi: -50))
    heard.name = Array("pulse".utf8)
    #expect(!merged.admits(heard, address: "C8:3F:26:00:00:01", rssi: -50))
  }

  @Test func entriesAreGatheredUntilSomebodyWantsDuplicates() throws {
    var data = AdvertisedData()
    var heard = Advertisement()
    heard.manufacturerData = [1: [1]]
    #expect(data.take(heard, -50, filter: MergedFilter([nil])) == ["ManufacturerData", "RSSI"])
    #expect(data.take(heard, -57, filter: MergedFilter([nil])) == [])
    #expect(data.take(heard, -58, filter: MergedFilter([nil])) == ["RSSI"])
    heard.manufacturerData = [2: [2]]
    let filtered = MergedFilter([try filter(["Transport": .string("le")])])
    #expect(data.take(heard, -58, filter: filtered) == ["ManufacturerData", "RSSI"])
    #expect(data.manufacturerData == [1: [1], 2: [2]])
    let duplicates = MergedFilter([try filter(["DuplicateData": .bool(true)])])
    #expect(data.take(heard, -58, filter: duplicates) == ["ManufacturerData", "RSSI"])
    #expect(data.manufacturerData == [2: [2]])
    #expect(data.forgetMeasurements() == ["RSSI"])
  }

  @Test func longFieldsAreDropped() {
    var data = Advertisement()
    data.manufacturerData = [1: Array(repeating: 0, count: 25), 2: Array(repeating: 0, count: 26)]
    #expect(Array(data.heard.manufacturerData.keys) == [1])
  }

  @Test(
    arguments: [
      ([0x50, 0x75, 0x6c, 0x73, 0x65, 0, 0], "Pulse"), ([0x20, 0x41, 0x20, 0xff, 0x42, 0x20], "A  B"),
      ([0xc3, 0xa9], "é"), ([], ""), ([0x41, 0, 0x42], "A"),
    ] as [([UInt8], String)])
  func namesAreCleaned(_ name: ([UInt8], String)) {
    #expect(shownName(name.0) == name.1)
  }

  @Test(arguments: [
    "180d", "0x180D", "0000180d", "0000180D-0000-1000-8000-00805F9B34FB", "{0000180d-0000-1000-8000-00805f9b34fb}",
  ])
  func aUUIDHasOneForm(_ text: String) {
    #expect(longUUID(text) == "0000180d-0000-1000-8000-00805f9b34fb")
  }

  @Test(arguments: ["", "18", "180g", "180d1", "0000180d-0000-1000-8000-00805f9b34fbff"]) func whatIsNoUUID(
    _ text: String
  ) {
    #expect(longUUID(text) == nil)
  }
}

import Testing

@testable import Bluetooth

@Suite struct AssignedNumbersTests {
  @Test(
    arguments: [
      (0x180d, .service, "Heart Rate", "heart_rate"),
      (0x180f, .service, "Battery", "battery"),
      (0x1805, .service, "Current Time", "current_time"),
      (0x2a37, .characteristic, "Heart Rate Measurement", "heart_rate_measurement"),
      (0x2a19, .characteristic, "Battery Level", "battery_level"),
      (0x2aa1, .characteristic, "Magnetic Flux Density - 3D", "magnetic_flux_density_3d"),
      (0x2bd6, .characteristic, "Particulate Matter - PM2.5 Concentration", "particulate_matter_pm2_5_concentration"),
      (0x2902, .descriptor, "Client Characteristic Configuration", "client_characteristic_configuration"),
      (0x2800, .declaration, "Primary Service", "primary_service"),
    ] as [(UInt16, AssignedNumbers.Kind, String, String)])
  func knows(number: UInt16, kind: AssignedNumbers.Kind, name: String, identifier: String) {
    #expect(AssignedNumbers.name(of: number, kind) == name)
    #expect(AssignedNumbers.identifier(of: number, kind) == identifier)
    #expect(AssignedNumbers.number(named: identifier, kind) == number)
    #expect(AssignedNumbers.number(named: name, kind) == number)
  }

  @Test func servicesMaySayThatTheyAre() {
    #expect(AssignedNumbers.number(named: "battery_service", .service) == 0x180f)
    #expect(AssignedNumbers.number(named: "Battery Service", .service) == 0x180f)
    #expect(AssignedNumbers.number(named: "battery_level_service", .characteristic) == nil)
    #expect(AssignedNumbers.number(named: "_service", .service) == nil)
  }

  @Test func unknownOnesAreNil() {
    for kind in AssignedNumbers.Kind.allCases {
      #expect(AssignedNumbers.name(of: 0xffff, kind) == nil)
      #expect(AssignedNumbers.identifier(of: 0xffff, kind) == nil)
      #expect(AssignedNumbers.number(named: "", kind) == nil)
      #expect(AssignedNumbers.number(named: "no such thing", kind) == nil)
    }
    #expect(AssignedNumbers.name(of: 0x2a37, .service) == nil)
    #expect(AssignedNumbers.number(named: "battery_level", .service) == nil)
  }

  @Test(arguments: AssignedNumbers.Kind.allCases)
  func identifiersAreUniqueAndLeadBack(kind: AssignedNumbers.Kind) {
    let known = (0...UInt16.max).filter { AssignedNumbers.name(of: $0, kind) != nil }
    let identifiers = known.compactMap { AssignedNumbers.identifier(of: $0, kind) }
    #expect(!known.isEmpty)
    #expect(Set(identifiers).count == known.count)
    #expect(identifiers.map { AssignedNumbers.number(named: $0, kind) } == known)
    for identifier in identifiers {
      #expect(identifier.wholeMatch(of: /[a-z0-9]+(?:_[a-z0-9]+)*/) != nil, "\(identifier)")
    }
  }
}

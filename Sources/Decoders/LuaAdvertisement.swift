internal import Bluetooth
internal import EventLoop
internal import LuaRuntime

extension Advertisement {
  /// What decoders need of an advertisement as Lua has it; the error names the field that is wrong.
  init(_ table: LuaTable) throws(LuaError) {
    guard let address = table["address"].text.flatMap({ Address($0) }) else {
      throw Self.wrong("address", "AA:BB:CC:DD:EE:FF")
    }
    self.init(address: address, name: table["name"].text, rssi: table["rssi"].integer.map { Int($0) })
    for service in table["services"].table?.array ?? [] {
      guard let uuid = service.text.flatMap({ UUID($0) }) else { throw Self.wrong("services", "a list of UUIDs") }
      services.append(uuid)
    }
    for (company, payload) in Self.entries(of: table["manufacturer_data"]) {
      guard let number = company.integer.flatMap({ UInt16(exactly: $0) }), let payload = payload.bytes else {
        throw Self.wrong("manufacturer_data", "bytes by company")
      }
      manufacturerData[number] = payload
    }
    for (service, payload) in Self.entries(of: table["service_data"]) {
      guard let uuid = service.text.flatMap({ UUID($0) }), let payload = payload.bytes else {
        throw Self.wrong("service_data", "bytes by UUID")
      }
      serviceData[uuid] = payload
    }
  }

  /// Companies 1, 2, 3 … look like a list.
  private static func entries(of value: LuaValue) -> [(key: LuaValue, value: LuaValue)] {
    guard let table = value.table else { return [] }
    return table.array.enumerated().map { (LuaValue($0 + 1), $1) } + table.fields
  }

  private static func wrong(_ field: String, _ expected: String) -> LuaError {
    LuaError("advertisement: \(field): \(expected) expected")
  }
}

internal import EventLoop
internal import LuaRuntime

/// Peripherals: what they advertise and do.
extension World {
  var peripheralWords: [(String, Body)] {
    [
      ("uuid", { _, call in [LuaValue(call[1].value.text.flatMap(longUUID))] }),
      ("peripheral", { world, call throws(LuaError) in [.integer(try world.makePeripheral(try call.options(1)))] }),
      (
        "act",
        { world, call throws(LuaError) in
          let peripheral = try world.peripheral(call)
          switch try call[2].string() {
          case "disconnect": peripheral.disconnect()
          case "lose": peripheral.lose()
          case "hide": peripheral.hide()
          case "show": peripheral.show()
          case "mute": peripheral.isMuted = true
          default: peripheral.isMuted = false
          }
          return []
        }
      ),
      ("is_connected", { world, call throws(LuaError) in [.boolean(try world.peripheral(call).link != nil)] }),
      (
        "on",
        { world, call throws(LuaError) in
          try world.listen(to: try world.peripheral(call), try call[2].function())
          return []
        }
      ),
      (
        "advertise",
        { world, call throws(LuaError) in
          let peripheral = try world.peripheral(call)
          let changes = try call.options(2)
          let new = Advertisement(changes.table)
          var data = peripheral.advertisement
          if !changes["services"].isNil { data.services = new.services }
          if !changes["manufacturer_data"].isNil { data.manufacturerData = new.manufacturerData }
          if !changes["service_data"].isNil { data.serviceData = new.serviceData }
          data.name = new.name ?? data.name
          data.flags = new.flags ?? data.flags
          data.txPower = new.txPower ?? data.txPower
          data.appearance = new.appearance ?? data.appearance
          peripheral.advertisement = data
          if let rssi = try changes["rssi"].ifPresent?.integer() { peripheral.rssi = Int16(clamping: rssi) }
          return []
        }
      ),
      (
        "add_manufacturer_data",
        { world, call throws(LuaError) in
          let company = UInt16(try call[2].integer(in: 0...0xffff))
          try world.peripheral(call).advertisement.manufacturerData[company] = try call[3].bytes()
          return []
        }
      ),
    ]
  }

  func peripheral(_ call: LuaCall) throws(LuaError) -> Peripheral {
    guard let peripheral = peripheral(try call[1].integer()) else { throw LuaError("there is no such peripheral") }
    return peripheral
  }

  private func makePeripheral(_ options: LuaCall.Options) throws(LuaError) -> Int64 {
    let address = try options["address"].string()
    if air.peripheral(address) != nil { throw LuaError("there is a peripheral \(address) already") }
    let name = try options["name"].bytes()
    let response = options["scan_response"].value.table
    let peripheral = Peripheral(
      air, address: address, addressType: try options["address_type"].string(), name: try options["id"].string(),
      advertisement: Advertisement(options.nested("advertisement")),
      scanResponse: response == nil ? nil : Advertisement(options.nested("scan_response")),
      rssi: Int16(clamping: try options["rssi"].integer()), interval: try options["interval"].seconds(),
      isConnectable: try options["connectable"].boolean(), mtu: Int(clamping: try options["mtu"].integer()),
      pairing: try pairing(options))
    if try options["gatt"].boolean() {
      try explaining { () throws(AttributeTable.Problem) in try peripheral.table.addUsual(name: name) }
    }
    return add(peripheral)
  }

  private func pairing(_ options: LuaCall.Options) throws(LuaError) -> Peripheral.Pairing {
    let number = UInt32(clamping: try options["passkey"].ifPresent?.integer() ?? 0)
    switch try options["pairing"].string() {
    case "passkey": return .shows(number)
    case "compare": return .compares(number)
    case "type": return .types(number)
    case "refuse": return .refuses
    default: return .justWorks
    }
  }

  private func listen(to peripheral: Peripheral, _ function: LuaFunction) throws(LuaError) {
    peripheral.onConnect = { [weak self] count in
      self?.call(function, ["connect", LuaValue(count)])?.first?.text
    }
    peripheral.onDisconnect = { [weak self] in _ = self?.call(function, ["disconnect"]) }
    peripheral.onSubscribe = { [weak self] characteristic, isOn in
      _ = self?.call(function, [isOn ? "subscribe" : "unsubscribe", LuaValue(characteristic.handle)])
    }
  }
}

extension LuaCall.Options {
  fileprivate func nested(_ name: String) -> LuaTable { self[name].value.table ?? LuaTable() }
}

extension Advertisement {
  /// From fields that the language has checked.
  init(_ table: LuaTable) {
    flags = table["flags"].integer.map { UInt8(clamping: $0) }
    name = table["name"].bytes
    services = table["services"].table?.array.compactMap(\.text) ?? []
    for (key, value) in LuaTable.pairs(table["manufacturer_data"].table) {
      if let company = key.integer, let bytes = value.bytes { manufacturerData[UInt16(clamping: company)] = bytes }
    }
    for (key, value) in LuaTable.pairs(table["service_data"].table) {
      if let uuid = key.text, let bytes = value.bytes { serviceData[uuid] = bytes }
    }
    txPower = table["tx_power"].integer.map { Int16(clamping: $0) }
    appearance = table["appearance"].integer.map { UInt16(clamping: $0) }
  }
}

extension LuaTable {
  /// All fields, those at 1, 2, 3 … too.
  fileprivate static func pairs(_ table: LuaTable?) -> [(LuaValue, LuaValue)] {
    guard let table else { return [] }
    return table.array.enumerated().map { (LuaValue($0.offset + 1), $0.element) }
      + table.fields.map { ($0.key, $0.value) }
  }
}

internal import DBus
internal import EventLoop
internal import LuaRuntime

/// The functions of the module `sim.host`, which `scripts/lib/sim.lua` makes the language of: it has checked what comes.
extension World {
  typealias Body = @LoopActor (World, LuaCall) throws(LuaError) -> [LuaValue]

  var language: [LuaFunctionDefinition] {
    let parts = [timeWords, adapterWords, peripheralWords, gattWords, worldWords]
    return parts.flatMap { $0 }.map { name, body in
      .plain(name) { [weak self] call throws(LuaError) in
        guard let self else { throw LuaError("the world has ended") }
        return try body(self, call)
      }
    }
  }

  private var timeWords: [(String, Body)] {
    [
      ("after", { world, call throws(LuaError) in [.integer(try world.timer(call, isRepeated: false))] }),
      ("every", { world, call throws(LuaError) in [.integer(try world.timer(call, isRepeated: true))] }),
      (
        "cancel",
        { world, call throws(LuaError) in
          world.cancel(try call[1].integer())
          return []
        }
      ),
      ("time", { _, _ in [.number(EventLoop.shared.clock.now)] }),
    ]
  }

  private func timer(_ call: LuaCall, isRepeated: Bool) throws(LuaError) -> Int64 {
    after(try call[1].seconds(), try call[2].function(), isRepeated: isRepeated)
  }

  // MARK: Adapters

  private var adapterWords: [(String, Body)] {
    [
      (
        "adapter",
        { world, call throws(LuaError) in
          let (name, address) = (try call[1].string(), try call[2].string())
          guard !world.air.dongles.contains(where: { $0.name == name || $0.address == address }) else {
            throw LuaError("there is an adapter \(name) or \(address) already")
          }
          guard !world.isOpen else {
            throw LuaError("adapters have to be made while the world is read; unplug and plug them later")
          }
          world.air.add(
            Dongle(
              world.air, name: name, address: address, isPoweredAtStart: try call[3].boolean(),
              isPlugged: try call[4].boolean()))
          return []
        }
      ),
      (
        "power",
        { world, call throws(LuaError) in
          let dongle = try world.dongle(call)
          let isOn = try call[2].boolean()
          if world.isOpen {
            world.bluetoothd.adapter(dongle)?.powerChanged(isOn)
          } else {
            dongle.isPoweredAtStart = isOn
          }
          return []
        }
      ),
      (
        "plug",
        { world, call throws(LuaError) in
          try world.dongle(call).plug(try call[2].boolean())
          return []
        }
      ),
    ]
  }

  private func dongle(_ call: LuaCall) throws(LuaError) -> Dongle {
    let name = try call[1].string()
    guard let dongle = air.dongles.first(where: { $0.name == name }) else {
      throw LuaError("there is no adapter \(name)")
    }
    return dongle
  }

  // MARK: Peripherals

  private var peripheralWords: [(String, Body)] {
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

  private func peripheral(_ call: LuaCall) throws(LuaError) -> Peripheral {
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
      pairing: Peripheral.Pairing(
        passkey: try options["passkey"].ifPresent?.integer().asUInt32, isRefused: try options["refuse"].boolean()))
    if try options["gatt"].boolean() {
      try explaining { () throws(AttributeTable.Problem) in try peripheral.table.addUsual(name: name) }
    }
    return add(peripheral)
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

  // MARK: GATT

  private var gattWords: [(String, Body)] {
    [
      (
        "service",
        { world, call throws(LuaError) in
          let table = try world.peripheral(call).table
          let uuid = try call[2].string()
          let (handle, isPrimary) = (try call.handle(3), try call[4].boolean())
          let includes = try call[5].table().array.compactMap { $0.integer }.map { Int(clamping: $0) - 1 }
            .filter { table.services.indices.contains($0) }.map { table.services[$0] }
          let service = try world.explaining { () throws(AttributeTable.Problem) in
            try table.addService(uuid, handle: handle, isPrimary: isPrimary, includes: includes)
          }
          return [LuaValue(table.services.count), LuaValue(service.handle)]
        }
      ),
      ("characteristic", { world, call throws(LuaError) in [LuaValue(try world.makeCharacteristic(call).handle)] }),
      ("descriptor", { world, call throws(LuaError) in [LuaValue(try world.makeDescriptor(call).handle)] }),
      (
        "handlers",
        { world, call throws(LuaError) in
          let attribute = try world.attribute(call)
          if let function = try call[3].ifPresent?.function() {
            attribute.onRead = { [weak world] in world?.response(function, []) ?? Response(answer: .never) }
          }
          if let function = try call[4].ifPresent?.function() {
            attribute.onWrite = { [weak world] in world?.response(function, [.string($0)]) ?? Response(answer: .never) }
          }
          return []
        }
      ),
      ("value", { world, call throws(LuaError) in [.string(try world.attribute(call).value)] }),
      (
        "set_value",
        { world, call throws(LuaError) in
          try world.attribute(call).value = try call[3].bytes()
          return []
        }
      ),
      (
        "notify",
        { world, call throws(LuaError) in
          let peripheral = try world.peripheral(call)
          let handle = try call[2].integer()
          guard let characteristic = peripheral.table.characteristics.first(where: { $0.value.handle == handle }) else {
            throw LuaError("there is no such characteristic")
          }
          let isIndication = try call[4].boolean()
          guard isIndication ? characteristic.canIndicate : characteristic.canNotify else {
            throw LuaError("the characteristic does not have the property '\(isIndication ? "indicate" : "notify")'")
          }
          return [.boolean(peripheral.send(try call[3].bytes(), of: characteristic, isIndication: isIndication))]
        }
      ),
    ]
  }

  private func attribute(_ call: LuaCall) throws(LuaError) -> Attribute {
    guard let attribute = try peripheral(call).table.attribute(UInt16(clamping: try call[2].integer())) else {
      throw LuaError("there is no such attribute")
    }
    return attribute
  }

  private func makeCharacteristic(_ call: LuaCall) throws(LuaError) -> AttributeTable.Characteristic {
    let table = try peripheral(call).table
    let index = Int(clamping: try call[2].integer()) - 1
    guard table.services.indices.contains(index) else { throw LuaError("there is no such service") }
    let (uuid, flags) = (try call[3].string(), try call[4].table().array.compactMap { $0.text })
    let (value, handle) = (try call[5].bytes(), try call.handle(6))
    let characteristic = try explaining { () throws(AttributeTable.Problem) in
      try table.addCharacteristic(uuid, to: table.services[index], flags: flags, value: value, handle: handle)
    }
    characteristic.value.longest = Int(clamping: try call[7].integer())
    characteristic.value.security = try call.security(8)
    guard characteristic.canNotify || characteristic.canIndicate else { return characteristic }
    let configuration = try explaining { () throws(AttributeTable.Problem) in
      try table.addDescriptor(
        Attribute.clientConfiguration, to: characteristic, value: [0, 0], isReadable: true, isWritable: true)
    }
    let refusal = UInt8(clamping: try call[9].integer())
    if refusal != 0 { configuration.onWrite = { _ in Response(answer: .error(refusal)) } }
    return characteristic
  }

  private func makeDescriptor(_ call: LuaCall) throws(LuaError) -> Attribute {
    let table = try peripheral(call).table
    let owner = try call[2].integer()
    guard let characteristic = table.characteristics.first(where: { $0.handle == owner }) else {
      throw LuaError("there is no such characteristic")
    }
    let (uuid, value, handle) = (try call[3].string(), try call[4].bytes(), try call.handle(5))
    let (isReadable, isWritable) = (try call[6].boolean(), try call[7].boolean())
    let descriptor = try explaining { () throws(AttributeTable.Problem) in
      try table.addDescriptor(
        uuid, to: characteristic, value: value, isReadable: isReadable, isWritable: isWritable, handle: handle)
    }
    descriptor.longest = Int(clamping: try call[8].integer())
    descriptor.security = try call.security(9)
    return descriptor
  }

  /// What `on_read` or `on_write` said: kind, value, delay. Where it failed: 0x0e, "unlikely error".
  private func response(_ function: LuaFunction, _ arguments: [LuaValue]) -> Response {
    guard let said = call(function, arguments), said.count >= 1 else { return Response(answer: .error(0x0e)) }
    let delay = said.count > 2 ? max(0, said[2].number ?? 0) : 0
    switch said[0].text {
    case "value": return Response(answer: .value(said[1].bytes ?? []), delay: delay)
    case "att": return Response(answer: .error(UInt8(clamping: said[1].integer ?? 0x0e)), delay: delay)
    default: return Response(answer: .never)
    }
  }

  private func explaining<Result>(_ body: () throws(AttributeTable.Problem) -> Result) throws(LuaError) -> Result {
    do throws(AttributeTable.Problem) {
      return try body()
    } catch {
      throw LuaError(error.message)
    }
  }

  // MARK: The world as a whole

  private var worldWords: [(String, Body)] {
    [
      (
        "bluetoothd",
        { world, call throws(LuaError) in
          world.tellBluetoothd(try call[1].string())
          return []
        }
      ),
      (
        "denied",
        { world, call throws(LuaError) in
          if let isDenied = try call[1].ifPresent?.boolean() { world.isDenied = isDenied }
          return [.boolean(world.isDenied)]
        }
      ),
      (
        "fault",
        { world, call throws(LuaError) in
          world.bluetoothd.faults.add(try world.fault(try call.options(1), try call[2].ifPresent?.function()))
          return []
        }
      ),
      (
        "no_faults",
        { world, _ in
          world.bluetoothd.faults.clear()
          return []
        }
      ),
      (
        "on_order",
        { world, call throws(LuaError) in
          world.setOrders(try call[1].function())
          return []
        }
      ),
      (
        "on_ready",
        { world, call throws(LuaError) in
          world.setReady(try call[1].function())
          return []
        }
      ),
    ]
  }

  private func fault(_ options: LuaCall.Options, _ run: LuaFunction?) throws(LuaError) -> Fault {
    var effects: [Fault.Effect] = []
    if let run { effects.append(.run { [weak self] in _ = self?.call(run) }) }
    if try options["disconnect"].boolean() { effects.append(.disconnect) }
    if try options["lose"].boolean() { effects.append(.lose) }
    if try options["power_off"].boolean() { effects.append(.powerOff) }
    if let name = try options["error"].ifPresent?.string() {
      effects.append(.error(name: name, message: try options["message"].string()))
    }
    if try options["silent"].boolean() { effects.append(.silence) }
    if try options["crash"].boolean() { effects.append(.crash) }
    if let delay = try options["delay"].ifPresent?.seconds() { effects.append(.delay(delay)) }
    if effects.isEmpty {
      throw LuaError("a fault has to do something: error, delay, silent, disconnect, lose, power_off, crash or run")
    }
    var fault = Fault(step: try options["on"].string(), effects: effects)
    fault.path = try options["path"].ifPresent?.string()
    fault.address = try options["address"].ifPresent?.string()
    fault.uuid = try options["uuid"].ifPresent?.string()
    fault.nth = Int(clamping: try options["nth"].integer())
    if let times = try options["times"].ifPresent?.integer() { fault.times = Int(clamping: times) }
    return fault
  }
}

extension LuaCall {
  /// A handle; 0 stands for the next free one.
  fileprivate func handle(_ number: Int) throws(LuaError) -> UInt16? {
    let handle = try self[number].integer(in: 0...0xffff)
    return handle == 0 ? nil : UInt16(handle)
  }

  fileprivate func security(_ number: Int) throws(LuaError) -> Security {
    Security(rawValue: Int(clamping: try self[number].integer())) ?? .open
  }
}

extension LuaCall.Options {
  fileprivate func nested(_ name: String) -> LuaTable { self[name].value.table ?? LuaTable() }
}

extension Int64 {
  fileprivate var asUInt32: UInt32 { UInt32(clamping: self) }
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

internal import EventLoop
internal import LuaRuntime

/// Services, characteristics, descriptors, and what they answer.
extension World {
  var gattWords: [(String, Body)] {
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

  func explaining<Result>(_ body: () throws(AttributeTable.Problem) -> Result) throws(LuaError) -> Result {
    do throws(AttributeTable.Problem) {
      return try body()
    } catch {
      throw LuaError(error.message)
    }
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

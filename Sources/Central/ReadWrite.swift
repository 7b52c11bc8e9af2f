public import Bluetooth
public import EventLoop

extension Device {
  /// Asks the device for a value, at most 512 bytes (BlueZ cuts longer ones).
  public func read(_ name: CharacteristicName, offset: Int = 0, timeout: Seconds) async throws(CentralError) -> [UInt8]
  {
    try await exchange("read", name, timeout: timeout) { place throws(CentralError) in
      let handle = place.characteristic.handle
      self.subscriptions.readBegins(handle)
      let result = await Result { () async throws(CentralError) in
        try await self.backend.read(AttributeID(self.id, handle), offset: offset)
      }
      self.subscriptions.readEnds(handle, value: try? result.get())
      return try result.get()
    }
  }

  /// Gives the device a value. `kind` nil: with response where the characteristic allows it. Without response,
  /// success means that the value is queued, not that it came in.
  public func write(
    _ name: CharacteristicName, _ value: [UInt8], kind: WriteKind? = nil, offset: Int = 0, timeout: Seconds
  ) async throws(CentralError) {
    try await exchange("write", name, timeout: timeout) { place throws(CentralError) in
      let kind = try place.characteristic.writeKind(kind)
      if kind == .command, let mtu = self.backend.mtu(of: self.id), value.count > mtu - 3 {
        throw CentralError(
          .invalid, "\(value.count) bytes are more than a write without response can carry: \(mtu - 3) (MTU \(mtu))",
          advice: "write with response, or in parts")
      }
      try await self.backend.write(AttributeID(self.id, place.characteristic.handle), value, kind, offset: offset)
    }
  }

  public func readDescriptor(
    _ name: CharacteristicName, _ uuid: UUID, timeout: Seconds
  ) async throws(CentralError) -> [UInt8] {
    try await exchange("read_descriptor", name, timeout: timeout) { place throws(CentralError) in
      let descriptor = try place.characteristic.descriptor(uuid)
      return try await self.backend.read(AttributeID(self.id, descriptor.handle), offset: 0)
    }
  }

  public func writeDescriptor(
    _ name: CharacteristicName, _ uuid: UUID, _ value: [UInt8], timeout: Seconds
  ) async throws(CentralError) {
    try await exchange("write_descriptor", name, timeout: timeout) { place throws(CentralError) in
      let descriptor = try place.characteristic.descriptor(uuid)
      guard uuid != UUID(0x2902) else {
        throw CentralError(
          .unsupported, "BlueZ writes the client characteristic configuration (2902) itself",
          advice: "call dev:subscribe")
      }
      try await self.backend.write(AttributeID(self.id, descriptor.handle), value, .request, offset: 0)
    }
  }
}

extension AttributeTable.Characteristic {
  /// How to write: as wanted, else with response where that is allowed.
  fileprivate func writeKind(_ wanted: WriteKind?) throws(CentralError) -> WriteKind {
    if let wanted { return wanted }
    if properties.contains(.write) { return .request }
    if properties.contains(.writeWithoutResponse) { return .command }
    throw CentralError(
      .unsupported, "the characteristic can't be written (properties: \(properties.names.joined(separator: " ")))")
  }

  fileprivate func descriptor(_ uuid: UUID) throws(CentralError) -> AttributeTable.Descriptor {
    guard let found = descriptors.first(where: { $0.uuid == uuid }) else {
      let there = descriptors.isEmpty ? "none" : descriptors.map(\.uuid.description).joined(separator: ", ")
      throw CentralError(.notFound, "the characteristic has no descriptor \(uuid) (there: \(there))")
    }
    return found
  }
}

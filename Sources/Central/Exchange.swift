public import Bluetooth
internal import EventLoop

/// A characteristic, and how the script named it.
public struct CharacteristicName: Hashable, Sendable {
  public let reference: CharacteristicReference
  /// For errors.
  public let text: String

  public init(_ reference: CharacteristicReference, text: String) {
    self.reference = reference
    self.text = text
  }
}

extension Device {
  /// The one characteristic that answers to the name. `not_found`, or `ambiguous` with the handles to choose from.
  public func characteristic(_ name: CharacteristicName) throws(CentralError) -> AttributeTable.Place {
    do throws(CentralError) {
      return try place(of: name)
    } catch {
      throw error.during("find", device: id.address, ref: name.text, stage: .attribute)
    }
  }

  private func place(of name: CharacteristicName) throws(CentralError) -> AttributeTable.Place {
    let found = attributes.characteristics(name.reference)
    guard found.count <= 1 else {
      let handles = found.map { "0x\(String($0.characteristic.handle, radix: 16))" }.joined(separator: ", ")
      throw CentralError(
        .ambiguous, "\(found.count) characteristics answer to \(name.text): handles \(handles)",
        advice: "name one by its handle, or as \"service/characteristic\"")
    }
    guard let place = found.first else { throw missing(name) }
    return place
  }

  /// The one service of this UUID. `not_found`, or `ambiguous` with the handles to choose from.
  public func service(_ uuid: UUID) throws(CentralError) -> AttributeTable.Service {
    let found = attributes.services.filter { $0.uuid == uuid }
    if let service = found.first, found.count == 1 { return service }
    let error =
      if !state.isConnected {
        CentralError.notConnected
      } else if found.isEmpty {
        CentralError(.notFound, "the device shows no service \(uuid)", advice: "dev:services() lists what it shows")
      } else {
        CentralError(
          .ambiguous,
          "\(found.count) services answer to \(uuid): handles "
            + found.map { "0x\(String($0.handle, radix: 16))" }.joined(separator: ", "),
          advice: "dev:services() lists them")
      }
    throw error.during("find", device: id.address, ref: uuid.description, stage: .attribute)
  }

  private func missing(_ name: CharacteristicName) -> CentralError {
    guard state.isConnected else { return .notConnected }
    if case .within(let service, _) = name.reference, !attributes.services.contains(where: { $0.uuid == service }) {
      return CentralError(
        .notFound, "the device shows no service \(service)",
        advice: "BlueZ keeps some services to itself (1800, and others by version); dev:services() lists the rest")
    }
    return CentralError(
      .notFound, "the device has no characteristic \(name.text)", advice: "dev:services() lists what it has")
  }

  /// Runs one GATT exchange in the device's queue.
  func exchange<Value: Sendable>(
    _ op: String, _ name: CharacteristicName, timeout: Seconds,
    _ body: @escaping @LoopActor (AttributeTable.Place) async throws(CentralError) -> Value
  ) async throws(CentralError) -> Value {
    var stage = CentralError.Stage.queue
    do throws(CentralError) {
      return try await queue.run(timeout: timeout) { () throws(CentralError) in
        guard self.state.isConnected else { throw .notConnected }
        stage = .attribute
        let place = try self.place(of: name)
        stage = .exchange
        do throws(CentralError) {
          return try await self.untilNotBusy { () throws(CentralError) in try await body(place) }
        } catch {
          try await self.waitForLinkLoss(after: error)
          throw error
        }
      }
    } catch {
      throw error.during(op, device: id.address, ref: name.text, stage: stage)
    }
  }

  /// Another program's operation on the attribute is in the way: tries again, with growing pauses, as long as the
  /// deadline allows.
  private func untilNotBusy<Value: Sendable>(
    _ body: @LoopActor () async throws(CentralError) -> Value
  ) async throws(CentralError) -> Value {
    var pause = 0.05
    while true {
      do throws(CentralError) { return try await body() } catch  where error.code == .busy {
        try await central.pause(pause)
        pause = min(pause * 2, 1)
      }
    }
  }

  /// BlueZ says "ATT error 0x0e" also when the link goes, and which it was shows only a moment later. If the link does
  /// go, the queue ends the operation while we wait.
  private func waitForLinkLoss(after error: CentralError) async throws(CentralError) {
    if error.att == .unlikely { try await central.pause(0.3) }
  }
}

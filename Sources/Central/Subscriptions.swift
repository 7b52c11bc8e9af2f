internal import Bluetooth
public import EventLoop

/// The notifications of one characteristic, for one reader.
@LoopActor
public final class Subscription {
  public let device: Device
  public let handle: UInt16
  let values: EventStream<[UInt8]>

  init(_ device: Device, _ handle: UInt16, limit: Int) {
    self.device = device
    self.handle = handle
    values = EventStream(limit: limit)
  }

  /// Values that went because the reader was slow.
  public var dropped: Int { values.dropped }

  /// The next value, which may be empty; nil when the subscription was cancelled. Throws when the link is lost.
  public func next(timeout: Seconds? = nil) async throws(CentralError) -> [UInt8]? {
    do throws(CentralError) {
      return try await values.next(within: timeout.map { TimeLimit($0, on: device.central.clock) })
    } catch {
      throw error.during("notifications", device: device.id.address, stage: .exchange)
    }
  }

  /// Returns when the subscription has ended, by a cancel or with the link; or the calling task is cancelled.
  public func ended() async {
    await values.ended()
  }

  /// The reader wants no more; the last one of a characteristic has the device stop.
  public func cancel() {
    device.unsubscribe(self)
  }
}

/// Who gets the notifications of a device.
struct Subscriptions {
  private var readers: [UInt16: [Subscription]] = [:]
  /// Values that came while a read of ours was under way, by characteristic.
  private var duringRead: [UInt16: [[UInt8]]] = [:]

  var handles: [UInt16] { Array(readers.keys) }
  func has(_ handle: UInt16) -> Bool { readers[handle] != nil }

  mutating func add(_ subscription: Subscription) {
    readers[subscription.handle, default: []].append(subscription)
  }

  mutating func remove(_ subscription: Subscription) {
    readers[subscription.handle]?.removeAll { $0 === subscription }
    if readers[subscription.handle]?.isEmpty == true { readers[subscription.handle] = nil }
  }

  mutating func removeAll() -> [Subscription] {
    defer { readers = [:] }
    return readers.values.flatMap { $0 }
  }

  @LoopActor
  mutating func deliver(_ handle: UInt16, _ value: [UInt8]) {
    if duringRead[handle] != nil {
      duringRead[handle]?.append(value)
    } else {
      readers[handle]?.forEach { $0.values.send(value) }
    }
  }

  mutating func readBegins(_ handle: UInt16) {
    if has(handle) { duringRead[handle] = [] }
  }

  /// BlueZ tells what was read as if it had been notified, just before it answers (bluetoothd, `ReadValue`). That one
  /// is taken out; what the device notified meanwhile is delivered.
  @LoopActor
  mutating func readEnds(_ handle: UInt16, value: [UInt8]?) {
    guard var values = duringRead.removeValue(forKey: handle) else { return }
    if let value, let ours = values.lastIndex(of: value) { values.remove(at: ours) }
    values.forEach { deliver(handle, $0) }
  }
}

extension Device {
  /// Has the device notify or indicate. `limit`: values that may wait for the reader before the oldest is dropped.
  public func subscribe(
    _ name: CharacteristicName, limit: Int = 1024, timeout: Seconds
  ) async throws(CentralError) -> Subscription {
    try await exchange("subscribe", name, timeout: timeout) { place throws(CentralError) in
      let characteristic = place.characteristic
      guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
        throw CentralError(
          .unsupported,
          "the characteristic does not notify (properties: \(characteristic.properties.names.joined(separator: " ")))")
      }
      let subscription = Subscription(self, characteristic.handle, limit: limit)
      let isFirst = !self.subscriptions.has(characteristic.handle)
      // Values may come before the answer.
      self.subscriptions.add(subscription)
      do throws(CentralError) {
        if isFirst { try await self.backend.startNotify(AttributeID(self.id, characteristic.handle)) }
        if Task.isCancelled { throw .cancelled }
      } catch {
        self.unsubscribe(subscription)
        throw error
      }
      return subscription
    }
  }

  func unsubscribe(_ subscription: Subscription) {
    subscription.values.cancel()
    subscriptions.remove(subscription)
    let handle = subscription.handle
    guard !subscriptions.has(handle), state.isConnected else { return }
    Task { @LoopActor in
      try? await queue.run(timeout: 10) { () throws(CentralError) in
        // Somebody may have subscribed again meanwhile.
        if !self.subscriptions.has(handle) { try await self.backend.stopNotify(AttributeID(self.id, handle)) }
      }
    }
  }

  func endSubscriptions(_ error: CentralError) {
    let handles = subscriptions.handles
    subscriptions.removeAll().forEach { $0.values.finish(error) }
    // bluetoothd would take them up again at the next connect, for nobody.
    for handle in handles where backend.state(of: id) != nil {
      Task { @LoopActor in try? await backend.stopNotify(AttributeID(id, handle)) }
    }
  }

  func valueChanged(_ handle: UInt16, _ value: [UInt8]) {
    subscriptions.deliver(handle, value)
  }
}

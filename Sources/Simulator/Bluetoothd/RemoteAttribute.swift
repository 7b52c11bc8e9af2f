internal import DBus
internal import EventLoop

/// Reading and writing as characteristics and descriptors have it in common: one read and one write at a time.
@LoopActor
class RemoteAttribute {
  unowned let table: RemoteTable
  let attribute: Attribute
  let path: ObjectPath
  /// The cached value: what reads and notifications brought. Writes do not touch it.
  var value: [UInt8] = []
  private var reading: (offset: Int, calls: [IncomingCall])?
  private var writing: IncomingCall?

  init(_ table: RemoteTable, _ path: ObjectPath, _ attribute: Attribute) {
    (self.table, self.path, self.attribute) = (table, path, attribute)
  }

  var device: Device { table.device }

  /// Signals that `Value` is new, even where it is equal.
  func valueChanged() {}

  struct Options {
    var offset = 0
    var type: String?

    /// Keys in any case; all but these two are ignored.
    init(_ value: Value?) throws(BlueZError) {
      for (key, value) in value?.properties ?? [:] {
        switch (key.lowercased(), value) {
        case ("offset", .uint16(let offset)): self.offset = Int(offset)
        case ("type", .string(let type)): self.type = type
        case ("offset", _), ("type", _): throw .invalidArguments
        default: break
        }
      }
    }
  }

  func read(_ call: IncomingCall) {
    do throws(BlueZError) {
      guard device.link != nil else { throw .notAttached }
      let offset = try Options(call.arguments.first).offset
      if let pending = reading {
        // Whoever asks for the same gets the same answer.
        guard pending.offset == offset else { throw .inProgress }
        reading?.calls.append(call)
        return
      }
      reading = (offset, [call])
      let handle = attribute.handle
      table.request({ $0.read(handle, offset: offset, $1) }, done: { [weak self] in self?.wasRead($0) })
    } catch {
      call.fail(error)
    }
  }

  private func wasRead(_ answer: Answer) {
    guard let (offset, calls) = reading else { return }
    reading = nil
    switch answer {
    case .value(let part):
      // Seen: transcript read, unknown_gatt: the old value stays in front, zeros where nothing was known.
      value = Array(value.prefix(offset)) + Array(repeating: 0, count: max(0, offset - value.count)) + part
      valueChanged()
      for call in calls { call.reply([.bytes(part)]) }
    case .error(let code):
      for call in calls { call.fail(.att(code)) }
    case .never: break
    }
  }

  var isWriting: Bool { writing != nil }

  /// A write request, or prepared writes where one does not do.
  func request(_ bytes: [UInt8], offset: Int, reliably: Bool = false, _ call: IncomingCall) {
    guard let link = device.link else { return call.fail(.notAttached) }
    writing = call
    let handle = attribute.handle
    let isLong = reliably || offset > 0 || bytes.count > link.mtu - 3
    let send: (Link, @escaping (Answer) -> Void) -> Void = { link, done in
      if isLong { link.writeLong(handle, bytes, offset: offset, done) } else { link.write(handle, bytes, done) }
    }
    table.request(send) { [weak self] in self?.wasWritten($0) }
  }

  private func wasWritten(_ answer: Answer) {
    guard let call = writing else { return }
    writing = nil
    if case .error(let code) = answer { call.fail(.att(code)) } else { call.reply() }
  }

  /// What waits is never answered: the object goes.
  func dropCalls() {
    for call in reading?.calls ?? [] { call.drop() }
    writing?.drop()
    (reading, writing) = (nil, nil)
  }
}

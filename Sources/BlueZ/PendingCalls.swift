internal import DBus
internal import EventLoop

/// Calls to bluetoothd's objects that wait for an answer. bluetoothd never answers those whose object it removes.
@LoopActor
final class PendingCalls {
  private var calls: [ObjectIdentifier: Call] = [:]

  private final class Call {
    let path: ObjectPath
    let answer = OneShot<Connection.Answer>()
    var reply: PendingReply?
    init(path: ObjectPath) { self.path = path }
  }

  /// Ends with the answer, at `timeout`, or when the object goes. `onAnswer` is called as the answer comes in, in order
  /// with the signals around it.
  func send(
    _ message: MethodCall, over connection: Connection, timeout: Seconds,
    onAnswer: @escaping @LoopActor ([Value]) -> Void
  ) async throws(DBusError) -> [Value] {
    let call = Call(path: message.path)
    calls[ObjectIdentifier(call)] = call
    defer { calls[ObjectIdentifier(call)] = nil }
    call.reply = connection.send(message, timeout: timeout) { answer in
      if case .success(let values) = answer, !call.answer.isFinished { onAnswer(values) }
      call.answer.finish(answer)
    }
    return try await call.answer.value.get()
  }

  /// The object of this path is gone, and what is below it.
  func objectRemoved(_ path: ObjectPath) {
    for call in calls.values where call.path.isWithin(path) {
      call.reply?.cancel()
      call.answer.finish(.failure(Self.removed))
    }
  }

  private static let removed = DBusError(
    name: "org.freedesktop.DBus.Error.UnknownObject", message: "the object was removed")
}

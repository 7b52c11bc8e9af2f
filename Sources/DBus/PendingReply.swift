public import EventLoop

/// A call that waits for its answer.
@LoopActor
public final class PendingReply {
  let serial: UInt32
  var timer: Clock.Timer?
  /// False for the round trips of ``Connection/roundTrip()``.
  let isCounted: Bool
  private weak var connection: Connection?
  private var done: (@LoopActor (Result<[Value], DBusError>) -> Void)?

  init(
    serial: UInt32, isCounted: Bool, connection: Connection?,
    done: @escaping @LoopActor (Result<[Value], DBusError>) -> Void
  ) {
    (self.serial, self.isCounted, self.connection, self.done) = (serial, isCounted, connection, done)
  }

  /// Whether the callback is still to come.
  public var isPending: Bool { done != nil }

  /// Forgets the call: no callback any more. The other side is not told; its late reply is ignored.
  public func cancel() {
    _ = take()
    connection?.forget(self)
  }

  func finish(_ result: Result<[Value], DBusError>) {
    take()?(result)
  }

  private func take() -> (@LoopActor (Result<[Value], DBusError>) -> Void)? {
    defer { done = nil }
    timer?.cancel()
    timer = nil
    return done
  }
}

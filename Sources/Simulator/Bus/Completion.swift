internal import DBus
internal import EventLoop

/// How an operation tells its end, once: with an error, without one, or never.
@LoopActor
struct Completion {
  let finish: @LoopActor (BlueZError?) -> Void
  /// Nobody is answered: bluetoothd frees the message and forgets it.
  let drop: @LoopActor () -> Void

  init(_ call: IncomingCall) {
    finish = { call.finish($0) }
    drop = { call.drop() }
  }

  /// For what bluetoothd begins itself.
  init(_ finish: @escaping @LoopActor (BlueZError?) -> Void) {
    self.finish = finish
    drop = {}
  }
}

internal import CUV

/// Calls back at each signal of one kind (SIGINT, SIGTERM …), on the loop.
@LoopActor
public final class SignalWatcher {
  private let handle = Handle<uv_signal_t>()
  private let onSignal: @LoopActor () -> Void

  public init(_ number: Int32, onSignal: @escaping @LoopActor () -> Void) {
    self.onSignal = onSignal
    uv_signal_init(EventLoop.loop, handle.pointer)
    handle.owner = self
    uv_signal_start(
      handle.pointer,
      { pointer, _ in
        LoopActor.assumeIsolated { Handle<uv_signal_t>.owner(of: pointer, as: SignalWatcher.self)?.onSignal() }
      }, number)
  }

  /// The signal has its default effect again.
  public func close() {
    handle.close()
  }

  isolated deinit { handle.close() }
}

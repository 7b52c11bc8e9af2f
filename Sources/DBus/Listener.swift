public import EventLoop

/// Somebody who listens to signals. Keep it: it ends when this object goes, or by ``cancel()``.
@LoopActor
public final class Listener {
  private var end: (@LoopActor () -> Void)?

  init(end: @escaping @LoopActor () -> Void) {
    self.end = end
  }

  /// Its handler is not called again.
  public func cancel() {
    guard let end else { return }
    self.end = nil
    end()
  }

  isolated deinit { cancel() }
}

internal import CUV

/// Watches one file descriptor. One `Poll` a descriptor; it does not own it.
@LoopActor
public final class Poll {
  public struct Events: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    public static let readable = Events(rawValue: 1)
    public static let writable = Events(rawValue: 2)
    /// The other end is closed, or an error is pending; reading tells.
    public static let hangup = Events(rawValue: 4)
  }

  private let handle: Handle<uv_poll_t>
  private let onEvents: @LoopActor (Events) -> Void

  /// Nil where the descriptor can't be watched (a plain file, a closed one). Call ``watch(_:)`` to begin.
  public init?(_ descriptor: Int32, onEvents: @escaping @LoopActor (Events) -> Void) {
    self.onEvents = onEvents
    handle = Handle()
    guard uv_poll_init(EventLoop.loop, handle.pointer, descriptor) == 0 else {
      handle.free()
      return nil
    }
    handle.owner = self
  }

  /// Watches for these from now on; for nothing when empty.
  public func watch(_ events: Events) {
    guard !handle.isClosed else { return }
    guard !events.isEmpty else {
      uv_poll_stop(handle.pointer)
      return
    }
    // libuv's numbers are the same (UV_READABLE 1, UV_WRITABLE 2, UV_DISCONNECT 4).
    uv_poll_start(handle.pointer, events.rawValue) { pointer, status, events in
      LoopActor.assumeIsolated {
        guard let poll = Handle<uv_poll_t>.owner(of: pointer, as: Poll.self) else { return }
        EventLoop.shared.noteTime()
        // An error of the descriptor is told as all that is watched: the reader's next call finds it.
        poll.onEvents(status < 0 ? [.readable, .hangup] : Events(rawValue: events))
      }
    }
  }

  /// Ends for good. The descriptor may be closed afterwards.
  public func close() {
    handle.close()
  }

  isolated deinit { handle.close() }
}

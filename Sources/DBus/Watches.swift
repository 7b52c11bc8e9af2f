internal import CDBus
internal import EventLoop

/// What libdbus wants watched. It has two watches for its one descriptor, one for each direction; libuv takes one.
@LoopActor
final class Watches {
  private var watches: [OpaquePointer] = []
  private var descriptor: Int32 = -1
  private var poll: Poll?
  private var events: Poll.Events = []

  /// Called after the I/O, with libdbus no longer on the stack.
  var onInput: (@LoopActor () -> Void)?

  /// libdbus calls back about `connection` from now on; it must be detached before this object goes.
  func attach(to connection: OpaquePointer) -> Bool {
    dbus_connection_set_watch_functions(
      connection,
      { watch, data in
        nonisolated(unsafe) let watch = watch
        return Watches.from(data) { $0.add(watch!) }  // libdbus passes what it made
      },
      { watch, data in
        nonisolated(unsafe) let watch = watch
        _ = Watches.from(data) { $0.remove(watch!) }  // libdbus passes what it made
      },
      { _, _ in },  // seen by apply(), which follows each entry into libdbus
      Unmanaged.passUnretained(self).toOpaque(), nil) != 0
  }

  func detach(from connection: OpaquePointer) {
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    onInput = nil
  }

  private nonisolated static func from(
    _ data: UnsafeMutableRawPointer?, _ body: @LoopActor (Watches) -> Bool
  ) -> dbus_bool_t {
    nonisolated(unsafe) let data = data
    return LoopActor.assumeIsolated {
      body(Unmanaged<Watches>.fromOpaque(data!).takeUnretainedValue()) ? 1 : 0  // set in attach(to:)
    }
  }

  private func add(_ watch: OpaquePointer) -> Bool {
    let number = dbus_watch_get_unix_fd(watch)
    guard watches.isEmpty || number == descriptor else { return false }
    if poll == nil {
      poll = Poll(number) { [weak self] in self?.handle($0) }
      events = []
    }
    descriptor = number
    watches.append(watch)
    return poll != nil
  }

  private func remove(_ watch: OpaquePointer) -> Bool {
    watches.removeAll { $0 == watch }
    if watches.isEmpty {
      // libdbus closes the descriptor next, and its number may come back as another's.
      poll?.close()
      poll = nil
    }
    return true
  }

  /// Watches for what libdbus wants now. To be called after each entry into libdbus: it changes its mind to and fro
  /// while it sends, and each change would cost system calls.
  func apply() {
    guard let poll else { return }
    var wanted: Poll.Events = []
    for watch in watches where dbus_watch_get_enabled(watch) != 0 {
      let flags = dbus_watch_get_flags(watch)
      if flags & DBUS_WATCH_READABLE.rawValue != 0 { wanted.insert(.readable) }
      if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { wanted.insert(.writable) }
    }
    guard wanted != events else { return }
    events = wanted
    poll.watch(wanted)
  }

  private func handle(_ events: Poll.Events) {
    var condition: UInt32 = 0
    if events.contains(.readable) { condition |= DBUS_WATCH_READABLE.rawValue }
    if events.contains(.writable) { condition |= DBUS_WATCH_WRITABLE.rawValue }
    if events.contains(.hangup) { condition |= DBUS_WATCH_HANGUP.rawValue }
    let always = DBUS_WATCH_HANGUP.rawValue | DBUS_WATCH_ERROR.rawValue
    for watch in watches where watches.contains(watch) && dbus_watch_get_enabled(watch) != 0 {
      let ready = condition & (dbus_watch_get_flags(watch) | always)
      if ready != 0 { dbus_watch_handle(watch, ready) }
    }
    apply()
    onInput?()
  }

  /// Writes what is queued, as far as it goes without waiting.
  func write() {
    for watch in watches
    where watches.contains(watch) && dbus_watch_get_enabled(watch) != 0
      && dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0
    {
      dbus_watch_handle(watch, DBUS_WATCH_WRITABLE.rawValue)
    }
    apply()
  }
}

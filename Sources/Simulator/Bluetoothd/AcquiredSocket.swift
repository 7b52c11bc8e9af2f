internal import DBus
internal import EventLoop
internal import Glibc

/// bluetoothd's end of a socket that a client has acquired: one ATT value a packet.
@LoopActor
final class AcquiredSocket {
  /// bluetoothd reads no more of a packet; what is beyond is lost.
  static let longest = 512

  private let ours: Int32
  private var theirs: FileDescriptor?
  private var poll: Poll?
  private let onPacket: ([UInt8]) -> Void
  private let onClose: () -> Void
  private var isClosed = false

  /// Nil where there are no descriptors left. `onClose`: the client has closed its end.
  init?(onPacket: @escaping ([UInt8]) -> Void, onClose: @escaping () -> Void) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    ours = ends[0]
    theirs = FileDescriptor(ends[1])
    (self.onPacket, self.onClose) = (onPacket, onClose)
    poll = Poll(ours) { [weak self] _ in self?.read() }
    poll?.watch([.readable, .hangup])
  }

  /// The client's end, once.
  func take() -> FileDescriptor? {
    defer { theirs = nil }
    return theirs
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: AcquiredSocket.longest)
    while !isClosed {
      let count = recv(ours, &buffer, buffer.count, 0)
      if count > 0 {
        onPacket(Array(buffer[..<count]))
      } else {
        if count == 0 || errno != EAGAIN { onClose() }
        return
      }
    }
  }

  /// A packet to the client; lost where it reads too slowly.
  func send(_ value: [UInt8]) {
    guard !isClosed else { return }
    _ = Glibc.send(ours, value, value.count, Int32(MSG_NOSIGNAL))
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    poll?.close()
    poll = nil
    theirs = nil
    Glibc.close(ours)
  }

  isolated deinit { close() }
}

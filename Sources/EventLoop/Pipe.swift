internal import CUV
internal import Glibc

/// A pipe whose reading end is ours: what a child process writes comes out of ``lines``.
@LoopActor
public final class Pipe {
  /// For a child's output; closed by ``closeWritingEnd()`` once the child has it.
  public let writingEnd: Int32
  private let readingEnd: Int32
  private var poll: Poll?
  private var text: [UInt8] = []
  private var isAtEnd = false
  private var waiting: OneShot<Void>?
  private var isWritingEndOpen = true

  /// Nil where there are no descriptors left.
  public init?() {
    var ends: [Int32] = [0, 0]
    // Only our end is non-blocking: the child wants a plain one.
    guard uv_pipe(&ends, Int32(UV_NONBLOCK_PIPE.rawValue), 0) == 0 else { return nil }
    (readingEnd, writingEnd) = (ends[0], ends[1])
    poll = Poll(readingEnd) { [weak self] _ in self?.read() }
    poll?.watch(.readable)
  }

  public func closeWritingEnd() {
    if isWritingEndOpen { Glibc.close(writingEnd) }
    isWritingEndOpen = false
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(readingEnd, &buffer, buffer.count)
    if count > 0 {
      text += buffer[..<count]
    } else if count == 0 || errno != EAGAIN {
      isAtEnd = true
      poll?.watch([])
    }
    waiting?.finish(())
    waiting = nil
  }

  /// The next line without its line feed; nil at the end. One reader at a time.
  public func line() async -> String? {
    while true {
      if let end = text.firstIndex(of: 10) {
        let line = String(decoding: text[..<end], as: UTF8.self)
        text.removeSubrange(...end)
        return line
      }
      if isAtEnd {
        defer { text = [] }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
      }
      let more = OneShot<Void>()
      waiting = more
      await more.value
    }
  }

  isolated deinit {
    poll?.close()
    closeWritingEnd()
    Glibc.close(readingEnd)
  }
}

internal import Glibc

/// Data goes to standard output, all else to standard error.
enum Output {
  static func data(_ line: String) {
    write(line + "\n", to: 1)
  }

  static func message(_ line: String) {
    write(line + "\n", to: 2)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    // Lua's print uses C's buffer; what was printed first comes first.
    fflush(nil)
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nobody reads any more: there is nobody to tell.
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

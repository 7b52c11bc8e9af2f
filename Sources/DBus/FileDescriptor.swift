internal import Glibc
internal import Synchronization

/// Owns a file descriptor: closes it when the last reference goes. Sending it sends a duplicate.
public final class FileDescriptor: Sendable, Hashable {
  private let number: Atomic<Int32>

  /// Takes over `number`.
  public init(_ number: Int32) {
    self.number = Atomic(number)
  }

  /// Nil once it was taken.
  public var value: Int32? {
    let value = number.load(ordering: .relaxed)
    return value < 0 ? nil : value
  }

  /// Hands the descriptor over: from now on the caller has to close it. Nil if it was taken before.
  public func take() -> Int32? {
    let value = number.exchange(-1, ordering: .relaxed)
    return value < 0 ? nil : value
  }

  deinit {
    if let value { close(value) }
  }

  public static func == (left: FileDescriptor, right: FileDescriptor) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

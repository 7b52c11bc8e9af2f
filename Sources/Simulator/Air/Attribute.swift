internal import EventLoop

/// What a peripheral answers to a request. ``never``: nothing, until the central gives up after 30 s.
enum Answer: Equatable, Sendable {
  case value([UInt8])
  case error(UInt8)
  case never
}

/// An answer, and how long the peripheral takes over it.
struct Response: Sendable {
  var answer: Answer
  var delay: Seconds = 0
}

/// How well a link has to be protected; a higher one contains the lower.
enum Security: Int, Comparable, Sendable {
  case open, encrypted, authenticated

  static func < (a: Security, b: Security) -> Bool { a.rawValue < b.rawValue }
}

/// A value of a peripheral that has a handle: a characteristic's, or a descriptor.
@LoopActor
final class Attribute {
  let handle: UInt16
  let uuid: String
  var value: [UInt8]
  let isReadable: Bool
  let isWritable: Bool
  var security = Security.open
  /// Longer writes are refused with 0x0d.
  var longest = 512
  /// Asked instead of ``value``.
  var onRead: (() -> Response)?
  /// Asked before a write is kept.
  var onWrite: (([UInt8]) -> Response)?

  init(handle: UInt16, uuid: String, value: [UInt8] = [], isReadable: Bool, isWritable: Bool) {
    (self.handle, self.uuid, self.value) = (handle, uuid, value)
    (self.isReadable, self.isWritable) = (isReadable, isWritable)
  }

  static let clientConfiguration = "00002902-0000-1000-8000-00805f9b34fb"

  var isClientConfiguration: Bool { uuid == Attribute.clientConfiguration }

  func read(from offset: Int, over security: Security) -> Response {
    guard isReadable else { return Response(answer: .error(0x02)) }
    guard security >= self.security else { return Response(answer: .error(0x05)) }
    var response = onRead?() ?? Response(answer: .value(value))
    if case .value(let all) = response.answer {
      // A client gathers at most 512 bytes (Core Vol 3 Part F 3.2.9).
      response.answer = offset > all.count ? .error(0x07) : .value(Array(all.prefix(512).dropFirst(offset)))
    }
    return response
  }

  func write(_ bytes: [UInt8], over security: Security) -> Response {
    guard isWritable else { return Response(answer: .error(0x03)) }
    guard security >= self.security else { return Response(answer: .error(0x05)) }
    guard bytes.count <= longest else { return Response(answer: .error(0x0d)) }
    let response = onWrite?(bytes) ?? Response(answer: .value([]))
    if case .value = response.answer { value = bytes }
    return response
  }
}

/// An error code of the Attribute Protocol (Core Specification, Vol 3, Part F, 3.4.1.1). Unknown codes are kept.
public struct ATTError: Hashable, Sendable {
  public let code: UInt8
  public init(_ code: UInt8) { self.code = code }

  public static let readNotPermitted = ATTError(0x02)
  public static let writeNotPermitted = ATTError(0x03)
  public static let requestNotSupported = ATTError(0x06)
  public static let invalidOffset = ATTError(0x07)
  public static let insufficientAuthorization = ATTError(0x08)
  public static let invalidValueLength = ATTError(0x0D)
  public static let unlikely = ATTError(0x0E)

  /// What the code means.
  public var meaning: String {
    switch code {
    case 0x01: "invalid handle"
    case 0x02: "read not permitted"
    case 0x03: "write not permitted"
    case 0x04: "invalid PDU"
    case 0x05: "insufficient authentication"
    case 0x06: "request not supported"
    case 0x07: "invalid offset"
    case 0x08: "insufficient authorization"
    case 0x09: "prepare queue full"
    case 0x0A: "attribute not found"
    case 0x0B: "attribute not long"
    case 0x0C: "encryption key too short"
    case 0x0D: "invalid attribute value length"
    case 0x0E: "unlikely error"
    case 0x0F: "insufficient encryption"
    case 0x10: "unsupported group type"
    case 0x11: "insufficient resources"
    case 0x12: "database out of sync"
    case 0x13: "value not allowed"
    case 0x80...0x9F: "an error of the application"
    case 0xFC: "write request rejected"
    case 0xFD: "client characteristic configuration improperly configured"
    case 0xFE: "procedure already in progress"
    case 0xFF: "out of range"
    default: "a reserved code"
    }
  }
}

extension ATTError: CustomStringConvertible {
  /// The code and what it means, as `0x0d, invalid attribute value length`.
  public var description: String { "0x\(hex(UInt64(code), 2)), \(meaning)" }
}

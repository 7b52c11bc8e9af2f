/// An error as bluetoothd words it (`src/error.c`; the LE texts are of 5.62 and later).
struct BlueZError: Error, Equatable {
  let name: String
  let text: String

  private init(_ name: String, _ text: String) {
    (self.name, self.text) = ("org.bluez.Error." + name, text)
  }

  static func failed(_ text: String) -> BlueZError { BlueZError("Failed", text) }
  static func notPermitted(_ text: String) -> BlueZError { BlueZError("NotPermitted", text) }

  static let invalidArguments = BlueZError("InvalidArguments", "Invalid arguments in method call")
  static let inProgress = BlueZError("InProgress", "In Progress")
  static let discoveryInProgress = BlueZError("InProgress", "Operation already in progress")
  static let alreadyExists = BlueZError("AlreadyExists", "Already Exists")
  static let notSupported = BlueZError("NotSupported", "Operation is not supported")
  static let notConnected = BlueZError("NotConnected", "Not Connected")
  static let doesNotExist = BlueZError("DoesNotExist", "Does Not Exist")
  static let notReady = BlueZError("NotReady", "Resource Not Ready")
  static let busy = BlueZError("Busy", "")

  static let notAttached = failed("Not connected")
  static let noDiscovery = failed("No discovery started")
  static let noSession = failed("No notify session started")
  static let connectAborted = failed("le-connection-abort-by-local")
  static let connectCanceled = failed("br-connection-canceled")
  static let connectPending = failed("Operation already in progress")
  static let inputOutput = failed("Input/output error")
  static let notInitiated = failed("Failed to initiate write")

  static let authenticationFailed = BlueZError("AuthenticationFailed", "Authentication Failed")
  static let authenticationCanceled = BlueZError("AuthenticationCanceled", "Authentication Canceled")
  static let connectionAttemptFailed = BlueZError("ConnectionAttemptFailed", "Page Timeout")

  /// How `src/gatt-client.c` passes on an ATT error.
  static func att(_ code: UInt8) -> BlueZError {
    switch code {
    case 0x00: failed("Operation failed")
    case 0x02: notPermitted("Read not permitted")
    case 0x03: notPermitted("Write not permitted")
    case 0x05, 0x0c, 0x0f: notPermitted("Not paired")
    case 0x06: notSupported
    case 0x07: BlueZError("InvalidArguments", "Invalid offset")
    case 0x08: BlueZError("NotAuthorized", "Operation Not Authorized")
    case 0x0d: BlueZError("InvalidArguments", "Invalid Length")
    default: failed("Operation failed with ATT error: 0x" + hexadecimal(code))
    }
  }
}

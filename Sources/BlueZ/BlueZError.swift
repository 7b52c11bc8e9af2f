internal import Bluetooth
internal import Central
internal import DBus

/// What bluetoothd was asked for, which decides what its more general errors mean.
enum BlueZRequest {
  case adapter, discovery, connect, exchange
}

/// The one place where errors of D-Bus and BlueZ become errors of the API. Texts as `src/error.c`, `src/device.c` and
/// `src/gatt-client.c` of BlueZ 5.66 and later have them.
extension CentralError {
  init(_ error: DBusError, _ request: BlueZRequest) {
    let family = error.name.split(separator: ".").last.map(String.init) ?? error.name
    if error.name.hasPrefix("org.bluez.") {
      self = Self.ofBlueZ(family, error.message, request)
    } else {
      self = Self.ofBus(family, error.message, request)
    }
    dbus = error.name
    if reason == nil, !error.message.isEmpty { reason = error.message.firstLine }
  }

  private static func ofBlueZ(_ family: String, _ text: String, _ request: BlueZRequest) -> CentralError {
    switch family {
    case "Failed": failed(text, request)
    case "InProgress", "Busy": CentralError(.busy, "BlueZ is busy with another operation", retryable: true)
    case "NotReady": CentralError(.adapterOff, "the adapter is off", advice: "switch it on: `bluetoothctl power on`")
    case "Blocked":
      CentralError(.adapterOff, "the radio is blocked by rfkill", advice: "`rfkill unblock bluetooth`")
    case "NotPermitted": notPermitted(text)
    case "NotAuthorized": refused(.insufficientAuthorization, code: .notAuthorized)
    case "NotSupported":
      request == .exchange && text == "Operation is not supported"
        ? refused(.requestNotSupported, code: .unsupported) : CentralError(.unsupported, "BlueZ does not support that")
    case "InvalidArguments" where text == "Invalid offset": refused(.invalidOffset)
    case "InvalidArguments" where text == "Invalid Length": refused(.invalidValueLength)
    case "InvalidArguments": CentralError(.invalid, "BlueZ refused the arguments: \(text)")
    case "NotConnected": CentralError(.disconnected, "not connected")
    case "DoesNotExist": CentralError(.notFound, "BlueZ does not know it")
    case "NotAvailable", "ProfileUnavailable", "BREDR":
      CentralError(
        .connectFailed, "BlueZ connected over BR/EDR and found no profile", retryable: true,
        advice: "the device speaks both; remove it (`bluetoothctl remove …`) and scan for LE only")
    case "ConnectionAttemptFailed", "AuthenticationCanceled", "AuthenticationFailed", "AuthenticationRejected",
      "AuthenticationTimeout":
      CentralError(.pairingFailed, "pairing failed: \(text)")
    default: CentralError(request == .connect ? .connectFailed : .unsupported, "BlueZ said \(family): \(text)")
    }
  }

  private static func failed(_ text: String, _ request: BlueZRequest) -> CentralError {
    if let code = attCode(text) { return refused(ATTError(code)) }
    switch text {
    case "Not connected": return CentralError(.disconnected, "not connected")
    case "Operation already in progress":
      return CentralError(.busy, "BlueZ is busy with another operation", retryable: true)
    case "Failed to initiate write":
      return CentralError(
        .invalid, "BlueZ could not send the write: it is too long, or empty where that is not allowed")
    case "Operation failed": return refused(ATTError(0))
    default: break
    }
    switch request {
    case .connect: return connectFailed(text)
    case .exchange: return CentralError(.att, "the exchange failed: \(text)")
    case .adapter, .discovery: return CentralError(.adapterOff, "the adapter did not do it: \(text)")
    }
  }

  private static func connectFailed(_ text: String) -> CentralError {
    let why =
      switch text {
      case "le-connection-abort-by-local": "no link came about"
      case "br-connection-canceled": "the attempt was cancelled or the link dropped at once"
      case "br-connection-key-missing": "the device has lost its bond"
      // The kernel is not done with the last link (seen within 50 ms of a disconnect).
      case "Input/output error": "the controller is not ready"
      default: text
      }
    return CentralError(
      .connectFailed, "the connection failed: \(why)", retryable: true,
      advice: "is it in range, and not connected to something else?")
  }

  private static func notPermitted(_ text: String) -> CentralError {
    switch text {
    case "Read not permitted": refused(.readNotPermitted)
    case "Write not permitted": refused(.writeNotPermitted)
    case "Not paired":
      CentralError(.notAuthorized, "the device wants to be paired first", advice: "pair it: `bluetoothctl pair …`")
    case "Notify acquired", "Write acquired":
      CentralError(.busy, "another program has taken the characteristic (\(text))", retryable: true)
    default: CentralError(.notAuthorized, "BlueZ does not permit it: \(text)")
    }
  }

  private static func refused(_ att: ATTError, code: Code = .att) -> CentralError {
    CentralError(code, "the device refused: ATT error \(att)", att: att)
  }

  /// The code in `Operation failed with ATT error: 0x80`.
  private static func attCode(_ text: String) -> UInt8? {
    let start = "Operation failed with ATT error: 0x"
    return text.hasPrefix(start) ? UInt8(text.dropFirst(start.count).prefix(2), radix: 16) : nil
  }

  private static func ofBus(_ family: String, _ text: String, _ request: BlueZRequest) -> CentralError {
    switch family {
    case "ServiceUnknown", "NameHasNoOwner", "ChildExited", "ChildSignaled", "ExecFailed", "SpawnFailed":
      return CentralError(
        .unavailable, "bluetoothd is not running", retryable: true, advice: "start it: `systemctl start bluetooth`")
    case "AccessDenied":
      return CentralError(
        .accessDenied, "the system bus does not let you talk to BlueZ",
        advice: "check /etc/dbus-1/system.d/bluetooth.conf, and in a container its bus")
    case "UnknownObject":
      return request == .connect
        ? CentralError(.notFound, "BlueZ does not know the device any more", retryable: true)
        : CentralError(.notFound, "BlueZ does not know it any more", retryable: true)
    case "UnknownMethod", "UnknownInterface", "UnknownProperty":
      return CentralError(.unsupported, "this BlueZ does not offer it")
    case "NoReply", "Timeout", "TimedOut":
      return CentralError(.timeout, "bluetoothd did not answer", retryable: true)
    case "Disconnected", "NoServer", "FileNotFound", "AuthFailed", "BadAddress", "NoNetwork":
      return CentralError(
        .unavailable, "there is no system bus: \(text.firstLine)",
        advice: "is dbus-daemon running? DBUS_SYSTEM_BUS_ADDRESS says where it is looked for")
    case "LimitsExceeded":
      return CentralError(.limit, "the bus allows no more of these: \(text.firstLine)")
    default:
      return CentralError(
        request == .connect ? .connectFailed : .unavailable, "D-Bus said \(family): \(text.firstLine)")
    }
  }
}

extension String {
  /// libdbus ends some of its texts with a line feed.
  fileprivate var firstLine: String {
    split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
  }
}

public import Bluetooth

/// Why an operation ended without its result: what happened, to which device, at which step, and what to try.
public struct CentralError: Error, Hashable, Sendable {
  public enum Code: String, Sendable, CaseIterable {
    case timeout, disconnected, busy, cancelled, invalid, unsupported, ambiguous, att, unavailable, limit
    case connectFailed = "connect_failed"
    case adapterOff = "adapter_off"
    case noAdapter = "no_adapter"
    case accessDenied = "access_denied"
    case notFound = "not_found"
    case pairingFailed = "pairing_failed"
    case notAuthorized = "not_authorized"
  }

  /// Where in its course an operation was.
  public enum Stage: String, Sendable {
    case queue, adapter, scan, connect, services, attribute, exchange, disconnect
  }

  public var code: Code
  /// What happened, without the context that ``description`` puts around it.
  public var what: String
  /// The operation, as the script calls it: `read`, `connect` …
  public var op: String?
  public var device: Address?
  /// The attribute, as the script named it.
  public var ref: String?
  public var stage: Stage?
  public var att: ATTError?
  /// The D-Bus error's name, verbatim.
  public var dbus: String?
  /// What lay under it, verbatim: the text of a D-Bus error, the reason of a disconnect.
  public var reason: String?
  /// Whether the same operation may work when tried again.
  public var isRetryable: Bool
  /// What the person may try.
  public var advice: String?

  public init(
    _ code: Code, _ what: String, att: ATTError? = nil, dbus: String? = nil, reason: String? = nil,
    retryable: Bool = false, advice: String? = nil
  ) {
    self.code = code
    self.what = what
    self.att = att
    self.dbus = dbus
    self.reason = reason
    self.isRetryable = retryable
    self.advice = advice
  }

  /// The same, with the context filled in where it is not known yet.
  public func during(_ op: String, device: Address? = nil, ref: String? = nil, stage: Stage? = nil) -> CentralError {
    var error = self
    error.op = self.op ?? op
    error.device = self.device ?? device
    error.ref = self.ref ?? ref
    error.stage = self.stage ?? stage
    return error
  }
}

extension CentralError: CustomStringConvertible {
  /// One line: `read 2a19 on C8:3F:26:00:00:01: timed out after 8 s (step: connect)`.
  public var description: String {
    let subject = [op, ref, device.map { "\(op == nil ? "" : "on ")\($0)" }].compactMap { $0 }.joined(separator: " ")
    let step = stage.map { " (step: \($0.rawValue))" } ?? ""
    return (subject.isEmpty ? "" : subject + ": ") + what + step
  }
}

extension CentralError {
  static func timeout(after seconds: Double) -> CentralError {
    CentralError(.timeout, "timed out after \(tidy(seconds)) s", retryable: true)
  }

  static let cancelled = CentralError(.cancelled, "cancelled")
  static let notConnected = CentralError(.disconnected, "not connected", advice: "call ble.connect first")

  static let disconnectedHere = disconnected("disconnected by this script", reason: "local")

  static func disconnected(_ what: String = "the link was lost", reason: String? = nil) -> CentralError {
    CentralError(.disconnected, what, reason: reason, retryable: true)
  }
}

/// A number of seconds for people: tenths where that is enough, no fraction where there is none. What is left of a
/// limit after other steps is known to the microsecond.
func tidy(_ seconds: Double) -> String {
  let seconds = seconds < 0.5 || seconds >= 1e12 ? seconds : (seconds * 10).rounded() / 10
  return seconds == seconds.rounded() && seconds < 1e15 ? String(Int64(seconds)) : String(seconds)
}

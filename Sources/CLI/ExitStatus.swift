internal import LuaRuntime

/// The program's exit statuses.
enum ExitStatus: Int32 {
  case success = 0
  case scriptFailed = 1
  case usage = 2
  /// No bluetoothd, no adapter, no power, or no permission.
  case noBluetooth = 3
  case notFound = 4
  case operationFailed = 5
  case timedOut = 6
  case interrupted = 130
  /// Nobody reads its output any more.
  case brokenPipe = 141
  case terminated = 143

  /// By the `code` of the error that ended the script.
  init(_ error: LuaError) {
    self =
      switch error.code {
      case "unavailable", "no_adapter", "adapter_off", "access_denied": .noBluetooth
      case "not_found": .notFound
      case "timeout": .timedOut
      case nil, "invalid", "decode", "encode", "cancelled": .scriptFailed
      default: .operationFailed
      }
  }
}

internal import LuaRuntime

enum TestResult {
  case passed
  case skipped(String)
  case failed(String)
}

/// Results as TAP (Test Anything Protocol 13), and their count.
struct TestReport {
  private var passed = 0
  private var failed = 0
  private var skipped = 0

  init() {
    Output.data("TAP version 13")
  }

  mutating func add(_ name: String, _ result: TestResult) {
    let number = passed + failed + skipped + 1
    switch result {
    case .passed:
      passed += 1
      Output.data("ok \(number) - \(name)")
    case .skipped(let why):
      skipped += 1
      Output.data("ok \(number) - \(name) # SKIP \(why)")
    case .failed(let why):
      failed += 1
      Output.data("not ok \(number) - \(name)")
      for line in why.split(separator: "\n") { Output.data("  # \(line)") }
    }
  }

  /// The plan, and the exit status.
  func end() -> Int32 {
    Output.data("1..\(passed + failed + skipped)")
    Output.message("\(passed) passed, \(failed) failed, \(skipped) skipped")
    return (failed == 0 ? ExitStatus.success : .scriptFailed).rawValue
  }
}

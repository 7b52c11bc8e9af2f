internal import EventLoop
internal import LuaRuntime

extension Decoders {
  /// Decodes the tests that the files hold: the name of each, such as `ruuvi: tests[1]`, and what goes wrong.
  public func testResults() -> [(name: String, fault: String?)] {
    decoders.flatMap { decoder in
      decoder.tests.enumerated().map { number, test in
        ("\(decoder.name): tests[\(number + 1)]", fault(test, of: decoder))
      }
    }
  }

  private func fault(_ test: LuaTable, of decoder: Sandbox.Description) -> String? {
    let answer: Answer
    do throws(LuaError) {
      answer = try decode(test["adv"].table ?? LuaTable(), key: test["key"].bytes)
    } catch {
      return error.message
    }
    let expected = test["expect"].table
    switch answer {
    case .nobody: return test["error"] == "nobody" ? nil : "nobody takes it"
    case .unreadable(let reason, let name):
      if name != decoder.name { return "it is \(name)'s" }
      return test["error"].text == reason ? nil : reason
    case .reading(let reading):
      guard let expected else { return "a reading, \(test["error"].text ?? "") expected" }
      if reading["decoder"] != LuaValue("\(decoder.name) \(decoder.version)") {
        return "it is \(reading["decoder"].text ?? "")'s"
      }
      return difference(reading, expected)
    }
  }

  private func difference(_ reading: LuaTable, _ expected: LuaTable) -> String? {
    for (key, wanted) in expected.fields where !Self.agree(reading[key: key], wanted) {
      return "\(key.text ?? "?") is \(Self.show(reading[key: key])), not \(Self.show(wanted))"
    }
    return nil
  }

  /// Vectors round what they expect: 0.006 or 0.2 % off is as good.
  private static func agree(_ value: LuaValue, _ wanted: LuaValue) -> Bool {
    guard let wanted = wanted.number else { return value == wanted }
    guard let value = value.number else { return false }
    return abs(value - wanted) <= max(0.006, abs(wanted) * 0.002)
  }

  private static func show(_ value: LuaValue) -> String {
    switch value {
    case .nil: "absent"
    case .boolean(let value): "\(value)"
    case .string: "\"\(value.text ?? "bytes")\""
    default: value.number.map { "\($0)" } ?? "a table"
    }
  }
}

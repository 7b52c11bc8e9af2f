import Testing

/// What is written in two places, and has to be the same in both. (That scripts/types has the functions, methods and
/// fields that there are is a test in Lua, where they are: Tests/Annotations.)
@Suite struct AnnotationTests {
  /// What codecs raise; they are in Lua.
  private let ofCodecs: Set<String> = ["decode", "encode"]

  private func firsts(_ pattern: Regex<(Substring, Substring)>, in path: String) throws -> Set<String> {
    let folder = String(path.prefix { $0 != "/" })
    let files = try SourceFile.all(below: folder, extensions: ["swift", "lua", "md"])
    let file = try #require(files.first { $0.path == path }, "\(path) is gone")
    let found = file.lines.flatMap { $0.matches(of: pattern).map { String($0.1) } }
    #expect(!found.isEmpty, "\(path): nothing was found")
    return Set(found)
  }

  /// `case timeout, disconnected` and `case noAdapter = "no_adapter"`, up to the next type.
  private func codes() throws -> Set<String> {
    let files = try SourceFile.all(below: "Sources/Central", extensions: ["swift"])
    let file = try #require(files.first { $0.path.hasSuffix("/CentralError.swift") })
    let body = file.lines.drop { !$0.contains("enum Code") }.dropFirst().prefix { !$0.contains("}") }
    return Set(
      body.flatMap { line in
        line.replacing("case ", with: "").split(separator: ",").map { one in
          String(one.split(separator: "=").last ?? one).filter { $0.isLetter || $0 == "_" }
        }
      })
  }

  @Test func everyErrorCodeIsAnnotatedAndExplained() throws {
    let codes = try codes()
    #expect(codes.contains("timeout") && codes.contains("no_adapter"))
    #expect(try firsts(/^---\| "(\w+)" +#/, in: "scripts/types/ble.lua") == codes.union(ofCodecs))
    #expect(try firsts(/^\| `(\w+)` \|(?:[^|]*\|){4}$/, in: "docs/errors.md") == codes.union(ofCodecs))
  }

  @Test func theDocumentsTableOfImportsIsTheTests() throws {
    let files = try SourceFile.all(below: "docs", extensions: ["md"])
    let file = try #require(files.first { $0.path == "docs/architecture.md" })
    var rows = 0
    for line in file.lines {
      let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
      guard cells.count == 3, let target = cells[0].firstMatch(of: /`(\w+)`/) else { continue }
      guard let known = mayImport[String(target.1)] else { continue }
      rows += 1
      // The command line's row says "all of them".
      guard target.1 != "CLI" else { continue }
      #expect(Set(cells[2].matches(of: /`(\w+)`/).map { String($0.1) }) == known, "\(target.1)")
    }
    #expect(rows > 8)
  }
}

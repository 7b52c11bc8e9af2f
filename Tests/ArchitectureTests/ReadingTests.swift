import Testing

/// That the tests of this target see what they look for.
@Suite struct ReadingTests {
  private func file(_ text: String) -> SourceFile {
    SourceFile(path: "Sources/DBus/Example.swift", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
  }

  @Test(arguments: [
    ("import Foundation", "Foundation"),
    ("internal import CUV", "CUV"),
    ("@preconcurrency public import Glibc", "Glibc"),
    ("@testable import Central", "Central"),
    ("@_spi(Tests) import Central", "Central"),
    ("import struct Foundation.URL", "Foundation"),
    ("  import CLI // indented", "CLI"),
  ])
  func findsAnImport(line: String, module: String) {
    let found = file("// import Nothing\n\n" + line).imports()
    #expect(found.map(\.module) == [module])
    #expect(found.map(\.line) == [3])
  }

  @Test func findsNoImportInOtherWords() {
    #expect(file("let important = 1\nimportAll()\n// import Foundation\n/// import CUV").imports().isEmpty)
  }

  @Test func knowsTheRoom() {
    #expect(file("").room == "DBus")
  }
}

import Foundation

/// The project's sources, as text.
struct SourceFile {
  let path: String  // from the project's folder
  let lines: [Substring]

  static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The files below `folder` whose names end in one of `extensions`.
  static func all(below folder: String, extensions: Set<String>) throws -> [SourceFile] {
    let root = project.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    return try names.filter { extensions.contains(URL(filePath: $0).pathExtension) }.map { name in
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      return SourceFile(path: "\(folder)/\(name)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// "Sources/DBus/Value.swift" is of "DBus".
  var room: String { String(path.split(separator: "/")[1]) }

  /// The modules that are imported, with the numbers of the lines.
  func imports() -> [(line: Int, module: String)] {
    // The attributes, the access level, the kind of what is imported; then the module's name.
    let pattern =
      #/
      ^ \s* (?: @\w+ (?: \([^)]*\) )? \s+ )*
      (?: (?: public | package | internal | fileprivate | private ) \s+ )?
      import \s+ (?: (?: struct | class | enum | protocol | typealias | func | let | var | actor ) \s+ )?
      (\w+)
      /#
    return matches(of: pattern).map { ($0, String($1.1)) }
  }

  /// Where a line has the pattern in it, outside `//` comments.
  func matches<Output>(of pattern: Regex<Output>) -> [(line: Int, output: Output)] {
    lines.enumerated().flatMap { number, line in
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      return code.matches(of: pattern).map { (number + 1, $0.output) }
    }
  }
}

/// What an introspection document says, a line a member, without its layout.
enum Outline {
  static func lines(_ document: String) -> [String] {
    var lines: [String] = []
    var nodes: [String] = []
    var interface = ""
    var member: [String]?
    for tag in tags(document) {
      switch tag.name {
      case "node":
        if !tag.isClosing, let name = tag["name"] { nodes.append("node | " + name) }
      case "interface": interface = tag["name"] ?? ""
      case "method", "signal", "property":
        if !tag.isClosing {
          member = [tag.name, interface, tag["name"] ?? ""]
          if tag.name == "property" { member? += [tag["type"] ?? "", tag["access"] ?? ""] }
        }
        if tag.isClosing || tag.isEmpty, let line = member {
          lines.append(line.joined(separator: " | "))
          member = nil
        }
      case "arg":
        let parts = [tag["direction"] ?? "out", tag["type"] ?? "", tag["name"] ?? ""]
        member?.append(parts.filter { !$0.isEmpty }.joined(separator: " "))
      case "annotation":
        member?.append("\(tag["name"]?.split(separator: ".").last ?? "")=\(tag["value"] ?? "")")
      default: break
      }
    }
    return lines.sorted() + nodes.sorted()
  }

  private struct Tag {
    let name: String
    let attributes: [String: String]
    let isClosing: Bool
    let isEmpty: Bool
    subscript(name: String) -> String? { attributes[name] }
  }

  private static func tags(_ document: String) -> [Tag] {
    document.split(separator: "<").compactMap { part in
      guard let end = part.lastIndex(of: ">"), let first = part.first, first != "!", first != "?" else { return nil }
      var text = part[..<end]
      let isEmpty = text.hasSuffix("/")
      if isEmpty { text = text.dropLast() }
      let pieces = text.split(separator: "\"", omittingEmptySubsequences: false)
      var attributes: [String: String] = [:]
      for index in stride(from: 0, to: pieces.count - 1, by: 2) {
        let key = pieces[index].split { " =\n".contains($0) }.last.map(String.init) ?? ""
        attributes[key] = String(pieces[index + 1])
      }
      let name = text.prefix { !" \n".contains($0) }
      return Tag(
        name: name.hasPrefix("/") ? String(name.dropFirst()) : String(name), attributes: attributes,
        isClosing: name.hasPrefix("/"), isEmpty: isEmpty)
    }
  }
}

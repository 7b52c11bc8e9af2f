/// What an introspection document says, without its layout: a line a member, sorted, then a line a child.
func outline(_ document: String) -> [String] {
  var members: [String] = []
  var children: [String] = []
  var interface = ""
  var current: [String] = []
  for tag in document.split(separator: "<").dropFirst() {
    let text = tag.prefix { $0 != ">" }
    let attributes = attributes(of: text)
    let name = attributes["name"] ?? ""
    switch text.prefix(while: { $0 != " " && $0 != "/" }) {
    case "interface": interface = name
    case "node": if !name.isEmpty { children.append("node | \(name)") }
    case "arg": current.append("\(attributes["direction"] ?? "out") \(attributes["type"] ?? "") \(name)")
    case "annotation":
      current.append("\(name.split(separator: ".").last ?? "")=\(attributes["value"] ?? "")")
    case "property":
      current = ["property", interface, name, attributes["type"] ?? "", attributes["access"] ?? ""]
      if text.hasSuffix("/") { members.append(current.joined(separator: " | ")) }
    case "method", "signal":
      current = [String(text.prefix(6)), interface, name]
      if text.hasSuffix("/") { members.append(current.joined(separator: " | ")) }
    case "":
      if ["/method", "/signal", "/property"].contains(text) { members.append(current.joined(separator: " | ")) }
    default: break
    }
  }
  return members.sorted() + children.sorted()
}

private func attributes(of tag: Substring) -> [String: String] {
  var attributes: [String: String] = [:]
  let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
  for index in stride(from: 0, to: parts.count - 1, by: 2) {
    guard let name = parts[index].split(separator: " ").last?.dropLast() else { continue }
    attributes[String(name)] = String(parts[index + 1])
  }
  return attributes
}

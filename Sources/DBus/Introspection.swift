/// Introspection documents (D-Bus Specification, Introspection Data Format).
enum Introspection {
  private static let heading = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
    "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

    """

  static func document(_ interfaces: [InterfaceDescription], children: [String]) -> String {
    var text = heading + "<node>"
    for interface in interfaces { add(interface, to: &text) }
    for child in children { text += "<node name=\"\(child)\"/>" }
    return text + "</node>"
  }

  private static func add(_ interface: InterfaceDescription, to text: inout String) {
    text += "<interface name=\"\(interface.name)\">"
    for method in interface.methods {
      let arguments = method.inputs.map { argument($0, "in") } + method.outputs.map { argument($0, "out") }
      element("method", "name=\"\(escaped(method.name))\"", arguments + method.annotations.map(annotation), &text)
    }
    for signal in interface.signals {
      let arguments = signal.arguments.map { argument($0, nil) }
      element("signal", "name=\"\(escaped(signal.name))\"", arguments + signal.annotations.map(annotation), &text)
    }
    for property in interface.properties {
      let attributes =
        "name=\"\(escaped(property.name))\" type=\"\(property.type)\" access=\"\(property.access.rawValue)\""
      element("property", attributes, property.annotations.map(annotation), &text)
    }
    text += "</interface>"
  }

  private static func element(_ name: String, _ attributes: String, _ contents: [String], _ text: inout String) {
    text += contents.isEmpty ? "<\(name) \(attributes)/>" : "<\(name) \(attributes)>\(contents.joined())</\(name)>"
  }

  private static func argument(_ argument: InterfaceDescription.Argument, _ direction: String?) -> String {
    let direction = direction.map { " direction=\"\($0)\"" } ?? ""
    return "<arg name=\"\(escaped(argument.name))\" type=\"\(argument.type)\"\(direction)/>"
  }

  private static func annotation(_ annotation: InterfaceDescription.Annotation) -> String {
    "<annotation name=\"\(escaped(annotation.name))\" value=\"\(escaped(annotation.value))\"/>"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}

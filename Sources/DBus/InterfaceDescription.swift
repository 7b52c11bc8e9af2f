/// What an interface offers, for introspection and for the checks that go before its owner is asked.
public struct InterfaceDescription: Sendable {
  public struct Argument: Sendable {
    public let name: String
    public let type: Signature
    public init(_ name: String, _ type: Signature) { (self.name, self.type) = (name, type) }
  }

  public struct Method: Sendable {
    public let name: String
    public let inputs: [Argument]
    public let outputs: [Argument]
    public let annotations: [Annotation]
    let inputSignature: String

    public init(
      _ name: String, in inputs: [Argument] = [], out outputs: [Argument] = [], annotations: [Annotation] = []
    ) {
      (self.name, self.inputs, self.outputs, self.annotations) = (name, inputs, outputs, annotations)
      inputSignature = inputs.map(\.type.string).joined()
    }
  }

  public struct Signal: Sendable {
    public let name: String
    public let arguments: [Argument]
    public let annotations: [Annotation]

    public init(_ name: String, _ arguments: [Argument] = [], annotations: [Annotation] = []) {
      (self.name, self.arguments, self.annotations) = (name, arguments, annotations)
    }
  }

  public struct Property: Sendable {
    public enum Access: String, Sendable { case read, write, readwrite }
    public let name: String
    public let type: Signature
    public let access: Access
    public let annotations: [Annotation]

    public init(_ name: String, _ type: Signature, _ access: Access = .read, annotations: [Annotation] = []) {
      (self.name, self.type, self.access, self.annotations) = (name, type, access, annotations)
    }
  }

  public struct Annotation: Sendable {
    public let name: String
    public let value: String
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    public static let deprecated = Annotation("org.freedesktop.DBus.Deprecated", "true")
    public static let noReply = Annotation("org.freedesktop.DBus.Method.NoReply", "true")
  }

  public let name: String
  public let methods: [Method]
  public let signals: [Signal]
  public let properties: [Property]

  public init(_ name: String, methods: [Method] = [], signals: [Signal] = [], properties: [Property] = []) {
    (self.name, self.methods, self.signals, self.properties) = (name, methods, signals, properties)
  }
}

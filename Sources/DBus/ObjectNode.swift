internal import EventLoop

/// An exported object: its interfaces, and what of their changes is still to be told.
@LoopActor
final class ObjectNode {
  @LoopActor
  final class Interface {
    let description: InterfaceDescription
    /// Nil for those of D-Bus itself, which the server answers.
    let owner: (any ExportedInterface)?
    /// Changed properties, in the order they changed first.
    var changes: [String] = []

    init(_ description: InterfaceDescription, owner: (any ExportedInterface)? = nil) {
      (self.description, self.owner) = (description, owner)
    }

    var name: String { description.name }

    func property(_ name: String) -> InterfaceDescription.Property? {
      description.properties.first { $0.name == name }
    }

    /// Properties that exist now and may be read.
    var values: Value {
      var values: [(String, Value)] = []
      for property in description.properties where property.access != .write {
        if let value = owner?.get(property.name) { values.append((property.name, value)) }
      }
      return .properties(values)
    }
  }

  let path: ObjectPath
  /// Whether an object manager tells of this object.
  let isManaged: Bool
  private(set) var interfaces: [Interface]
  /// Interfaces not yet announced, and names of those not yet announced as gone.
  private(set) var added: [Interface] = []
  private(set) var removed: [String] = []
  /// When this object was queued last; the oldest is told first in an idle moment.
  var queued = 0
  var isQueued = false

  init(_ path: ObjectPath, isManaged: Bool) {
    (self.path, self.isManaged, interfaces) = (path, isManaged, [])
    append(Interface(.introspectable))
  }

  subscript(name: String) -> Interface? { interfaces.first { $0.name == name } }

  /// Whether only the interfaces are left that each object has.
  var isBare: Bool { interfaces.allSatisfy { $0.owner == nil } }

  func append(_ interface: Interface) {
    guard self[interface.name] == nil else { return }
    interfaces.append(interface)
    if isManaged { added.append(interface) }
    // gdbus gives an object its Properties with the first interface that has some.
    if !interface.description.properties.isEmpty, self[InterfaceDescription.properties.name] == nil {
      append(Interface(.properties))
    }
  }

  func remove(_ interface: Interface) {
    interfaces.removeAll { $0 === interface }
    if let index = added.firstIndex(where: { $0 === interface }) {
      added.remove(at: index)
    } else if isManaged {
      removed.insert(interface.name, at: 0)
    }
  }

  func isAnnounced(_ interface: Interface) -> Bool { !added.contains { $0 === interface } }

  func takeAdded() -> [Interface] {
    defer { added = [] }
    return added
  }

  func takeRemoved() -> [String] {
    defer { removed = [] }
    return removed
  }
}

public import EventLoop

/// Objects that others can call, with the ways of gdbus, the library under `bluetoothd`.
///
/// Changes are held back and told from a job of their own, those of one object together; but whatever else is sent
/// over the connection (an answer, a call, another signal) is preceded by them. While an interface has not been
/// announced its changes go into the announcement.
@LoopActor
public final class ObjectServer {
  let connection: Connection
  private let root: ObjectPath?
  private var nodes: [ObjectPath: ObjectNode] = [:]
  private var tree = ObjectTree()
  /// In the order they were queued first.
  private var queue: [ObjectNode] = []
  private var ticket = 0
  private var isJobWaiting = false

  /// `root` is where the object manager is: it tells of the objects below. Nil: there is none.
  public init(_ connection: Connection, root: ObjectPath? = "/") {
    (self.connection, self.root) = (connection, root)
    if let root {
      let node = ObjectNode(root, isManaged: false)
      node.append(ObjectNode.Interface(.objectManager))
      nodes[root] = node
      tree.insert(root)
    }
    connection.attach(self)
  }

  /// Paths of the objects that were added, sorted.
  public var paths: [ObjectPath] { nodes.values.filter { !$0.isBare }.map(\.path).sorted() }

  /// Adds interfaces to an object, and the object where it is new. An interface that is there already stays.
  public func add(_ interfaces: [any ExportedInterface], at path: ObjectPath) {
    let node = nodes[path] ?? insert(path)
    for interface in interfaces { node.append(ObjectNode.Interface(interface.description, owner: interface)) }
    if !node.added.isEmpty { enqueue(node) }
  }

  private func insert(_ path: ObjectPath) -> ObjectNode {
    let node = ObjectNode(path, isManaged: root.map { path.isWithin($0) } ?? false)
    nodes[path] = node
    tree.insert(path)
    return node
  }

  /// Removes an interface, or all and the object. The object goes with its last interface, and that is told at once.
  public func remove(at path: ObjectPath, interface: String? = nil) {
    guard let node = nodes[path] else { return }
    for candidate in node.interfaces.reversed()
    where candidate.owner != nil && (interface == nil || candidate.name == interface) {
      tellChanges(of: candidate, at: node)
      node.remove(candidate)
    }
    if node.isBare, path != root {
      for standard in node.interfaces { node.remove(standard) }
      nodes[path] = nil
      tree.remove(path) { nodes[$0] != nil }
      tell(node)
    } else if !node.removed.isEmpty {
      enqueue(node)
    }
  }

  /// A property has changed, appeared or gone: its value is read when that is told. Unknown names do nothing.
  public func changed(_ path: ObjectPath, _ interface: String, _ property: String) {
    if let node = mark(path, interface, property) { enqueue(node) }
  }

  /// As ``changed(_:_:_:)``, but told at once: values that must not merge with those before and after.
  public func send(now path: ObjectPath, _ interface: String, _ property: String) {
    guard let node = mark(path, interface, property) else { return }
    for interface in node.interfaces { tellChanges(of: interface, at: node) }
  }

  private func mark(_ path: ObjectPath, _ name: String, _ property: String) -> ObjectNode? {
    guard let node = nodes[path], let interface = node[name], interface.property(property) != nil,
      node.isAnnounced(interface)
    else { return nil }
    if !interface.changes.contains(property) { interface.changes.append(property) }
    return node
  }

  /// Sends a signal of an object's own.
  public func emit(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = []
  ) throws(DBusError) {
    try connection.emit(path, interface, member, arguments)
  }

  /// Answers no call any more, and tells nothing of what is left.
  public func close() {
    connection.detach(self)
    (nodes, tree, queue) = ([:], ObjectTree(), [])
  }

  isolated deinit { connection.detach(self) }
}

// MARK: - Telling

extension ObjectServer {
  private func enqueue(_ node: ObjectNode) {
    ticket += 1
    node.queued = ticket
    if !node.isQueued {
      node.isQueued = true
      queue.append(node)
    }
    guard !isJobWaiting else { return }
    isJobWaiting = true
    Task { @LoopActor [weak self] in
      guard let self else { return }
      isJobWaiting = false
      // gdbus's idle handlers run in the order in which each object changed last.
      for node in queue.sorted(by: { $0.queued < $1.queued }) where node.isQueued { tell(node) }
    }
  }

  /// Tells all that is held back, the object that changed first being first.
  public func flush() {
    while let node = queue.first { tell(node) }
  }

  private func tell(_ node: ObjectNode) {
    if node.isQueued {
      node.isQueued = false
      queue.removeAll { $0 === node }
    }
    if !node.added.isEmpty {
      tellParents(of: node)
      let interfaces = Entries(
        key: .text, value: "a{sv}", node.takeAdded().map { (.string($0.name), $0.values) })
      manager("InterfacesAdded", [.path(node.path), .dictionary(interfaces)])
    }
    for interface in node.interfaces { tellChanges(of: interface, at: node) }
    if !node.removed.isEmpty {
      manager("InterfacesRemoved", [.path(node.path), .strings(node.takeRemoved())])
    }
  }

  private func tellParents(of node: ObjectNode) {
    var path = node.path
    while let parent = path.parent, path != root {
      if let node = nodes[parent], !node.added.isEmpty { return tell(node) }
      path = parent
    }
  }

  private func tellChanges(of interface: ObjectNode.Interface, at node: ObjectNode) {
    guard !interface.changes.isEmpty else { return }
    let changes = interface.changes
    interface.changes = []
    var values: [(String, Value)] = []
    var invalidated: [String] = []
    for property in changes where interface.property(property)?.access != .write {
      if let value = interface.owner?.get(property) {
        values.append((property, value))
      } else {
        invalidated.append(property)
      }
    }
    signal(
      node.path, InterfaceDescription.properties.name, "PropertiesChanged",
      [.string(interface.name), .properties(values), .strings(invalidated)])
  }

  private func manager(_ member: String, _ arguments: [Value]) {
    guard let root else { return }
    signal(root, InterfaceDescription.objectManager.name, member, arguments)
  }

  /// Without a flush: this is what a flush sends.
  private func signal(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value]) {
    // After the loss of the bus nobody listens. A value that D-Bus does not allow can't be told.
    guard let message = try? Message.signal(path, interface, member, arguments) else { return }
    _ = try? connection.transmit(message, flushing: false)
  }
}

// MARK: - Answering

extension ObjectServer {
  func knows(_ path: ObjectPath) -> Bool { nodes[path] != nil || tree.hasChildren(path) }

  func receive(_ call: IncomingCall) {
    let node = nodes[call.path]
    if Self.answerPeer(call) { return }
    if call.interface == InterfaceDescription.introspectable.name, call.member == "Introspect", call.arguments.isEmpty {
      // libdbus answers for any path, whether there is anything or not.
      let interfaces = node?.interfaces.map(\.description) ?? []
      let document = Introspection.document(interfaces, children: tree.children(of: call.path))
      return call.reply([.string(document)])
    }
    guard let node else { return call.failUnknown(tree.hasChildren(call.path) ? "UnknownMethod" : "UnknownObject") }
    guard let interface = node[call.interface],
      interface.description.methods.contains(where: {
        $0.name == call.member && $0.inputSignature == call.signature
      })
    else { return call.failUnknown("UnknownMethod") }
    if let owner = interface.owner { return owner.call(call) }
    switch call.member {
    case "Get": PropertyAccess.get(call, node)
    case "Set": PropertyAccess.set(call, node)
    case "GetAll": PropertyAccess.getAll(call, node)
    case "GetManagedObjects": call.reply([managedObjects])
    default: call.failUnknown("UnknownMethod")
    }
  }

  private var managedObjects: Value {
    let objects = nodes.values.filter(\.isManaged).sorted { $0.path < $1.path }
    return .dictionary(
      key: .path, value: "a{sa{sv}}",
      objects.map { node in
        let interfaces = node.interfaces.map { (Value.string($0.name), $0.values) }
        return (.path(node.path), .dictionary(key: .text, value: "a{sv}", interfaces))
      })
  }
}

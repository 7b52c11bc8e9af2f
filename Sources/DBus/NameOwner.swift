internal import EventLoop

/// Follows who owns a well-known name, for all who want to know.
@LoopActor
final class NameOwner {
  let name: String
  /// A unique name. Nil where there is none, or the bus has not said yet.
  private(set) var current: String?
  /// Listens for as long as anybody is interested.
  private var listener: Listener?
  private var observers: [(id: Int, handler: @LoopActor (String?, String?) -> Void)] = []
  private var lastID = 0

  init(_ name: String) {
    self.name = name
  }

  /// The bus answers in order: whoever adds a rule for signals of the name after this knows the owner when the first
  /// of them comes.
  func begin(on connection: Connection) {
    let rule = MatchRule(sender: BusDriver.name, interface: BusDriver.name, member: "NameOwnerChanged", arg0: name)
    listener = connection.listen(rule) { [weak self] signal in
      let names = signal.arguments.map { $0.string ?? "" }
      guard names.count == 3 else { return }
      self?.change(from: names[1].isEmpty ? nil : names[1], to: names[2].isEmpty ? nil : names[2])
    }
    connection.send(BusDriver.call("GetNameOwner", [.string(name)]), timeout: .infinity) { [weak self] answer in
      if case .success(let values) = answer { self?.current = values.first?.string }
    }
  }

  private func change(from old: String?, to new: String?) {
    current = new
    for observer in observers where observers.contains(where: { $0.id == observer.id }) {
      observer.handler(old, new)
    }
  }

  func observe(_ handler: @escaping @LoopActor (String?, String?) -> Void) -> Int {
    lastID += 1
    observers.append((lastID, handler))
    return lastID
  }

  func forget(_ id: Int) {
    observers.removeAll { $0.id == id }
  }
}

internal import EventLoop

extension Connection {
  /// Listens to signals by `rule`. The first listener of a rule gives it to the bus, without waiting; the last one
  /// takes it back. A signal that fits several rules goes to each listener once.
  ///
  /// The bus does not check a rule against all its signals for us: here every field is compared, too, and a `sender`
  /// by well-known name with the present owner of that name.
  public func listen(_ rule: MatchRule, _ handler: @escaping @LoopActor (Signal) -> Void) -> Listener {
    let entry = signals[rule] ?? install(rule)
    let subscriber = SignalRule.Subscriber(handler)
    entry.subscribers.append(subscriber)
    return Listener { [weak self] in
      subscriber.end()
      entry.subscribers.removeAll { $0 === subscriber }
      if entry.subscribers.isEmpty { self?.uninstall(entry) }
    }
  }

  private func install(_ rule: MatchRule) -> SignalRule {
    let entry = SignalRule(rule, owner: rule.sender.flatMap(owner(following:)))
    signals.insert(entry)
    send(BusDriver.call("AddMatch", [.string(rule.text)]), timeout: .infinity) { [weak self, weak entry] answer in
      guard case .failure(let error) = answer, let self, let entry, isOpen else { return }
      entry.isRefused = true
      onRuleRefused?(rule, error)
    }
    return entry
  }

  private func uninstall(_ entry: SignalRule) {
    signals.remove(entry)
    // A rule that the bus never took it can't remove; it would say MatchRuleNotFound to nobody.
    if isOpen, !entry.isRefused { try? post(BusDriver.call("RemoveMatch", [.string(entry.rule.text)])) }
  }

  /// The follower of a well-known name; nil where there is nothing to follow: unique names do not move, nor does the
  /// bus.
  private func owner(following name: String) -> NameOwner? {
    guard !name.hasPrefix(":"), name != BusDriver.name else { return nil }
    if let owner = owners[name]?.owner { return owner }
    let owner = NameOwner(name)
    owners[name] = WeakOwner(owner: owner)
    owner.begin(on: self)
    return owner
  }

  /// Calls `handler` at each change of the owner of a well-known name: unique names, nil for none. Not called for the
  /// owner that is there now; ask ``owner(of:)`` after this, and nothing is missed.
  public func watchOwner(
    of name: String, _ handler: @escaping @LoopActor (_ old: String?, _ new: String?) -> Void
  ) -> Listener {
    guard let owner = owner(following: name) else { return Listener {} }
    let id = owner.observe(handler)
    return Listener { owner.forget(id) }
  }

  /// The unique name of the owner of `name`; nil where there is none, or the bus is lost.
  public func owner(of name: String) async -> String? {
    try? await call(BusDriver.call("GetNameOwner", [.string(name)]), timeout: Self.patience).first?.string
  }

  /// Becomes the owner of a well-known name. An error where somebody else is, or the bus does not allow it.
  public func requestName(_ name: String) async throws(DBusError) {
    let doNotQueue: UInt32 = 4
    let answer = try await call(
      BusDriver.call("RequestName", [.string(name), .uint32(doNotQueue)]), timeout: Self.patience)
    // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER, …_ALREADY_OWNER
    guard answer.first?.int == 1 || answer.first?.int == 4 else {
      throw .failed("the name \(name) is owned by somebody else")
    }
  }

  /// Gives a well-known name up. An error where it was not ours.
  public func releaseName(_ name: String) async throws(DBusError) {
    let answer = try await call(BusDriver.call("ReleaseName", [.string(name)]), timeout: Self.patience)
    guard answer.first?.int == 1 else { throw .failed("the name \(name) is not ours") }
  }

  /// For the bus itself, which answers at once unless it hangs. Seconds; libdbus's own default.
  private static var patience: Seconds { 25 }
}

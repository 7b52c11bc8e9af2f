internal import EventLoop

/// A rule that the bus knows, and those who listen by it.
@LoopActor
final class SignalRule {
  @LoopActor
  final class Subscriber {
    private(set) var handler: (@LoopActor (Signal) -> Void)?
    init(_ handler: @escaping @LoopActor (Signal) -> Void) { self.handler = handler }
    func end() { handler = nil }
  }

  let rule: MatchRule
  /// Follows the owner of a sender that is a well-known name.
  let owner: NameOwner?
  var subscribers: [Subscriber] = []
  /// The bus did not take it.
  var isRefused = false

  init(_ rule: MatchRule, owner: NameOwner?) {
    (self.rule, self.owner) = (rule, owner)
  }

  func accepts(sender: String) -> Bool {
    guard let wanted = rule.sender else { return true }
    return wanted == sender || owner?.current == sender
  }
}

/// All rules of a connection, found by the member that they name: most signals concern few of them.
@LoopActor
final class Signals {
  private var rules: [MatchRule: SignalRule] = [:]
  private var byMember: [String: [SignalRule]] = [:]
  private var anyMember: [SignalRule] = []

  var count: Int { rules.count }

  subscript(rule: MatchRule) -> SignalRule? { rules[rule] }

  func insert(_ rule: SignalRule) {
    rules[rule.rule] = rule
    if let member = rule.rule.member {
      byMember[member, default: []].append(rule)
    } else {
      anyMember.append(rule)
    }
  }

  func remove(_ rule: SignalRule) {
    rules[rule.rule] = nil
    guard let member = rule.rule.member else { return anyMember.removeAll { $0 === rule } }
    byMember[member]?.removeAll { $0 === rule }
    if byMember[member]?.isEmpty == true { byMember[member] = nil }
  }

  /// Those that name `member`, then those that name none.
  func candidates(_ member: String) -> [SignalRule] {
    guard let named = byMember[member] else { return anyMember }
    return anyMember.isEmpty ? named : named + anyMember
  }
}

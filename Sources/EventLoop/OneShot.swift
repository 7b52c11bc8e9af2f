/// A value that comes once, and those who wait for it. The first ``finish(_:)`` wins, later ones do nothing.
@LoopActor
public final class OneShot<Value: Sendable> {
  private var result: Value?
  private var waiting: [CheckedContinuation<Value, Never>] = []

  public nonisolated init() {}

  public var isFinished: Bool { result != nil }

  /// Returns whether this call was the first.
  @discardableResult
  public func finish(_ value: Value) -> Bool {
    guard result == nil else { return false }
    result = value
    let waiters = waiting
    waiting = []
    for waiter in waiters { waiter.resume(returning: value) }
    return true
  }

  public var value: Value {
    get async {
      if let result { return result }
      return await withCheckedContinuation { waiting.append($0) }
    }
  }
}

internal import EventLoop

/// Runs the operations of one device: one at a time, in the order they came. Each ends exactly once: with its answer,
/// its error, its deadline (the wait in the queue counts), a cancel, or because the queue is ended from outside.
///
/// What an operation set going in the stack may outlast it. The queue then stays taken until that is over, so that the
/// next one does not run into it; at the most for `patience` seconds.
@LoopActor
final class OperationQueue {
  /// What an operation is for, which decides what ends it before its time.
  enum Purpose { case exchange, connect, disconnect }

  /// How long an operation that has ended may keep the next one waiting: BlueZ's longest wait for an ATT answer.
  static let patience: Seconds = 30

  private let clock: Clock
  private var waiting: [Entry] = []
  private var running: Entry?

  init(clock: Clock) {
    self.clock = clock
  }

  /// Operations that have not ended.
  var count: Int { waiting.count + (running?.isEnded == false ? 1 : 0) }

  /// Runs `body` when its turn comes.
  func run<Value: Sendable>(
    timeout: Seconds, for purpose: Purpose = .exchange,
    _ body: @escaping @LoopActor () async throws(CentralError) -> Value
  ) async throws(CentralError) -> Value {
    if Task.isCancelled { throw .cancelled }
    let answer = OneShot<Result<Value, CentralError>>()
    let entry = Entry(purpose) { error in answer.finish(.failure(error)) }
    entry.start = {
      Task { @LoopActor [weak self] in
        do throws(CentralError) { answer.finish(.success(try await body())) } catch { answer.finish(.failure(error)) }
        self?.left(entry)
      }
    }
    entry.deadline = clock.after(timeout) { [weak self] in self?.end(entry, .timeout(after: timeout)) }
    waiting.append(entry)
    startNext()
    let result = await withLoopCancellation {
      await answer.value
    } onCancel: {
      self.end(entry, .cancelled)
    }
    entry.deadline?.cancel()
    entry.isEnded = true
    return try result.get()
  }

  /// The link is gone: ends what needs it, and frees the queue, since what the stack had under way went with the link.
  func linkLost(_ error: CentralError) {
    end(where: { $0.purpose == .exchange }, error)
  }

  /// The script wants the link down: ends all but those that take it down.
  func disconnectBegins(_ error: CentralError) {
    end(where: { $0.purpose != .disconnect }, error)
  }

  /// Ends everything, in the order of the queue.
  func endAll(_ error: CentralError) {
    end(where: { _ in true }, error)
  }

  private func end(where condition: (Entry) -> Bool, _ error: CentralError) {
    let ending = ([running].compactMap { $0 } + waiting).filter(condition)
    waiting.removeAll(where: condition)
    ending.forEach { stop($0, error) }
    if let running, condition(running) { left(running) }
  }

  /// One operation's caller has waited long enough.
  private func end(_ entry: Entry, _ error: CentralError) {
    guard !entry.isEnded else { return }
    stop(entry, error)
    if entry === running {
      entry.patience = clock.after(Self.patience) { [weak self] in self?.left(entry) }
    } else {
      waiting.removeAll { $0 === entry }
    }
  }

  private func stop(_ entry: Entry, _ error: CentralError) {
    entry.isEnded = true
    entry.deadline?.cancel()
    // It holds the entry.
    entry.start = nil
    entry.end(error)
    entry.task?.cancel()
  }

  /// Nothing of the entry is left in the stack.
  private func left(_ entry: Entry) {
    guard running === entry else { return }
    entry.patience?.cancel()
    running = nil
    startNext()
  }

  private func startNext() {
    guard running == nil, !waiting.isEmpty else { return }
    let entry = waiting.removeFirst()
    running = entry
    entry.task = entry.start?()
    entry.start = nil
  }

  @LoopActor
  private final class Entry {
    let purpose: Purpose
    let end: @LoopActor (CentralError) -> Void
    var start: (@LoopActor () -> Task<Void, Never>)?
    var task: Task<Void, Never>?
    var deadline: Clock.Timer?
    /// Runs once the entry has ended and what it set going has not.
    var patience: Clock.Timer?
    var isEnded = false

    init(_ purpose: Purpose, end: @escaping @LoopActor (CentralError) -> Void) {
      self.purpose = purpose
      self.end = end
    }
  }
}

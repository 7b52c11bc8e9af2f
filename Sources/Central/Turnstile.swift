internal import EventLoop

/// Lets one in at a time, in the order they came. Who is cancelled while waiting leaves the line.
@LoopActor
final class Turnstile {
  private var isTaken = false
  private var line: [OneShot<Bool>] = []

  func pass<Value: Sendable>(
    _ body: @LoopActor () async throws(CentralError) -> Value
  ) async throws(CentralError) -> Value {
    try await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async throws(CentralError) {
    guard isTaken else {
      isTaken = true
      return
    }
    let turn = OneShot<Bool>()
    line.append(turn)
    let mine = await withLoopCancellation {
      await turn.value
    } onCancel: {
      turn.finish(false)
    }
    if !mine { throw .cancelled }
  }

  private func leave() {
    while !line.isEmpty {
      if line.removeFirst().finish(true) { return }
    }
    isTaken = false
  }
}

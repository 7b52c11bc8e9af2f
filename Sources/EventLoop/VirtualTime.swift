/// Decides when a clock that stands still may jump to its next timer: when nothing is under way.
///
/// What the loop can't see is a message that has left one connection of this process and has not yet come in on
/// another. So the owner of the connections says how to look: see `quiet`.
@LoopActor
public final class VirtualTime {
  private let quiet: @LoopActor () async -> Bool
  private var isProbing = false
  private var holds = 0

  /// `quiet` looks whether anything is under way outside the loop; it may take round trips.
  public init(quiet: @escaping @LoopActor () async -> Bool) {
    self.quiet = quiet
  }

  /// Keeps the clock from jumping while something waits that goes by real time, a child process for one.
  public func hold<Result, Failure>(
    _ body: @LoopActor () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    holds += 1
    defer { holds -= 1 }
    return try await body()
  }

  /// The loop has nothing to do. Returns whether it has now.
  func idle(_ clock: Clock) -> Bool {
    guard !isProbing, holds == 0, clock.next != nil else { return false }
    isProbing = true
    Task { @LoopActor in
      if await quiet(), holds == 0, !LoopExecutor.shared.hasJobs, let next = clock.next {
        clock.advance(to: next)
      }
      isProbing = false
    }
    return true
  }
}

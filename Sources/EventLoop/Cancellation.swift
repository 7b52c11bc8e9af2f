/// Runs `body`; as soon as the calling task is cancelled, `onCancel` is called, on the loop. `body` goes on, and should
/// see to it that it ends.
@LoopActor
public func withLoopCancellation<Value: Sendable>(
  _ body: @LoopActor () async -> Value, onCancel: @escaping @LoopActor () -> Void
) async -> Value {
  await withTaskCancellationHandler {
    await body()
  } onCancel: {
    // All tasks are cancelled by code that runs on the loop.
    LoopActor.assumeIsolated(onCancel)
  }
}

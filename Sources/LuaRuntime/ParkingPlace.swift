internal import EventLoop

/// Where a task waits until another wakes it. A wake that comes first is kept, once.
@LoopActor
final class ParkingPlace: LuaObject {
  private var waiting: OneShot<Bool>?
  private var isAwake = false

  func wake() {
    if let waiting { waiting.finish(true) } else { isAwake = true }
    waiting = nil
  }

  func wait() async throws(LuaError) {
    if isAwake {
      isAwake = false
      return
    }
    guard waiting == nil else { throw LuaError("another task waits here") }
    let place = OneShot<Bool>()
    waiting = place
    let woken = await withTaskCancellationHandler {
      await place.value
    } onCancel: {
      LoopActor.assumeIsolated { _ = place.finish(false) }
    }
    if waiting === place { waiting = nil }
    if !woken { throw .cancelled }
  }

  static let luaType = LuaType("parking place", of: ParkingPlace.self) { type in
    type.waiting("wait") { place, _ async throws(LuaError) in
      try await place.wait()
      return []
    }
    type.method("wake") { place, _ in
      place.wake()
      return []
    }
  }
}

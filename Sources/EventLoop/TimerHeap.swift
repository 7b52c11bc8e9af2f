/// Timers as a binary heap, the earliest first. Each knows its position, so that one that is cancelled leaves at once.
@LoopActor
struct TimerHeap {
  private var timers: [Clock.Timer] = []

  var first: Clock.Timer? { timers.first }
  var count: Int { timers.count }

  mutating func insert(_ timer: Clock.Timer) {
    timer.position = timers.count
    timers.append(timer)
    rise(from: timers.count - 1)
  }

  /// No harm if it is not here.
  mutating func remove(_ timer: Clock.Timer) {
    guard let position = timer.position else { return }
    timer.position = nil
    let last = timers.removeLast()
    guard last !== timer else { return }
    place(last, position)
    rise(from: position)
    sink(from: last.position ?? position)
  }

  private mutating func rise(from position: Int) {
    var child = position
    while child > 0, timers[child].isBefore(timers[(child - 1) / 2]) {
      swap(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func sink(from position: Int) {
    var parent = position
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < timers.count {
        if timers[child].isBefore(timers[least]) { least = child }
      }
      guard least != parent else { return }
      swap(least, parent)
      parent = least
    }
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    let (first, second) = (timers[a], timers[b])
    place(first, b)
    place(second, a)
  }

  private mutating func place(_ timer: Clock.Timer, _ position: Int) {
    timers[position] = timer
    timer.position = position
  }
}

extension Clock.Timer {
  /// Timers of one time go in the order they were made.
  fileprivate func isBefore(_ other: Clock.Timer) -> Bool {
    (time, order) < (other.time, other.order)
  }
}

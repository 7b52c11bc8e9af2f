internal import EventLoop

/// All that is within reach of the adapters.
@LoopActor
final class Air {
  private(set) var peripherals: [Peripheral] = []
  private(set) var dongles: [Dongle] = []
  private var timers: [ObjectIdentifier: Clock.Timer] = [:]

  /// Something can be connected now that could not before.
  var onChange: () -> Void = {}

  func add(_ peripheral: Peripheral) {
    peripherals.append(peripheral)
    if isScanning { tick(peripheral) }
    changed()
  }

  func add(_ dongle: Dongle) {
    dongles.append(dongle)
  }

  func changed() {
    onChange()
  }

  func peripheral(_ address: String) -> Peripheral? { peripherals.first { $0.address == address } }

  /// Like the kernel: the lowest number that is free.
  var freeName: String {
    let taken = Set(dongles.filter(\.isPlugged).map(\.kernelName))
    let number = (0...dongles.count).first { !taken.contains("hci\($0)") } ?? dongles.count
    return "hci\(number)"
  }

  private var isScanning: Bool { dongles.contains { $0.onReport != nil } }

  /// An adapter has begun or ended to listen. Nobody advertises into the void, so that a clock that jumps has nothing
  /// to jump to.
  func scanningChanged() {
    if isScanning {
      for peripheral in peripherals where timers[ObjectIdentifier(peripheral)] == nil { tick(peripheral) }
    } else {
      for timer in timers.values { timer.cancel() }
      timers = [:]
    }
  }

  private func tick(_ peripheral: Peripheral) {
    timers[ObjectIdentifier(peripheral)] = EventLoop.shared.clock.after(peripheral.interval) {
      [weak self, weak peripheral] in
      guard let self, let peripheral else { return }
      timers[ObjectIdentifier(peripheral)] = nil
      if peripheral.isAdvertising {
        for dongle in dongles { dongle.onReport?(peripheral) }
      }
      if isScanning { tick(peripheral) }
    }
  }
}

/// The hardware of an adapter. It keeps its links when bluetoothd dies.
@LoopActor
final class Dongle {
  /// What the world calls it.
  let name: String
  /// What the kernel calls it: plugged in again, it may have another number.
  private(set) var kernelName: String
  let address: String
  var isPoweredAtStart: Bool
  private(set) var isPlugged: Bool
  var links: [Link] = []
  private weak var air: Air?

  /// Who is told of advertisements. Nil: it does not scan.
  var onReport: ((Peripheral) -> Void)? {
    didSet { air?.scanningChanged() }
  }
  /// It was pulled out, or plugged in.
  var onPlug: (Bool) -> Void = { _ in }

  init(_ air: Air, name: String, address: String, isPoweredAtStart: Bool, isPlugged: Bool = true) {
    (self.air, self.name, self.address) = (air, name, address)
    kernelName = name
    (self.isPoweredAtStart, self.isPlugged) = (isPoweredAtStart, isPlugged)
  }

  func plug(_ isPlugged: Bool) {
    guard isPlugged != self.isPlugged else { return }
    if isPlugged, let air { kernelName = air.freeName }
    self.isPlugged = isPlugged
    onPlug(isPlugged)
  }
}

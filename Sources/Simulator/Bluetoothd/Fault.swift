internal import DBus
internal import EventLoop

/// What goes wrong, and at which step: a call of bluetoothd's.
struct Fault {
  enum Effect {
    case error(name: String, message: String)
    /// The call is carried out so much later.
    case delay(Seconds)
    /// Never answered.
    case silence
    /// The peripheral hangs up; the call goes its way.
    case disconnect
    case lose
    case powerOff
    case crash
    case run(() -> Void)
  }

  /// Whom a call is about.
  struct Subject {
    var path: String
    var address: String?
    var uuid: String?
  }

  /// The method, `*` for any, or `Set` and a property.
  let step: String
  var path: String?
  var address: String?
  var uuid: String?
  /// The first, second … such call, and all after it unless ``times`` ends it.
  var nth = 1
  var times = Int.max
  let effects: [Effect]

  func concerns(_ step: String, _ subject: Subject) -> Bool {
    (self.step == "*" || self.step == step)
      && (path == nil || path == subject.path)
      && (address == nil || address == subject.address)
      && (uuid == nil || uuid == subject.uuid)
  }
}

/// The faults of a world, in its order: the first one that fits a call is it.
@LoopActor
final class Faults {
  weak var daemon: Bluetoothd?
  private var faults: [(fault: Fault, seen: Int)] = []

  func add(_ fault: Fault) {
    faults.append((fault, 0))
  }

  func clear() {
    faults = []
  }

  /// Lets a call through to `proceed`, or does to it what the world wants.
  func pass(_ step: String, _ subject: Fault.Subject, _ call: IncomingCall, _ proceed: @escaping () -> Void) {
    guard let fault = next(step, subject) else { return proceed() }
    var proceed: (() -> Void)? = proceed
    for effect in fault.effects {
      switch effect {
      case .error(let name, let message):
        call.fail(name, message)
        proceed = nil
      case .silence:
        call.drop()
        proceed = nil
      case .delay(let seconds):
        guard let later = proceed else { continue }
        proceed = nil
        EventLoop.shared.clock.after(seconds) { later() }
      case .disconnect: subject.address.flatMap({ daemon?.air.peripheral($0) })?.disconnect()
      case .lose: subject.address.flatMap({ daemon?.air.peripheral($0) })?.lose()
      case .powerOff:
        for adapter in daemon?.adapters ?? [] { adapter.powerChanged(false) }
      case .run(let body): body()
      case .crash:
        call.drop()
        // Not within a call of the server that goes down.
        EventLoop.shared.clock.after(0) { [weak daemon] in daemon?.crash() }
        return
      }
    }
    proceed?()
  }

  private func next(_ step: String, _ subject: Fault.Subject) -> Fault? {
    for index in faults.indices where faults[index].fault.concerns(step, subject) {
      faults[index].seen += 1
      let (fault, seen) = faults[index]
      if seen >= fault.nth, seen - fault.nth < fault.times { return fault }
    }
    return nil
  }
}

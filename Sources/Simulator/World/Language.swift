internal import DBus
internal import EventLoop
internal import LuaRuntime

/// The functions of the module `sim.host`, of which `scripts/lib/sim.lua` makes the language; it has checked what
/// comes.
extension World {
  typealias Body = @LoopActor (World, LuaCall) throws(LuaError) -> [LuaValue]

  var language: [LuaFunctionDefinition] {
    let parts = [timeWords, adapterWords, peripheralWords, gattWords, worldWords]
    return parts.flatMap { $0 }.map { name, body in
      .plain(name) { [weak self] call throws(LuaError) in
        guard let self else { throw LuaError("the world has ended") }
        return try body(self, call)
      }
    }
  }

  private var timeWords: [(String, Body)] {
    [
      ("after", { world, call throws(LuaError) in [.integer(try world.timer(call, isRepeated: false))] }),
      ("every", { world, call throws(LuaError) in [.integer(try world.timer(call, isRepeated: true))] }),
      (
        "cancel",
        { world, call throws(LuaError) in
          world.cancel(try call[1].integer())
          return []
        }
      ),
      ("time", { _, _ in [.number(EventLoop.shared.clock.now)] }),
    ]
  }

  private func timer(_ call: LuaCall, isRepeated: Bool) throws(LuaError) -> Int64 {
    after(try call[1].seconds(), try call[2].function(), isRepeated: isRepeated)
  }

  // MARK: Adapters

  private var adapterWords: [(String, Body)] {
    [
      (
        "adapter",
        { world, call throws(LuaError) in
          let (name, address) = (try call[1].string(), try call[2].string())
          guard !world.air.dongles.contains(where: { $0.name == name || $0.address == address }) else {
            throw LuaError("there is an adapter \(name) or \(address) already")
          }
          guard !world.isOpen else {
            throw LuaError("adapters have to be made while the world is read; unplug and plug them later")
          }
          world.air.add(
            Dongle(
              world.air, name: name, address: address, isPoweredAtStart: try call[3].boolean(),
              isPlugged: try call[4].boolean()))
          return []
        }
      ),
      (
        "power",
        { world, call throws(LuaError) in
          let dongle = try world.dongle(call)
          let isOn = try call[2].boolean()
          if world.isOpen {
            world.bluetoothd.adapter(dongle)?.powerChanged(isOn)
          } else {
            dongle.isPoweredAtStart = isOn
          }
          return []
        }
      ),
      (
        "plug",
        { world, call throws(LuaError) in
          try world.dongle(call).plug(try call[2].boolean())
          return []
        }
      ),
    ]
  }

  private func dongle(_ call: LuaCall) throws(LuaError) -> Dongle {
    let name = try call[1].string()
    guard let dongle = air.dongles.first(where: { $0.name == name }) else {
      throw LuaError("there is no adapter \(name)")
    }
    return dongle
  }

  // MARK: The world as a whole

  private var worldWords: [(String, Body)] {
    [
      (
        "bluetoothd",
        { world, call throws(LuaError) in
          world.tellBluetoothd(try call[1].string())
          return []
        }
      ),
      (
        "denied",
        { world, call throws(LuaError) in
          if let isDenied = try call[1].ifPresent?.boolean() { world.isDenied = isDenied }
          return [.boolean(world.isDenied)]
        }
      ),
      (
        "fault",
        { world, call throws(LuaError) in
          world.bluetoothd.faults.add(try world.fault(try call.options(1), try call[2].ifPresent?.function()))
          return []
        }
      ),
      (
        "no_faults",
        { world, _ in
          world.bluetoothd.faults.clear()
          return []
        }
      ),
      (
        "on_order",
        { world, call throws(LuaError) in
          world.setOrders(try call[1].function())
          return []
        }
      ),
      (
        "on_ready",
        { world, call throws(LuaError) in
          world.setReady(try call[1].function())
          return []
        }
      ),
    ]
  }

  private func fault(_ options: LuaCall.Options, _ run: LuaFunction?) throws(LuaError) -> Fault {
    var effects: [Fault.Effect] = []
    if let run { effects.append(.run { [weak self] in _ = self?.call(run) }) }
    if try options["disconnect"].boolean() { effects.append(.disconnect) }
    if try options["lose"].boolean() { effects.append(.lose) }
    if try options["power_off"].boolean() { effects.append(.powerOff) }
    if let name = try options["error"].ifPresent?.string() {
      effects.append(.error(name: name, message: try options["message"].string()))
    }
    if try options["silent"].boolean() { effects.append(.silence) }
    if try options["crash"].boolean() { effects.append(.crash) }
    if let delay = try options["delay"].ifPresent?.seconds() { effects.append(.delay(delay)) }
    if effects.isEmpty {
      throw LuaError("a fault has to do something: error, delay, silent, disconnect, lose, power_off, crash or run")
    }
    var fault = Fault(step: try options["on"].string(), effects: effects)
    fault.path = try options["path"].ifPresent?.string()
    fault.address = try options["address"].ifPresent?.string()
    fault.uuid = try options["uuid"].ifPresent?.string()
    fault.nth = Int(clamping: try options["nth"].integer())
    if let times = try options["times"].ifPresent?.integer() { fault.times = Int(clamping: times) }
    return fault
  }
}

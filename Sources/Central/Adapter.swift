public import EventLoop

/// A Bluetooth radio of this machine.
@LoopActor
public final class Adapter {
  /// As the stack told it last.
  public internal(set) var state: AdapterState
  public private(set) var isChangingPower = false

  /// Scans of this program on this adapter.
  public let discovery: Discovery
  /// Connects and changes of the scan take turns: controllers and bluetoothd do them badly at once.
  let turnstile = Turnstile()

  private unowned let central: Central

  public nonisolated var name: String { fixedName }
  private nonisolated let fixedName: String

  init(_ state: AdapterState, central: Central) {
    self.state = state
    self.central = central
    fixedName = state.name
    discovery = Discovery(adapter: state.name, central: central, turnstile: turnstile)
  }

  /// Switches it on or off. Returns when it is.
  public func setPower(_ on: Bool) async throws(CentralError) {
    guard state.isPowered != on else { return }
    isChangingPower = true
    central.tellState()
    defer {
      isChangingPower = false
      central.tellState()
    }
    do throws(CentralError) {
      try await central.backend.setPower(of: name, on: on)
    } catch {
      throw error.during("power", stage: .adapter)
    }
  }

  func requirePower() throws(CentralError) {
    if !state.isPowered { throw .adapterOff(name) }
  }
}

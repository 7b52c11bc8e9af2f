internal import DBus
internal import EventLoop

/// The daemon that owns `org.bluez`: its life, and what it has on the bus.
@LoopActor
final class Bluetoothd {
  static let name = "org.bluez"
  static let root: ObjectPath = "/org/bluez"

  let air: Air
  let faults = Faults()
  var storage = Storage()
  private(set) var adapters: [Adapter] = []
  private(set) lazy var agents = Agents(self)
  private(set) var connection: Connection?
  private(set) var server: ObjectServer?
  private var leaving: Listener?
  /// The address of the bus.
  var bus = ""

  init(_ air: Air) {
    self.air = air
    faults.daemon = self
  }

  var isRunning: Bool { connection != nil }

  /// From owning the name to the first adapter.
  static let adapterDelay: Seconds = 0.02

  /// It takes its name, and a little later has its adapters.
  func start() async throws(DBusError) {
    guard connection == nil else { return }
    let connection = try await Connection.open(.address(bus), timeout: 30)
    guard self.connection == nil else { return connection.close() }
    self.connection = connection
    let server = ObjectServer(connection)
    self.server = server
    leaving = connection.listen(
      MatchRule(sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
    ) { [weak self] signal in
      let names = signal.arguments.compactMap(\.string)
      if names.count == 3, names[0].hasPrefix(":"), names[2].isEmpty { self?.forget(names[0]) }
    }
    try await connection.requestName(Bluetoothd.name)
    server.add([AgentManagerInterface(self)] + PlaceholderInterface.ofRoot(self, Bluetoothd.root), at: Bluetoothd.root)
    air.onChange = { [weak self] in
      for adapter in self?.adapters ?? [] { adapter.airChanged() }
    }
    for dongle in air.dongles {
      dongle.onPlug = { [weak self, weak dongle] isPlugged in
        if let dongle { self?.plugged(dongle, isPlugged) }
      }
    }
    EventLoop.shared.clock.after(Bluetoothd.adapterDelay) { [weak self] in
      guard let self, self.server === server else { return }
      for dongle in air.dongles where dongle.isPlugged { appear(dongle) }
    }
  }

  private func appear(_ dongle: Dongle) {
    guard let path = ObjectPath("/org/bluez/\(dongle.name)"), !adapters.contains(where: { $0.dongle === dongle }) else {
      return
    }
    let adapter = Adapter(self, dongle, path)
    adapters.append(adapter)
    adapter.appear()
  }

  func adapter(_ dongle: Dongle) -> Adapter? { adapters.first { $0.dongle === dongle } }

  private func plugged(_ dongle: Dongle, _ isPlugged: Bool) {
    if isPlugged {
      EventLoop.shared.clock.after(0.05) { [weak self] in
        if dongle.isPlugged, self?.isRunning == true { self?.appear(dongle) }
      }
    } else if let adapter = adapter(dongle) {
      adapter.unplugged()
      adapters.removeAll { $0 === adapter }
    }
  }

  /// SIGTERM: all is announced, the adapter before its devices (seen: transcript restart).
  func stop() async {
    guard let connection, let server else { return }
    agents.release()
    for adapter in adapters {
      for device in adapter.devices { device.dropCalls() }
      adapter.powerChanged(false, quietly: true)
    }
    server.flush()
    for adapter in adapters {
      server.remove(at: adapter.path)
      server.flush()
      for device in adapter.devices { adapter.remove(device) }
    }
    server.remove(at: Bluetoothd.root)
    server.flush()
    try? await connection.releaseName(Bluetoothd.name)
    try? await connection.roundTrip()
    die()
  }

  /// SIGKILL: the bus notices, nobody else says anything. Links stay up.
  func crash() {
    for dongle in air.dongles {
      for link in dongle.links { link.owner = nil }
    }
    die()
  }

  private func die() {
    for device in adapters.flatMap(\.devices) { device.dropCalls() }
    for dongle in air.dongles {
      dongle.onReport = nil
      dongle.onPlug = { _ in }
    }
    air.onChange = {}
    adapters = []
    agents.clear()
    leaving?.cancel()
    connection?.close()
    (leaving, server, connection) = (nil, nil, nil)
  }

  /// A client has left the bus.
  private func forget(_ client: String) {
    agents.forget(client)
    for adapter in adapters { adapter.forget(client) }
  }
}

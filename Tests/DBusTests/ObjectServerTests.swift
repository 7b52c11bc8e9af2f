import DBus
import EventLoop
import Testing

/// Answers and orders are those of the real `bluetoothd` 5.66.
@Suite struct ObjectServerTests {
  init() { EventLoop.runInBackground() }

  private func unknown(_ error: String, _ member: String, _ signature: String, _ interface: String) -> String {
    "\(error): Method \"\(member)\" with signature \"\(signature)\" on interface \"\(interface)\" doesn't exist\n"
  }

  @Test @LoopActor func whatThereIsNot() async throws {
    let exports = try await Exports()
    let (hci0, nobody): (ObjectPath, ObjectPath) = ("/org/bluez/hci0", "/org/bluez/hci0/dev_00_00_00_00_00_00")
    exports.server.add([Exported.agents()], at: "/org/bluez")
    exports.server.add([Exported.adapter()], at: hci0)
    let (adapter, device) = ("org.bluez.Adapter1", "org.bluez.Device1")
    #expect(await exports.call(nobody, device, "Connect") == unknown("UnknownObject", "Connect", "", device))
    #expect(await exports.call("/nowhere", "org.freedesktop.DBus.Peer", "Ping") == "")
    #expect(await exports.call(hci0, adapter, "Nonesuch") == unknown("UnknownMethod", "Nonesuch", "", adapter))
    #expect(
      await exports.call(hci0, adapter, "StartDiscovery", .string("x"))
        == unknown("UnknownMethod", "StartDiscovery", "s", adapter))
    #expect(
      await exports.call(hci0, "org.bluez.Nonesuch1", "M") == unknown("UnknownMethod", "M", "", "org.bluez.Nonesuch1"))
    #expect(
      await exports.call(hci0, adapter, "ConnectDevice", .properties())
        == unknown("UnknownMethod", "ConnectDevice", "a{sv}", adapter))
    #expect(
      await exports.call(hci0, adapter, "RemoveDevice", .string("/x"))
        == unknown("UnknownMethod", "RemoveDevice", "s", adapter))
    #expect(await exports.call("/org", adapter, "M") == unknown("UnknownMethod", "M", "", adapter))
    for (path, error) in [(nobody, "UnknownObject"), ("/org/bluez", "UnknownMethod"), ("/", "UnknownMethod")] {
      #expect(
        await exports.call(path, propertiesName, "Get", .string(device), .string("Name"))
          == unknown(error, "Get", "ss", propertiesName))
    }
    let manager = "org.freedesktop.DBus.ObjectManager"
    #expect(
      await exports.call("/org/bluez", manager, "GetManagedObjects")
        == unknown("UnknownMethod", "GetManagedObjects", "", manager))
    #expect(
      await exports.call("/org/bluez", propertiesName, "GetAll", .string("org.bluez.AgentManager1"))
        == unknown("UnknownMethod", "GetAll", "s", propertiesName))
    exports.close()
  }

  @Test @LoopActor func aConnectionWithoutObjectsAnswersToo() async throws {
    try await withConnection { client in
      try await withConnection { other in
        let failure = await failure { () async throws(DBusError) in
          _ = try await client.call(other.uniqueName, "/", "a.b", "C", timeout: 30)
        }
        #expect(failure?.name == "org.freedesktop.DBus.Error.UnknownObject")
        _ = try await client.call(other.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping", timeout: 30)
      }
    }
  }

  @Test @LoopActor func properties() async throws {
    let exports = try await Exports()
    let path: ObjectPath = "/org/bluez/hci0"
    let adapter = Exported.adapter(["Address": .string("AA"), "Alias": .string("x")])
    exports.server.add([adapter], at: path)
    func call(_ member: String, _ arguments: String..., value: Value? = nil) async -> String {
      let values = arguments.map { Value.string($0) } + (value.map { [.variant($0)] } ?? [])
      switch values.count {
      case 1: return await exports.call(path, propertiesName, member, values[0])
      case 2: return await exports.call(path, propertiesName, member, values[0], values[1])
      default: return await exports.call(path, propertiesName, member, values[0], values[1], values[2])
      }
    }
    let name = "org.bluez.Adapter1"
    #expect(await call("Get", name, "Address") == "AA")
    #expect(await call("Get", name, "Nonesuch") == "InvalidArgs: No such property 'Nonesuch'")
    #expect(await call("Get", name, "Modalias") == "InvalidArgs: No such property 'Modalias'")
    #expect(await call("Get", name, "Secret") == "InvalidArgs: Property 'Secret' is not readable")
    #expect(await call("Get", "a.b", "X") == "InvalidArgs: No such interface 'a.b'")
    #expect(await call("GetAll", "a.b") == "InvalidArgs: No such interface 'a.b'")
    #expect(await call("Set", "a.b", "X", value: .byte(1)) == "InvalidArgs: No such interface 'a.b'")
    #expect(await call("Set", name, "Nonesuch", value: .byte(1)) == "UnknownProperty: No such property 'Nonesuch'")
    #expect(await call("Set", name, "Powered", value: .bool(true)) == "UnknownProperty: No such property 'Powered'")
    #expect(
      await call("Set", name, "Address", value: .string("")) == "PropertyReadOnly: Property 'Address' is not writable")
    #expect(await call("Set", name, "Alias", value: .byte(1)) == "InvalidSignature: Invalid signature for 'Alias'")
    #expect(await call("Set", propertiesName, "X", value: .byte(1)) == "UnknownProperty: No such property 'X'")
    #expect(await call("Set", name, "Alias", value: .string("new")) == "")
    #expect(await call("Set", name, "Secret", value: .string("s")) == "")
    #expect(adapter.values["Alias"] == .string("new") && adapter.values["Secret"] == .string("s"))
    let all = try await exports.client.call(
      exports.connection.uniqueName, path, propertiesName, "GetAll", [.string(name)], timeout: 30)
    #expect(all == [.properties([("Address", .string("AA")), ("Alias", .string("new"))])])
    exports.close()
  }

  @Test @LoopActor func managedObjects() async throws {
    let exports = try await Exports()
    exports.server.add([Exported.agents()], at: "/org/bluez")
    exports.server.add([Exported.adapter()], at: "/org/bluez/hci0")
    let values = try await exports.client.call(
      exports.connection.uniqueName, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", timeout: 30)
    func none(_ name: String) -> (Value, Value) { (.string("org.freedesktop.DBus." + name), .properties()) }
    let expected = Value.dictionary(
      key: .path, value: "a{sa{sv}}",
      [
        (
          .path("/org/bluez"),
          .dictionary(
            key: .text, value: "a{sv}",
            [none("Introspectable"), (.string("org.bluez.AgentManager1"), .properties())])
        ),
        (
          .path("/org/bluez/hci0"),
          .dictionary(
            key: .text, value: "a{sv}",
            [
              none("Introspectable"),
              (.string("org.bluez.Adapter1"), .properties([("Address", .string("AA:BB:CC:00:00:01"))])),
              none("Properties"),
            ])
        ),
      ])
    #expect(values == [expected])
    // The announcement came before the answer.
    #expect(try await exports.news().count == 2)
    exports.close()
  }

  @Test @LoopActor func parentsAreAnnouncedFirstAndChangesGoIntoTheAnnouncement() async throws {
    let exports = try await Exports()
    let device = Exported.device(["RSSI": .int16(-70)])
    exports.server.add([device], at: "/org/bluez/hci0/dev_1")
    exports.server.add([Exported.adapter()], at: "/org/bluez/hci0")
    device.values = ["RSSI": .int16(-71), "Name": .string("n")]
    exports.server.changed("/org/bluez/hci0/dev_1", "org.bluez.Device1", "RSSI")
    exports.server.changed("/org/bluez/hci0/dev_1", "org.bluez.Device1", "Name")
    #expect(
      try await exports.news() == [
        "added / /org/bluez/hci0: Introspectable Adapter1,Address=AA:BB:CC:00:00:01 Properties",
        "added / /org/bluez/hci0/dev_1: Introspectable Device1,Name=n,RSSI=-71 Properties",
      ])
    // Gone before anybody heard of it: nothing is told.
    exports.server.add([Exported.device()], at: "/org/bluez/hci0/dev_2")
    exports.server.remove(at: "/org/bluez/hci0/dev_2")
    #expect(try await exports.news() == [])
    exports.close()
  }

  @Test @LoopActor func changesOfOneObjectShareASignal() async throws {
    let exports = try await Exports()
    let device = Exported.device(["RSSI": .int16(-70), "Name": .string("n"), "Connected": .bool(false)])
    exports.server.add([device], at: "/d")
    _ = try await exports.news()
    device.values["RSSI"] = .int16(-60)
    exports.server.changed("/d", "org.bluez.Device1", "Connected")
    exports.server.changed("/d", "org.bluez.Device1", "RSSI")
    exports.server.changed("/d", "org.bluez.Device1", "RSSI")
    exports.server.changed("/d", "org.bluez.Device1", "Nonesuch")
    exports.server.changed("/nowhere", "org.bluez.Device1", "RSSI")
    device.values["Connected"] = .bool(true)
    device.values["Name"] = nil
    exports.server.changed("/d", "org.bluez.Device1", "Name")
    #expect(try await exports.news() == ["/d Connected=true RSSI=-60 -Name"])
    for value in 1...3 {
      device.values["RSSI"] = .int16(Int16(value))
      exports.server.send(now: "/d", "org.bluez.Device1", "RSSI")
    }
    #expect(try await exports.news() == ["/d RSSI=1", "/d RSSI=2", "/d RSSI=3"])
    exports.close()
  }

  /// Idle handlers run by the last change of each object, a flush goes by the first.
  @Test @LoopActor func theOrderOfChanges() async throws {
    let exports = try await Exports()
    let devices = (0..<2).map { _ in Exported.device(["RSSI": .int16(1), "Connected": .bool(true)]) }
    for (device, path) in zip(devices, ["/a", "/b"] as [ObjectPath]) { exports.server.add([device], at: path) }
    _ = try await exports.news()
    func change() {
      exports.server.changed("/a", "org.bluez.Device1", "RSSI")
      exports.server.changed("/b", "org.bluez.Device1", "RSSI")
      exports.server.changed("/a", "org.bluez.Device1", "Connected")
    }
    change()
    #expect(try await exports.news() == ["/b RSSI=1", "/a RSSI=1 Connected=true"])
    change()
    try exports.server.emit("/a", "a.b", "C")
    #expect(try await exports.news() == ["/a RSSI=1 Connected=true", "/b RSSI=1", "signal /a C"])
    exports.close()
  }

  @Test @LoopActor func changesComeBeforeTheAnswer() async throws {
    let exports = try await Exports()
    @LoopActor final class Switch: ExportedInterface {
      let description = InterfaceDescription(
        "a.Switch", methods: [.init("Flip"), .init("Fail")], properties: [.init("On", .bool)])
      weak var server: ObjectServer?
      func get(_ property: String) -> Value? { .bool(true) }
      func call(_ call: IncomingCall) {
        server?.changed("/s", "a.Switch", "On")
        if call.member == "Flip" { call.reply() } else { call.fail("a.Error", "no") }
      }
    }
    let flip = Switch()
    flip.server = exports.server
    exports.server.add([flip], at: "/s")
    _ = try await exports.news()
    #expect(await exports.call("/s", "a.Switch", "Flip") == "")
    #expect(exports.heard == ["/s On=true"])
    #expect(await exports.call("/s", "a.Switch", "Fail") == "Error: no")
    #expect(exports.heard == ["/s On=true", "/s On=true"])
    exports.close()
  }

  @Test @LoopActor func removals() async throws {
    let exports = try await Exports()
    let battery = Exported(InterfaceDescription("org.bluez.Battery1", properties: [.init("Percentage", .byte)]))
    let device = Exported.device(["RSSI": .int16(1)])
    exports.server.add([device, battery], at: "/d")
    _ = try await exports.news()
    exports.server.remove(at: "/d", interface: "org.bluez.Battery1")
    exports.server.remove(at: "/d", interface: "org.bluez.Nonesuch")
    #expect(try await exports.news() == ["removed /d: Battery1"])
    #expect(await exports.call("/d", "org.bluez.Device1", "Connect") == "")
    exports.server.changed("/d", "org.bluez.Device1", "RSSI")
    exports.server.remove(at: "/d")
    #expect(try await exports.news() == ["/d RSSI=1", "removed /d: Properties Introspectable Device1"])
    #expect(exports.server.paths.isEmpty)
    #expect(
      await exports.call("/d", "org.bluez.Device1", "Connect")
        == unknown("UnknownObject", "Connect", "", "org.bluez.Device1"))
    exports.server.add([device], at: "/d")
    #expect(try await exports.news() == ["added / /d: Introspectable Device1,RSSI=1 Properties"])
    exports.close()
  }

  @Test @LoopActor func anAnswerThatDBusDoesNotAllowIsAnError() async throws {
    let exports = try await Exports()
    @LoopActor final class Odd: ExportedInterface {
      let description = InterfaceDescription("a.Odd", methods: [.init("M")])
      func call(_ call: IncomingCall) { call.reply([.string("\0")]) }
    }
    exports.server.add([Odd()], at: "/o")
    #expect(await exports.call("/o", "a.Odd", "M") == "InvalidArgs: a string has a NUL inside")
    exports.close()
  }

  @Test @LoopActor func objectsOutsideTheRootAreNotAnnounced() async throws {
    let exports = try await Exports()
    let server = ObjectServer(exports.connection, root: "/app")
    server.add([Exported.agents()], at: "/app/one")
    server.add([Exported.agents()], at: "/apple")
    #expect(try await exports.news() == ["added /app /app/one: Introspectable AgentManager1"])
    #expect(
      await exports.call("/apple", "org.bluez.AgentManager1", "UnregisterAgent", .path("/x")) == "")
    server.close()
    exports.close()
  }
}

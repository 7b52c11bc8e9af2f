import DBus
import EventLoop
import Testing

/// Lines as the real `bluetoothd` 5.66 gives them.
@Suite struct IntrospectionTests {
  init() { EventLoop.runInBackground() }

  private static let introspect = "method | org.freedesktop.DBus.Introspectable | Introspect | out s xml"

  @Test @LoopActor func eachPathTellsWhatItIsAndWhatIsBelow() async throws {
    let exports = try await Exports()
    exports.server.add([Exported.agents()], at: "/org/bluez")
    exports.server.add([Exported.adapter()], at: "/org/bluez/hci1")
    exports.server.add([Exported.adapter()], at: "/org/bluez/hci0")
    func introspect(_ path: ObjectPath) async -> [String] {
      outline(await exports.call(path, "org.freedesktop.DBus.Introspectable", "Introspect"))
    }
    #expect(
      await introspect("/") == [
        Self.introspect,
        "method | org.freedesktop.DBus.ObjectManager | GetManagedObjects | out a{oa{sa{sv}}} objects",
        "signal | org.freedesktop.DBus.ObjectManager | InterfacesAdded | out o object | out a{sa{sv}} interfaces",
        "signal | org.freedesktop.DBus.ObjectManager | InterfacesRemoved | out o object | out as interfaces",
        "node | org",
      ])
    #expect(await introspect("/org") == ["node | bluez"])
    #expect(await introspect("/nowhere") == [])
    #expect(
      await introspect("/org/bluez") == [
        "method | org.bluez.AgentManager1 | RegisterAgent | in o agent | in s capability",
        "method | org.bluez.AgentManager1 | UnregisterAgent | in o agent", Self.introspect, "node | hci0",
        "node | hci1",
      ])
    #expect(
      await introspect("/org/bluez/hci0") == [
        "method | org.bluez.Adapter1 | GetDiscoveryFilters | out as filters",
        "method | org.bluez.Adapter1 | Old | Deprecated=true",
        "method | org.bluez.Adapter1 | RemoveDevice | in o device",
        "method | org.bluez.Adapter1 | SetDiscoveryFilter | in a{sv} properties",
        "method | org.bluez.Adapter1 | StartDiscovery", Self.introspect,
        "method | org.freedesktop.DBus.Properties | Get | in s interface | in s name | out v value",
        "method | org.freedesktop.DBus.Properties | GetAll | in s interface | out a{sv} properties",
        "method | org.freedesktop.DBus.Properties | Set | in s interface | in s name | in v value",
        "property | org.bluez.Adapter1 | Address | s | read", "property | org.bluez.Adapter1 | Alias | s | readwrite",
        "property | org.bluez.Adapter1 | Modalias | s | read",
        "property | org.bluez.Adapter1 | Powered | b | readwrite",
        "property | org.bluez.Adapter1 | Secret | s | write",
        "signal | org.freedesktop.DBus.Properties | PropertiesChanged | out s interface | out a{sv} changed_properties"
          + " | out as invalidated_properties",
      ])
    exports.server.remove(at: "/org/bluez/hci1")
    exports.server.remove(at: "/org/bluez")
    #expect(await introspect("/org/bluez") == ["node | hci0"])
    exports.server.remove(at: "/org/bluez/hci0")
    #expect(await introspect("/org") == [])
    #expect(await introspect("/").last?.hasPrefix("signal") == true)
    exports.close()
  }
}

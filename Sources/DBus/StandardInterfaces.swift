/// The interfaces that D-Bus itself defines, described as gdbus describes them.
extension InterfaceDescription {
  static let introspectable = InterfaceDescription(
    "org.freedesktop.DBus.Introspectable", methods: [Method("Introspect", out: [Argument("xml", "s")])])

  static let properties = InterfaceDescription(
    "org.freedesktop.DBus.Properties",
    methods: [
      Method("Get", in: [Argument("interface", "s"), Argument("name", "s")], out: [Argument("value", "v")]),
      Method("Set", in: [Argument("interface", "s"), Argument("name", "s"), Argument("value", "v")]),
      Method("GetAll", in: [Argument("interface", "s")], out: [Argument("properties", "a{sv}")]),
    ],
    signals: [
      Signal(
        "PropertiesChanged",
        [
          Argument("interface", "s"), Argument("changed_properties", "a{sv}"),
          Argument("invalidated_properties", "as"),
        ])
    ])

  static let objectManager = InterfaceDescription(
    "org.freedesktop.DBus.ObjectManager",
    methods: [Method("GetManagedObjects", out: [Argument("objects", "a{oa{sa{sv}}}")])],
    signals: [
      Signal("InterfacesAdded", [Argument("object", "o"), Argument("interfaces", "a{sa{sv}}")]),
      Signal("InterfacesRemoved", [Argument("object", "o"), Argument("interfaces", "as")]),
    ])

  static let peerName = "org.freedesktop.DBus.Peer"
}

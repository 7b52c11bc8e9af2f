internal import Glibc

extension Connection {
  /// Where a message bus is.
  public enum Address: Hashable, Sendable {
    /// What `DBUS_SYSTEM_BUS_ADDRESS` says, or the default socket.
    case system
    /// As the D-Bus Specification writes it, `unix:path=/run/bus`; several are tried in turn, with semicolons between.
    case address(String)

    /// The address itself.
    var text: String {
      switch self {
      case .address(let text): text
      case .system:
        // D-Bus Specification, Well-known Message Bus Instances.
        getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/var/run/dbus/system_bus_socket"
      }
    }

    /// For error messages.
    var place: String {
      switch self {
      case .system: "system bus at \(text)"
      case .address: "message bus at \(text)"
      }
    }
  }
}

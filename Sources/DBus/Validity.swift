internal import CDBus
internal import Glibc

extension String {
  /// Whether one of libdbus's own checks accepts this. They take C strings, so a NUL inside must be looked for first.
  func isValid(
    _ check: (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t
  ) -> Bool {
    !hasNUL && withCString { check($0, nil) != 0 }
  }

  var hasNUL: Bool {
    utf8.withContiguousStorageIfAvailable { !$0.isEmpty && memchr($0.baseAddress!, 0, $0.count) != nil }
      ?? utf8.contains(0)  // a buffer that is not empty has a base
  }

  var isInterfaceName: Bool { isValid(dbus_validate_interface) }
  var isMemberName: Bool { isValid(dbus_validate_member) }
  var isBusName: Bool { isValid(dbus_validate_bus_name) }
  var isErrorName: Bool { isValid(dbus_validate_error_name) }
}

internal import Glibc

/// Where the Lua that ships with the program is.
enum Installation {
  static let version = "0.1.0"

  /// `$BLESCRIPT_SCRIPTS`; else beside an installed program (`../share/blescript/scripts`); else in the checkout that the
  /// program was built in. Nil: nowhere.
  static let scripts: String? = {
    if let named = getenv("BLESCRIPT_SCRIPTS") { return String(cString: named) }
    guard let program = realPath("/proc/self/exe") else { return nil }
    var folders = program.split(separator: "/").dropLast()
    var candidates = ["/" + (folders.dropLast() + ["share", "blescript", "scripts"]).joined(separator: "/")]
    while !folders.isEmpty {
      folders = folders.dropLast()
      candidates.append("/" + (folders + ["scripts"]).joined(separator: "/"))
    }
    return candidates.first { isReadable($0 + "/lib/ble.lua") }
  }()

  /// The user's own modules: `$XDG_CONFIG_HOME/blescript` or `~/.config/blescript`.
  static var userFolder: String? {
    if let config = getenv("XDG_CONFIG_HOME"), config.pointee != 0 { return String(cString: config) + "/blescript" }
    return getenv("HOME").map { String(cString: $0) + "/.config/blescript" }
  }

  static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// Whether all these can be read; says which can't.
func areReadable(_ files: [String]) -> Bool {
  for file in files {
    guard let stream = fopen(file, "r") else {
      Output.message("blescript: can't read \(file): \(String(cString: strerror(errno)))")
      return false
    }
    defer { fclose(stream) }
    var status = stat()
    guard fstat(fileno(stream), &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      Output.message("blescript: can't read \(file): \(String(cString: strerror(EISDIR)))")
      return false
    }
  }
  return true
}

/// The folder that a file is in.
func folder(of file: String) -> String {
  guard let slash = file.lastIndex(of: "/") else { return "." }
  return slash == file.startIndex ? "/" : String(file[..<slash])
}

internal import Glibc

/// Where `require` looks for Lua files, after modules of the host: in this order, then where Lua and LuaRocks keep theirs.
public struct ModulePath: Sendable {
  /// What ships with the program.
  public var library: String?
  /// The folder of the script.
  public var script: String?
  /// The user's own folder.
  public var user: String?

  public init(library: String? = nil, script: String? = nil, user: String? = nil) {
    (self.library, self.script, self.user) = (library, script, user)
  }

  /// Goes before Lua's `package.path`.
  var path: String {
    let folders = [library, script, user, rocks.map { "\($0)/share/lua/5.4" }].compactMap { $0 }
    return folders.map { "\($0)/?.lua;\($0)/?/init.lua;" }.joined()
  }

  /// Goes before Lua's `package.cpath`.
  var nativePath: String {
    rocks.map { "\($0)/lib/lua/5.4/?.so;" } ?? ""
  }

  /// The tree of `luarocks --local`.
  private var rocks: String? {
    getenv("HOME").map { "\(String(cString: $0))/.luarocks" }
  }

  static let code = """
    local path, cpath = ...
    package.path = path .. package.path
    package.cpath = cpath .. package.cpath
    """
}

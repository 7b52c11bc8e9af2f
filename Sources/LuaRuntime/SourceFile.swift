internal import Glibc

public enum SourceFile {
  /// All bytes of a file; the error names it.
  public static func read(_ path: String) throws(LuaError) -> [UInt8] {
    guard let file = fopen(path, "r") else {
      throw LuaError("cannot open \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    guard ferror(file) == 0 else { throw LuaError("cannot read \(path)") }
    return bytes
  }
}

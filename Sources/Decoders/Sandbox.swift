internal import EventLoop
internal import LuaRuntime

/// The Lua state in which decoders run: scripts/lib/decoder/sandbox.lua inside, limits around it.
@LoopActor
final class Sandbox {
  /// A decoder as its file describes it.
  struct Description {
    let file: String
    let number: Int
    let name: String
    let version: String
    /// Where there is only one.
    let model: String?
    let keyLength: Int?
    let rules: [Rule]
    let tests: [LuaTable]
  }

  /// Bytes for all decoders together.
  static let memoryLimit = 32 << 20
  /// For reading a file, and for one advertisement; see ``LuaRuntime/instructionLimit``.
  static let (loadLimit, decodeLimit) = (5_000_000, 200_000)

  private let runtime: LuaRuntime
  private let add, decode: LuaFunction
  /// How often Lua was entered for an advertisement.
  private(set) var calls = 0

  /// `library`: the folder of the Lua modules that ship.
  init(library: String) throws(LuaError) {
    runtime = try LuaRuntime(memoryLimit: Self.memoryLimit, path: ModulePath(library: library))
    try CryptoModule.register(in: runtime)
    let code = Array("return require 'decoder.sandbox'".utf8)
    let functions = try runtime.call(try runtime.load(code, name: "=[host]")).first?.table
    guard let add = functions?["add"].function, let decode = functions?["decode"].function else {
      throw LuaError("\(library)/decoder/sandbox.lua does not return its functions")
    }
    (self.add, self.decode) = (add, decode)
  }

  func close() { runtime.close() }

  /// Whether what is kept leaves little room.
  var isFull: Bool {
    guard runtime.memory.bytes > Self.memoryLimit / 2 else { return false }
    runtime.collectGarbage()
    return runtime.memory.bytes > Self.memoryLimit / 2
  }

  /// Runs a decoder file, and checks it.
  func load(_ file: String) throws(LuaError) -> Description {
    let code = try SourceFile.read(file)
    runtime.instructionLimit = Self.loadLimit
    let table = try runtime.call(add, [.string(code), LuaValue(file)]).first?.table ?? LuaTable()
    return Description(
      file: file, number: Int(table["number"].integer ?? 0), name: table["name"].text ?? "",
      version: table["version"].text ?? "", model: table["model"].text,
      keyLength: table["key_bytes"].integer.map { Int($0) },
      rules: table["match"].table?.array.compactMap(\.table).map { Rule($0) } ?? [],
      tests: table["tests"].table?.array.compactMap(\.table) ?? [])
  }

  /// A table of fields; nil; or nil and why there is none.
  func decode(
    _ decoder: Int, rule: String, payload: [UInt8], advertisement: LuaTable, key: [UInt8]?
  ) throws(LuaError) -> (reading: LuaTable?, reason: String?) {
    calls += 1
    runtime.instructionLimit = Self.decodeLimit
    let values = try runtime.call(
      decode,
      [
        LuaValue(decoder), LuaValue(rule), .string(payload), .table(advertisement), key.map { .string($0) } ?? .nil,
      ])
    return (values.first?.table, values.count > 1 ? values[1].text : nil)
  }
}

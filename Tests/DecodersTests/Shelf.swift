import EventLoop
import Glibc
import LuaRuntime
import Testing

@testable import Decoders

let scripts = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/scripts"

/// A folder of decoder files, and what was told about them.
@LoopActor
final class Shelf {
  let path: String
  private(set) var problems: [String] = []
  private(set) var decoders: Decoders!

  /// Contents by name, without ".lua".
  init(_ files: [String: String], and more: [String: String]? = nil) throws {
    var template = Array("/tmp/decodersXXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
    var folders = [path]
    for (name, text) in files { try write(text, to: "\(path)/\(name).lua") }
    if let more {
      folders.append(path + "/more")
      mkdir(path + "/more", 0o700)
      for (name, text) in more { try write(text, to: "\(path)/more/\(name).lua") }
    }
    decoders = try Decoders(library: scripts + "/lib", folders: folders) { [unowned self] in
      problems.append($0.replacing(path + "/", with: ""))
    }
  }

  isolated deinit {
    for folder in [path + "/more", path] {
      if let directory = opendir(folder) {
        while let entry = readdir(directory) {
          unlink(folder + "/" + withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
        }
        closedir(directory)
      }
      rmdir(folder)
    }
  }

  private func write(_ text: String, to file: String) throws {
    let stream = try #require(fopen(file, "w"))
    fputs(text, stream)
    fclose(stream)
  }

  /// What an advertisement of company 0x1234, if nothing else is given, is.
  func decode(
    _ payload: [UInt8] = [1], company: Int = 0x1234, name: String? = nil, address: String = "AA:BB:CC:00:00:01",
    services: [String] = [], serviceData: [String: [UInt8]] = [:], key: [UInt8]? = nil
  ) throws -> Decoders.Answer {
    try decoders.decode(
      LuaTable(named: [
        ("address", LuaValue(address)), ("name", LuaValue(name)), ("services", LuaValue(services.map { LuaValue($0) })),
        ("manufacturer_data", .table(LuaTable([], fields: [(LuaValue(company), .string(payload))]))),
        ("service_data", .table(LuaTable(named: serviceData.map { ($0, .string($1)) }))),
      ]), key: key)
  }
}

/// A decoder file of company 0x1234 with one field `n`.
func decoder(
  _ name: String, match: String = "{ id = 'a', company = 0x1234 }", _ body: String = "return { n = 1 }",
  key: String = "nil", fields: String = "{ n = {} }"
) -> String {
  """
  return {
    meta = { name = "\(name)", version = "1", models = { "Thing" } },
    match = { \(match) },
    fields = \(fields),
    key = \(key),
    decode = function(payload, ctx) \(body) end,
    tests = { { manufacturer_data = { [0x1234] = "01" }, expect = { n = 1 } } },
  }
  """
}

extension Decoders.Answer {
  /// `decoder/rule`, or why there is no reading.
  var who: String {
    switch self {
    case .reading(let reading): "\(reading["decoder"].text ?? "")/\(reading["rule"].text ?? "")"
    case .unreadable(let reason, let decoder): "\(decoder): \(reason)"
    case .nobody: "nobody"
    }
  }

  var reading: LuaTable? {
    if case .reading(let reading) = self { reading } else { nil }
  }
}

import Testing

/// Which of our modules, and of the system's C libraries, each target may import.
/// docs/architecture.md has the same table with reasons.
let mayImport: [String: Set<String>] = [
  "EventLoop": ["CUV", "CSwiftRuntime"],
  "Bluetooth": [],
  "DBus": ["CDBus", "EventLoop"],
  "Central": ["Bluetooth", "EventLoop"],
  "BlueZ": ["Central", "Bluetooth", "DBus", "EventLoop"],
  "LuaRuntime": ["LuaGate", "EventLoop"],
  "LuaBLE": ["LuaRuntime", "Central", "Bluetooth", "EventLoop"],
  "Decoders": ["LuaRuntime", "Bluetooth", "CCrypto", "EventLoop"],
  "Simulator": ["DBus", "LuaRuntime", "Bluetooth", "EventLoop"],
  "CLI": [
    "EventLoop", "Bluetooth", "DBus", "Central", "BlueZ", "LuaRuntime", "LuaBLE", "Decoders", "Simulator", "CEdit",
    "CGetopt",
  ],
  "blescript": ["CLI"],
]

/// What comes with the language and the C library. Not Foundation: it costs start-up time and memory.
private let anybodyMayImport: Set<String> = ["Glibc", "Synchronization"]

/// Targets of C: no Swift in them.
private let libraries: Set<String> = ["CDBus", "CUV", "CEdit", "CCrypto", "CGetopt", "CSwiftRuntime", "LuaGate"]

@Suite struct ImportTests {
  @Test func everyImportIsInTheTable() throws {
    for file in try SourceFile.all(below: "Sources", extensions: ["swift"]) {
      guard let allowed = mayImport[file.room] else {
        Issue.record("\(file.path): the table of who may import whom has no target \(file.room)")
        continue
      }
      for (line, module) in file.imports() where !allowed.union(anybodyMayImport).contains(module) {
        let list = allowed.isEmpty ? "none of ours" : allowed.sorted().joined(separator: ", ")
        Issue.record("\(file.path):\(line): \(file.room) may not import \(module); it may import \(list)")
      }
    }
  }

  @Test func onlyTheGateNamesLuasFunctions() throws {
    let call = /\blua(?:L|_|opcode)\w*\s*\(|\b(?:lua|luaL)_\w+/
    for file in try SourceFile.all(below: "Sources", extensions: ["swift", "c", "h", "modulemap"])
    where !file.path.hasPrefix("Sources/LuaGate/") {
      for (line, found) in file.matches(of: call) where found != "lua_State" {
        Issue.record(
          "\(file.path):\(line): \(found) may raise by longjmp over a Swift frame; only the C of LuaGate may name it")
      }
    }
  }

  @Test func theGatesHeaderDeclaresNoneOfLuasFunctions() throws {
    for file in try SourceFile.all(below: "Sources/LuaGate/include", extensions: ["h", "modulemap"]) {
      for (line, found) in file.matches(of: /#\s*include\s*[<"]l(?:ua|auxlib|ualib)\.h[">]|\b(?:lua|luaL)_\w+\s*\(/) {
        Issue.record("\(file.path):\(line): \(found): Swift could name what raises; declare lua_State and no more")
      }
    }
  }

  @Test func theTableHasNoTargetTooMany() throws {
    let folders = Set(try SourceFile.all(below: "Sources", extensions: ["swift", "h", "c"]).map(\.room))
    #expect(folders.subtracting(libraries).isSubset(of: mayImport.keys))
    // The other way round the table may be ahead of the sources, but not with a misspelt name.
    let known = libraries.union(mayImport.keys)
    for (target, allowed) in mayImport { #expect(allowed.isSubset(of: known), "\(target)") }
  }

  @Test func nobodyImportsInACircle() {
    func reaches(_ target: String, _ goal: String, _ seen: Set<String> = []) -> Bool {
      (mayImport[target] ?? []).contains { next in
        next == goal || (!seen.contains(next) && reaches(next, goal, seen.union([next])))
      }
    }
    for target in mayImport.keys { #expect(!reaches(target, target), "\(target)") }
  }
}

import EventLoop
import Glibc
import Testing

@testable import LuaRuntime

@Suite struct ChunkTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func binaryChunksAreRefused() throws {
    let lua = try Harness()
    #expect(
      try lua.call(
        """
        local code = string.dump(function() return 1 end)
        local name = os.tmpname()
        local f = io.open(name, "wb") f:write(code) f:close()
        local results = { load(code) == nil, load(code, "x", "b") == nil, load(code, "x", "bt") == nil,
          loadfile(name) == nil, loadfile(name, "b") == nil, (pcall(dofile, name)) == false }
        package.path = name
        results[#results + 1] = (pcall(require, "anything")) == false
        os.remove(name)
        local n = 0
        results[#results + 1] = load(function() n = n + 1 return ({ "return ", "7" })[n] end, "x", "t", {})() == 7
        results[#results + 1] = load("return x", "n", nil, { x = 5 })() == 5
        for i, ok in ipairs(results) do if not ok then return i end end
        return "all"
        """) == ["all"])
    let binary = try lua.call("return string.dump(function() end)")[0].bytes ?? []
    #expect(throws: LuaError.self) { try lua.runtime.load(binary, name: "=binary") }
  }

  @Test @LoopActor func requireLooksInOrder() throws {
    var template = Array("/tmp/luaXXXXXX".utf8CString)
    let root = String(cString: mkdtemp(&template))
    defer { _ = try? Harness().call("os.execute('rm -r \(root)')") }
    for folder in ["lib", "script", "user"] { mkdir("\(root)/\(folder)", 0o700) }
    let lua = try Harness(
      path: ModulePath(library: "\(root)/lib", script: "\(root)/script", user: "\(root)/user"))
    try lua.call(
      """
      local root = ...
      local function put(path, text) local f = assert(io.open(root .. path, "w")) f:write(text) f:close() end
      put("/lib/a.lua", "return 'lib'") put("/script/a.lua", "return 'script'") put("/user/a.lua", "return 'user'")
      put("/script/b.lua", "return 'script'") put("/user/b.lua", "return 'user'")
      put("/user/c.lua", "return 'user ' .. ...")
      put("/user/host.lua", "return 'never'")
      put("/user/wrong.lua", "x = = 1")
      """, LuaValue(root))
    #expect(
      try lua.call("return require 'a', require 'b', (require 'c'), type(require 'host')")
        == ["lib", "script", "user c", "table"])
    #expect(try lua.call("return select(2, pcall(require, 'wrong'))")[0].text?.contains("wrong.lua:1:") ?? false)
    #expect(
      try lua.call("return select(2, pcall(require, 'missing'))")[0].text?.contains("\(root)/user/missing.lua") ?? false
    )
  }

  @Test @LoopActor func modulesInCLoad() throws {
    let lua = try Harness()
    #expect(try lua.call("return require('cjson').encode({ 1, 2 })") == ["[1,2]"])
  }

  @Test @LoopActor func aBusyLoopCanBeInterrupted() async throws {
    let lua = try Harness()
    let soon = "require('host').interrupt_soon() "
    for code in [
      soon + "while true do end",
      soon + "while true do string.rep('x', 10) end",
      "local co = coroutine.wrap(function() \(soon) while true do end end) co()",
      "require('host').call(function() \(soon) while true do end end)",
    ] {
      guard case .failed(let error) = try await lua.run(code) else { return #expect(Bool(false)) }
      #expect(error.message.hasSuffix("test.lua:1: interrupted"))
      lua.joinInterrupting()
    }
    #expect(try await lua.logged("host.log(host.turn(1))") == [1])
  }
}

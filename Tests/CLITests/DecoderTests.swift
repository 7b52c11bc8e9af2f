import EventLoop
import Testing

/// The user's decoders and keys, and the tests of decoder files.
@Suite struct DecoderTests {
  init() { EventLoop.runInBackground() }

  private static let mine = """
    return {
      meta = { name = "mine", version = "3", models = { "Mine" } },
      match = { { id = "a", company = 0xffff } },
      fields = { n = {} },
      decode = function(payload) return { n = payload:byte(1) } end,
      tests = {
        { manufacturer_data = { [0xffff] = "07" }, expect = { n = 7 } },
        { manufacturer_data = { [0xffff] = "08" }, expect = { n = 7 } },
      },
    }
    """

  /// Puts the user's files where they belong, and says so in the environment.
  private func asUser(_ path: String) -> [String] {
    let user = "\(path)/blescript"
    let move = "mkdir -p \(user)/decoders && mv \(path)/keys.lua \(user) && mv \(path)/*mine.lua \(user)/decoders"
    return ["sh", "-c", "\(move) && export XDG_CONFIG_HOME=\(path) && exec \"$@\"", "sh"]
  }

  @Test @LoopActor func theUsersFilesAreRead() async throws {
    let folder = try Folder([
      "mine.lua": Self.mine, "notmine.lua": "return {}",
      "keys.lua": "return { ['54:48:e6:8f:80:a5'] = 'f2027fcff47734cfb574ab4b3087a66c' }",
      "world.lua": """
      local sim = require "sim"
      sim.peripheral { address = "C8:3F:26:00:00:01", manufacturer_data = { [0xffff] = "\\5" } }
      sim.peripheral {
        address = "54:48:E6:8F:80:A5",
        service_data = { fcd2 = "\\x41\\xce\\xf9\\xca\\x04\\xb7\\x8b\\x66\\x4f\\x32\\xca\\x4d\\x46\\x18\\x75\\xf3\\x68\\x84\\x3c" },
      }
      """,
      "script.lua": """
      local ble = require "ble"
      local mine = ble.find { address = "C8:3F:26:00:00:01" } :decode()
      print(mine.decoder, mine.model, mine.n)
      print(ble.find { address = "54:48:E6:8F:80:A5" } :decode().packet_id)
      """,
    ])
    let (world, script) = (folder.path + "/world.lua", folder.path + "/script.lua")
    let ending = try await Program.run(["--sim", world, script], through: asUser(folder.path))
    #expect(
      ending
        == Ending(
          status: 0, output: "mine 3\tMine\t5\n113\n",
          errors: "blescript: decoder \(folder.path)/blescript/decoders/notmine.lua: meta: table expected, got nil\n"))
  }

  @Test @LoopActor func theTestsOfADecoderFileRun() async throws {
    let folder = try Folder(["mine.lua": Self.mine, "keys.lua": ""])
    let file = folder.path + "/blescript/decoders/mine.lua"
    let ending = try await Program.run(["test", file], through: asUser(folder.path))
    #expect(ending.status == 1)
    #expect(
      ending.output == """
        TAP version 13
        ok 1 - \(file) is a decoder
        ok 2 - mine: tests[1]
        not ok 3 - mine: tests[2]
          # n is 8.0, not 7.0
        1..3

        """)
  }
}

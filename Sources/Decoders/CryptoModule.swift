internal import EventLoop
internal import LuaRuntime

/// The module `crypto` of decoders: AES-128, bytes in and bytes out.
@LoopActor
enum CryptoModule {
  static func register(in runtime: LuaRuntime) throws(LuaError) {
    try runtime.register(module: "crypto", functions)
  }

  private static var functions: [LuaFunctionDefinition] {
    [
      .plain("ecb_encrypt") { call throws(LuaError) in try ecb(call, encrypt: true) },
      .plain("ecb_decrypt") { call throws(LuaError) in try ecb(call, encrypt: false) },
      .plain("ctr") { call throws(LuaError) in
        let given = try call[1].options(allowing: ["key", "counter", "data", "little_endian"])
        let (key, counter, data) = (
          try given["key"].bytes(), try given["counter"].bytes(), try given["data"].bytes()
        )
        let littleEndian = try given["little_endian"].ifPresent?.boolean() ?? false
        return try forLua(call) { () throws(AES128.Fault) in
          [.string(try AES128.ctr(key: key, counter: counter, data: data, littleEndian: littleEndian))]
        }
      },
      // Nil when the tag does not fit.
      .plain("ccm_open") { call throws(LuaError) in
        let given = try call[1].options(allowing: ["key", "nonce", "data", "tag", "aad"])
        let (key, nonce, data, tag) = (
          try given["key"].bytes(), try given["nonce"].bytes(), try given["data"].bytes(), try given["tag"].bytes()
        )
        let aad = try given["aad"].ifPresent?.bytes() ?? []
        return try forLua(call) { () throws(AES128.Fault) in
          [try AES128.openCCM(key: key, nonce: nonce, data: data, tag: tag, aad: aad).map { .string($0) } ?? .nil]
        }
      },
    ]
  }

  private static func ecb(_ call: LuaCall, encrypt: Bool) throws(LuaError) -> [LuaValue] {
    let (key, data) = (try call[1].bytes(), try call[2].bytes())
    return try forLua(call) { () throws(AES128.Fault) in
      [.string(try AES128.ecb(encrypt: encrypt, key: key, data: data))]
    }
  }

  private static func forLua(
    _ call: LuaCall, _ body: () throws(AES128.Fault) -> [LuaValue]
  ) throws(LuaError) -> [LuaValue] {
    do throws(AES128.Fault) {
      return try body()
    } catch {
      throw LuaError("\(call.function): \(error.message)")
    }
  }
}

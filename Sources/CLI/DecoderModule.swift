internal import Decoders
internal import EventLoop
internal import LuaRuntime

/// The module `decoders.native`, on which scripts/lib/ble/decoders.lua stands. Decoders are read when the first
/// advertisement is to be decoded.
@LoopActor
final class DecoderModule {
  private var decoders: Decoders?

  func register(in runtime: LuaRuntime) throws(LuaError) {
    try runtime.register(
      module: "decoders.native",
      [
        // The reading; or nil, why it can't be read, and by whom.
        .plain("decode") { [self] call throws(LuaError) in
          let (advertisement, key) = (try call[1].table(), try call[2].ifPresent?.bytes())
          switch try opened().decode(advertisement, key: key) {
          case .reading(let reading): return [.table(reading)]
          case .unreadable(let reason, let decoder): return [.nil, LuaValue(reason), LuaValue(decoder)]
          case .nobody: return [.nil]
          }
        },
        // The user's file of keys, where there is one.
        .plain("keys_file") { _ in
          let file = Installation.userFolder.map { $0 + "/keys.lua" }
          return [LuaValue(file.flatMap { Installation.isReadable($0) ? $0 : nil })]
        },
      ])
  }

  private func opened() throws(LuaError) -> Decoders {
    if let decoders { return decoders }
    guard let scripts = Installation.scripts else { throw LuaError("the scripts that ship with blescript are missing") }
    let folders = [scripts + "/decoders", Installation.userFolder.map { $0 + "/decoders" }].compactMap { $0 }
    let decoders = try Decoders(library: scripts + "/lib", folders: folders) { Output.message("blescript: \($0)") }
    self.decoders = decoders
    return decoders
  }
}

internal import Bluetooth
public import EventLoop
internal import Glibc
public import LuaRuntime

/// The decoders of some folders, each file one family. What is wrong with one of them is told once, and never stops the
/// others.
@LoopActor
public final class Decoders {
  public enum Answer: Equatable, Sendable {
    /// Its fields, with `decoder`, `rule` and, where it is known, `model`.
    case reading(LuaTable)
    /// `reason`: `key_required` or `decrypt_failed`; `decoder`: whose it is.
    case unreadable(reason: String, decoder: String)
    case nobody
  }

  private let library: String
  /// Files, those that belong together in one list.
  private let files: [[String]]
  private let onProblem: @LoopActor (String) -> Void
  private var sandbox: Sandbox
  private var index = Index()
  private(set) var decoders: [Sandbox.Description] = []
  private var told: Set<String> = []
  /// Files that kept the memory of all.
  private var hoarders: Set<String> = []

  /// `library`: the folder of the Lua modules that ship. `folders` of decoders: one of a later folder replaces that of
  /// the same name. `onProblem` gets a line for each file that is wrong, and for each pair that can't be told apart.
  public convenience init(
    library: String, folders: [String], onProblem: @escaping @LoopActor (String) -> Void
  ) throws(LuaError) {
    try self.init(library: library, files: folders.map { Self.files(in: $0) }, onProblem)
  }

  /// One file, to be tested.
  public convenience init(
    library: String, file: String, onProblem: @escaping @LoopActor (String) -> Void
  ) throws(LuaError) {
    try self.init(library: library, files: [[file]], onProblem)
  }

  private init(
    library: String, files: [[String]], _ onProblem: @escaping @LoopActor (String) -> Void
  ) throws(LuaError) {
    (self.library, self.files, self.onProblem) = (library, files, onProblem)
    sandbox = try Sandbox(library: library)
    load()
  }

  isolated deinit {
    sandbox.close()
  }

  /// `name version` of each, in the order of their files.
  public var names: [String] { decoders.map { "\($0.name) \($0.version)" } }

  /// How often Lua was entered for an advertisement: never for one that no rule fits.
  public var calls: Int { sandbox.calls }

  /// `advertisement`: a table as `ble.scan` gives it. `key`: the device's, where there is one.
  public func decode(_ advertisement: LuaTable, key: [UInt8]? = nil) throws(LuaError) -> Answer {
    let parsed = try Advertisement(advertisement)
    var unreadable: Answer?
    for candidate in index.candidates(parsed) {
      let count = hoarders.count
      let answer = ask(candidate, advertisement, key)
      // All were read anew, and have other numbers.
      if hoarders.count > count { return try decode(advertisement, key: key) }
      guard let answer else { continue }
      // Another one may read what this one can't.
      if case .reading = answer { return answer }
      unreadable = unreadable ?? answer
    }
    return unreadable ?? .nobody
  }

  /// Nil: not its own, or it failed.
  private func ask(_ candidate: Index.Candidate, _ advertisement: LuaTable, _ key: [UInt8]?) -> Answer? {
    let decoder = decoders[candidate.decoder]
    if let key, let wanted = decoder.keyLength, key.count != wanted {
      tell(decoder.file, "the key of \(advertisement["address"].text ?? "") has \(key.count) bytes, not \(wanted)")
      return .unreadable(reason: "key_required", decoder: decoder.name)
    }
    do throws(LuaError) {
      let (reading, reason) = try sandbox.decode(
        decoder.number, rule: candidate.rule.id, payload: candidate.payload, advertisement: advertisement,
        key: decoder.keyLength == nil ? nil : key)
      if let reading { return .reading(completed(reading, decoder, candidate.rule)) }
      return reason.map { .unreadable(reason: $0, decoder: decoder.name) }
    } catch {
      tell(decoder.file, error.description)
      freeMemory(after: decoder)
      return nil
    }
  }

  private func completed(_ reading: LuaTable, _ decoder: Sandbox.Description, _ rule: Rule) -> LuaTable {
    var reading = reading
    if reading["model"].isNil { reading["model"] = LuaValue(rule.model ?? decoder.model) }
    reading["decoder"] = LuaValue("\(decoder.name) \(decoder.version)")
    reading["rule"] = LuaValue(rule.id)
    return reading
  }

  /// `matter`: what is told only once; the file itself if nothing else is given.
  private func tell(_ file: String, _ problem: String, matter: String? = nil) {
    if told.insert(matter ?? file).inserted { onProblem("decoder \(file): \(problem)") }
  }

  // MARK: Files

  private func load() {
    (index, decoders) = (Index(), [])
    var numbers: [String: Int] = [:]
    var loaded: [Sandbox.Description] = []
    for folder in files {
      var own: Set<String> = []
      for file in folder where !hoarders.contains(file) {
        guard let decoder = loadFile(file) else { continue }
        guard own.insert(decoder.name).inserted else {
          tell(file, "there is another decoder '\(decoder.name)' in its folder")
          continue
        }
        if let number = numbers[decoder.name] {
          loaded[number] = decoder
        } else {
          numbers[decoder.name] = loaded.count
          loaded.append(decoder)
        }
      }
    }
    decoders = loaded
    for (number, decoder) in loaded.enumerated() { index.add(decoder.rules, of: number) }
    for (a, b) in index.ties() {
      let (file, other) = (decoders[a.decoder].file, decoders[b.decoder].file)
      let rules = "rules '\(a.rule.id)' and '\(b.rule.id)' of \(other)"
      let problem = "\(rules) fit the same advertisements; the first goes first"
      tell(file, problem, matter: file + problem)
    }
  }

  private func loadFile(_ file: String) -> Sandbox.Description? {
    do throws(LuaError) {
      return try sandbox.load(file)
    } catch {
      tell(file, error.description)
      return nil
    }
  }

  /// When one has kept so much that the others have no room, all begin anew without it.
  private func freeMemory(after decoder: Sandbox.Description) {
    guard sandbox.isFull else { return }
    guard let fresh = try? Sandbox(library: library) else { return }
    sandbox.close()
    sandbox = fresh
    hoarders.insert(decoder.file)
    onProblem("decoder \(decoder.file): it keeps too much memory, and is left out from now on")
    load()
  }

  /// Sorted; none where there is no such folder.
  private static func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
    }
    return names.filter { $0.hasSuffix(".lua") && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
  }
}

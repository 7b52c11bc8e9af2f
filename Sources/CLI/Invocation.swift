@preconcurrency internal import CGetopt
internal import Glibc

/// What the person asked for on the command line.
struct Invocation: Equatable {
  enum Action: Equatable {
    case help, version
    /// A file and the arguments that it gets.
    case run(String, [String])
    case simulate(String)
    case test([String])
  }

  var action = Action.help
  /// A world to play instead of the system's Bluetooth.
  var world: String?
  /// A name such as `hci1`, or an address.
  var adapter: String?
  /// A command that carries out an order to the world, `{}` standing for it: for tests against a real bluetoothd.
  var act: String?

  struct Mistake: Error, Equatable {
    let message: String
  }

  /// `arguments` without the program's name.
  init(_ arguments: [String]) throws(Mistake) {
    var rest = try parseOptions(arguments)
    // Options may come before the command and after it.
    let command = rest.first.flatMap { ["run", "test"].contains($0) ? $0 : nil }
    if let command { rest = [command] + (try parseOptions(Array(rest.dropFirst()))) }
    if action == .version || (action == .help && helpWasAsked) { return }
    guard let first = rest.first else { throw Mistake(message: "what should it run?") }
    let others = Array(rest.dropFirst())
    switch first {
    case "run":
      guard let file = others.first else { throw Mistake(message: "run: a script is missing") }
      action = .run(file, Array(others.dropFirst()))
    case "sim":
      guard others.count == 1 else { throw Mistake(message: "sim: one world file is wanted, got \(others.count)") }
      guard world == nil else { throw Mistake(message: "sim: --sim is for other commands") }
      action = .simulate(others[0])
    case "test":
      guard !others.isEmpty else { throw Mistake(message: "test: a test file is missing") }
      guard world == nil else { throw Mistake(message: "test: each test names its own world; --sim is for scripts") }
      action = .test(others)
    default:
      action = .run(first, others)
    }
    if act != nil, first != "test" { throw Mistake(message: "--act is for the command test") }
  }

  private var helpWasAsked = false

  private static let options: [(name: String, letter: Character, wantsValue: Bool)] = [
    ("help", "h", false), ("version", "V", false), ("sim", "s", true), ("adapter", "a", true), ("act", "x", true),
  ]

  /// Takes the options at the front; gives what is left.
  private mutating func parseOptions(_ arguments: [String]) throws(Mistake) -> [String] {
    var words = (["blescript"] + arguments).map { strdup($0) } + [nil]
    var table = Self.options.map {
      option(name: strdup($0.name), has_arg: $0.wantsValue ? 1 : 0, flag: nil, val: Int32($0.letter.asciiValue ?? 0))
    }
    defer {
      words.forEach { free($0) }
      table.forEach { free(UnsafeMutablePointer(mutating: $0.name)) }
    }
    let end = table.count
    table.append(option())
    // 0: from the start, also the second time. "+": what follows the first other word is the script's own.
    optind = 0
    opterr = 0
    while case let letter = getopt_long(Int32(words.count - 1), &words, "+:hVs:a:", &table, nil), letter != -1 {
      // getopt_long has stepped over the word that it took.
      let word = words[Int(optind) - 1].map { String(cString: $0) } ?? ""
      try take(Character(UnicodeScalar(UInt8(truncatingIfNeeded: letter))), optarg.map { String(cString: $0) }, word)
    }
    table.removeSubrange(end...)
    return Array(arguments.dropFirst(Int(optind) - 1))
  }

  private mutating func take(_ letter: Character, _ value: String?, _ word: String) throws(Mistake) {
    switch letter {
    case "h": (action, helpWasAsked) = (.help, true)
    case "V": action = .version
    case "s": world = value
    case "a": adapter = value
    case "x": act = value
    case ":": throw Mistake(message: "\(word): a value is missing")
    default: throw Mistake(message: "unknown option \(word)")
    }
  }
}

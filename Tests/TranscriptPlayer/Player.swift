internal import DBus
internal import EventLoop
internal import Glibc
internal import Simulator

/// Does what a transcript says was done, and writes down what comes of it.
@LoopActor
final class Player {
  /// So long without anything new, and a step is over.
  private static let calm: Seconds = 0.4

  private let simulator: Simulator
  private var clients: [String: Client] = [:]
  private var listeners: [Listener] = []
  private var record = Record()
  private var latest: [String: [String: JSON]] = [:]
  private var focus: [String]?
  private var isQuiet = false
  /// All that client a saw in this line, and in the one before: what is waited for may have come already.
  private var seen: [(place: String, event: [String: JSON])] = []
  private var before: [(place: String, event: [String: JSON])] = []
  private var lastEvent: Seconds = 0
  private var calls: [Int: Call] = [:]
  private var clock: Clock { EventLoop.shared.clock }

  @LoopActor
  private final class Call {
    let sent: Seconds
    let answer = OneShot<Void>()
    var descriptor: Int32?

    init(_ sent: Seconds) { self.sent = sent }
  }

  init(_ simulator: Simulator) async throws {
    self.simulator = simulator
    EventLoop.shared.virtualTime = VirtualTime { [weak self] in await self?.isIdle() ?? true }
    let client = try await open("a")
    let bluez = client.connection.listen(MatchRule(sender: "org.bluez")) { [weak self] in self?.heard($0) }
    let owner = client.connection.watchOwner(of: "org.bluez") { [weak self] old, new in
      let text = (old == nil ? "had no" : "has") + " owner before, " + (new == nil ? "none" : "one") + " now"
      self?.note("bus", ["org.bluez": .text(text)])
    }
    listeners = [bluez, owner]
    try await clock.sleep(1)
    record = Record()
  }

  /// What was sent has been routed, seen and answered, and nothing more came of it.
  private func isIdle() async -> Bool {
    let connections = clients.values.map(\.connection) + [simulator.connection].compactMap { $0 }
    let before = connections.reduce(0) { $0 &+ $1.traffic }
    for connection in connections + connections { try? await connection.roundTrip() }
    return connections.reduce(0) { $0 &+ $1.traffic } == before
  }

  func close() async {
    for listener in listeners { listener.cancel() }
    for client in clients.values { client.close() }
    for call in calls.values { if let descriptor = call.descriptor { Glibc.close(descriptor) } }
    EventLoop.shared.virtualTime = nil
    await simulator.stop()
  }

  private func open(_ name: String) async throws -> Client {
    if let client = clients[name] { return client }
    let address = simulator.address
    let client = try await holdingTime {
      try await Client(name, address) { [weak self] member, arguments in
        let about = arguments.first?.string ?? "/"
        let hidden = ["RequestConfirmation", "DisplayPasskey"].contains(member)
        let shown = arguments.map { hidden && $0.int != nil ? JSON.text("*") : JSON($0) }
        self?.note("agent of \(name)", ["asked": .text(member), "arguments": .list(shown)], about: about)
      }
    }
    clients[name] = client
    return client
  }

  private func holdingTime<Result: Sendable>(
    _ body: @escaping @LoopActor () async throws -> Result
  ) async throws -> Result {
    guard let virtual = EventLoop.shared.virtualTime else { return try await body() }
    return try await virtual.hold(body)
  }

  // MARK: Writing down

  private func isWatched(_ path: String) -> Bool {
    guard let focus, path.hasPrefix("/org/bluez/") else { return true }
    return focus.contains { path == $0 || $0.contains("/dev_") && path.hasPrefix($0 + "/") }
  }

  private func note(_ place: String, _ event: [String: JSON], about: String? = nil) {
    seen.append((place, event))
    guard !isQuiet, isWatched(about ?? place) else { return }
    record.add(place, event)
    if event["changed"]?["RSSI:n"] == nil { lastEvent = clock.now }
  }

  private func heard(_ signal: Signal) {
    let arguments = signal.arguments
    switch signal.member {
    case "PropertiesChanged":
      var event = ["interface": JSON(arguments[0]), "changed": JSON(arguments[1]).masked]
      let gone = arguments[2].strings ?? []
      if !gone.isEmpty { event["invalidated"] = .list(gone.sorted().map { .text($0) }) }
      note(Record.place(signal.path.string, [arguments[0].string ?? ""]), event, about: signal.path.string)
    case "InterfacesAdded":
      let path = arguments[0].string ?? ""
      let added = JSON(arguments[1]).masked
      note(Record.place(path, Array(added.fields.keys)), ["added": added], about: path)
    case "InterfacesRemoved":
      let path = arguments[0].string ?? ""
      let names = (arguments[1].strings ?? []).sorted()
      note(Record.place(path, names), ["removed": .list(names.map { .text($0) })], about: path)
    default: break
    }
  }

  private static func taken(_ seconds: Seconds, _ member: String = "") -> String {
    let classes: [(Seconds, String)] = [
      (member == "Pair" ? 4 : 1.5, "at once"), (4, "2 s"), (9, "5 s"), (20, "10 s"), (36, "30 s"), (55, "40 s"),
    ]
    return classes.first { seconds < $0.0 }?.1 ?? "60 s"
  }

  private func settle() async throws {
    let start = clock.now
    lastEvent = max(lastEvent, start - Player.calm / 2)
    while clock.now < start + 6, clock.now < lastEvent + Player.calm { try await clock.sleep(0.05) }
  }

  // MARK: One step

  /// Plays a line; gives what came of it, and the disorder.
  func play(_ line: JSON) async throws -> (then: [String: [[String: JSON]]], order: [String], did: [String]) {
    if let focus = line["focus"] { self.focus = focus.texts }
    let steps = line["do"]?.texts ?? []
    let replies = (line["then"]?.fields ?? [:]).values.flatMap(\.list).compactMap { $0["reply"]?.number }
    // Where a line begins with waiting, it was for the answers to earlier calls first.
    if steps.first?.hasPrefix("wait for ") == true {
      for number in replies where calls[number] != nil { try await finish(number, within: 75) }
    }
    var did: [String] = []
    for step in steps { did.append(try await perform(step, line)) }
    for number in replies { try await finish(number, within: 75) }
    try await settle()
    defer { (record, before, seen) = (Record(), seen, []) }
    return (record.normal(&latest), record.disorder, did)
  }

  /// Returns what was done in the transcript's words: with how long it took, or what was read.
  private func perform(_ step: String, _ line: JSON) async throws -> String {
    let words = step.split(separator: " ").map(String.init)
    switch true {
    case step.hasPrefix("find "): try await find(names(step.dropFirst(5)))
    case step.hasPrefix("connect "): try await connect(names(step.dropFirst(8)))
    case step.hasPrefix("world: "):
      // What was sent before the order has arrived before it.
      _ = await isIdle()
      try await simulator.order(String(step.dropFirst(7)))
    case step.hasPrefix("wait for "):
      let wanted = words[3...].joined(separator: " ").split(separator: ":").first.map(String.init) ?? ""
      let isNever = step.hasSuffix("never")
      let took = try await wait(for: words[2], wanted, within: isNever ? 10 : 60)
      return "wait for \(words[2]) \(wanted): \(took)"
    case step.hasPrefix("wait "): try await clock.sleep(Double(words[1]) ?? 0)
    case step.hasPrefix("waited "):
      let isAnswered = try await finish(Int(words[4].dropLast()) ?? 0, within: Double(words[1]) ?? 0)
      if isAnswered { return "answer to \(words[4])" }
    case step.hasSuffix(" leaves the bus"): clients.removeValue(forKey: words[0])?.close()
    case step.hasPrefix("read from "):
      return "read from the descriptor of \(words[5]) \(try await packet(of: Int(words[5].dropLast()) ?? 0))"
    case step.hasPrefix("write "):
      let bytes = words[1] == "3" ? Array("abc".utf8) : [UInt8](repeating: 0, count: Int(words[1]) ?? 0)
      let number = Int(words[7].dropLast()) ?? 0
      let count = calls[number]?.descriptor.map { Glibc.write($0, bytes, bytes.count) } ?? -1
      return "write \(words[1]) bytes to the descriptor of \(number): \(count >= 0 ? "done" : "failed")"
    case step.hasPrefix("close the descriptor"):
      if let descriptor = calls[Int(words[4]) ?? 0]?.descriptor { Glibc.close(descriptor) }
      calls[Int(words[4]) ?? 0]?.descriptor = nil
    default: try await call(step, line)
    }
    return step
  }

  private func names(_ text: Substring) -> [String] {
    text.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }

  /// `1: PATH INTERFACE.MEMBER(ARGUMENTS) by CLIENT`.
  private func call(_ step: String, _ line: JSON) async throws {
    guard let colon = step.firstIndex(of: ":"), let number = Int(step[..<colon]),
      let open = step.firstIndex(of: "("), let end = step.lastIndex(of: ")")
    else { throw Failure("can't read the step \(step)") }
    let words = step[..<open].split(separator: " ")
    let member = words[2].split(separator: ".").last.map(String.init) ?? ""
    let interface = String(words[2].dropLast(member.count + 1))
    let by = step[end...].split(separator: " ").last.map(String.init) ?? "a"
    let client = try await self.open(by.contains(")") ? "a" : by)
    if let answers = line["agents"]?[client.name] { client.answers = answers.fields }
    let signature = line["signatures"]?["\(number)"]?.text ?? ""
    let list = try JSON.parse("[" + step[step.index(after: open)..<end] + "]").list
    let arguments = zip(list, JSON.types(signature)).compactMap { $0.value(as: $1) }
    guard let path = ObjectPath(String(words[1])) else { throw Failure("no path in \(step)") }
    send(number, client, path, interface, member, arguments)
  }

  private func send(
    _ number: Int, _ client: Client, _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value]
  ) {
    let call = Call(clock.now)
    calls[number] = call
    client.connection.send(MethodCall("org.bluez", path, interface, member, arguments), timeout: .infinity) {
      [weak self] in
      // A client that has left hears nothing.
      if client.connection.isOpen { self?.answered(number, call, client.name, path.string, member, $0) }
      call.answer.finish(())
    }
  }

  private func answered(
    _ number: Int, _ call: Call, _ client: String, _ path: String, _ member: String,
    _ result: Result<[Value], DBusError>
  ) {
    var event = ["reply": JSON.number(number), "took": .text(Player.taken(clock.now - call.sent, member))]
    switch result {
    case .failure(let error): (event["error"], event["message"]) = (.text(error.name), .text(error.message))
    case .success(let values) where member == "GetManagedObjects":
      let objects = JSON(values[0]).fields.filter { isWatched($0.key) }
      event["objects"] = JSON.object(objects).masked
    case .success(let values) where member == "Introspect":
      event["outline"] = .list(Outline.lines(values.first?.string ?? "").map { .text($0) })
    case .success(let values):
      if let descriptor = values.first?.descriptor { call.descriptor = descriptor.take() }
      event["value"] = .list(values.map { JSON($0).masked })
    }
    note(client == "a" ? path : "\(path) (client \(client))", event, about: path)
  }

  /// Whether the answer came.
  @discardableResult
  private func finish(_ number: Int, within seconds: Seconds) async throws -> Bool {
    guard let call = calls[number] else { return false }
    let deadline = clock.now + seconds
    while !call.answer.isFinished, clock.now < deadline { try await clock.sleep(0.05) }
    return call.answer.isFinished
  }

  /// Waits until an object has these properties, or is added or removed.
  private func wait(for path: String, _ wanted: String, within seconds: Seconds) async throws -> String {
    let begin = clock.now
    while clock.now <= begin + seconds {
      if wanted.split(separator: ",").allSatisfy({ isSeen(path, $0.split(separator: "=").map(String.init)) }) {
        return Player.taken(clock.now - begin)
      }
      try await clock.sleep(0.05)
    }
    return "never"
  }

  private func isSeen(_ path: String, _ wanted: [String]) -> Bool {
    guard wanted.count == 2 else { return false }
    let name = String(wanted[0].drop { $0 == " " })
    var value: JSON?
    for (place, event) in before + seen where place == path {
      let properties = [event["changed"]].compactMap { $0 } + (event["added"]?.fields.values.map { $0 } ?? [])
      for (key, new) in properties.flatMap(\.fields) where key.prefix(while: { $0 != ":" }) == name { value = new }
      if name == "added", event["added"]?[Record.properties] != nil { value = .bool(true) }
      if name == "removed", event["removed"]?.texts.contains(Record.properties) == true { value = .bool(true) }
    }
    return value == .bool(wanted[1] == "True")
  }

  private func packet(of number: Int) async throws -> String {
    guard let descriptor = calls[number]?.descriptor else { return "no descriptor" }
    var buffer = [UInt8](repeating: 0, count: 1024)
    for _ in 0..<40 {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { return JSON(.bytes(Array(buffer[..<count]))).text ?? "" }
      if count == 0 { return "end" }
      try await clock.sleep(0.05)
    }
    return "nothing"
  }

  // MARK: Preparations

  private func find(_ paths: [String]) async throws {
    try await quietly {
      let adapter = paths[0].split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
      guard let path = ObjectPath(adapter) else { return }
      let client = try await open("finder")
      let interface = "org.bluez.Adapter1"
      _ = try await client.connection.call(
        "org.bluez", path, interface, "SetDiscoveryFilter", [.properties([("Transport", .string("le"))])], timeout: 10)
      let known = try await client.connection.call(
        "org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", timeout: 10)
      _ = try await client.connection.call("org.bluez", path, interface, "StartDiscovery", timeout: 10)
      for path in paths where JSON(known[0])[path] == nil {
        if try await wait(for: path, "added=True", within: 20) == "never" { throw Failure("\(path) not found") }
      }
      try await clock.sleep(0.3)
      _ = try await client.connection.call("org.bluez", path, interface, "StopDiscovery", timeout: 10)
      clients.removeValue(forKey: "finder")?.close()
      try await clock.sleep(0.5)
    }
  }

  private func connect(_ paths: [String]) async throws {
    try await quietly {
      for text in paths {
        guard let path = ObjectPath(text), let client = clients["a"] else { return }
        (before, seen) = ([], [])
        _ = try await client.connection.call("org.bluez", path, "org.bluez.Device1", "Connect", timeout: 50)
        if try await wait(for: text, "ServicesResolved=True", within: 20) == "never" {
          throw Failure("\(text) not resolved")
        }
        try await clock.sleep(0.5)
      }
    }
  }

  private func quietly(_ body: () async throws -> Void) async throws {
    isQuiet = true
    try await body()
    isQuiet = false
    (before, seen) = ([], [])
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

import EventLoop
import Glibc
import Testing

@testable import DBus

@Suite(.serialized) struct LossTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func theLossOfTheBusEndsEverythingOnce() async throws {
    let bus = try await Bus()
    let connection = try await bus.connect()
    let other = try await bus.connect()
    let server = ObjectServer(other)
    let slow = CallTests.Slow()
    server.add([slow], at: "/slow")
    var events: [String] = []
    connection.onLost = { events.append("lost: \($0.name)") }
    for number in 1...3 {
      connection.send(MethodCall(other.uniqueName, "/slow", "a.Slow", "Wait"), timeout: 30) {
        guard case .failure(.disconnected) = $0 else { return }
        events.append("\(number)")
      }
    }
    let listener = connection.listen(MatchRule(sender: "a.b")) { _ in }
    try await until { slow.calls.count == 3 }
    await bus.stop()
    try await until { !connection.isOpen && !other.isOpen }
    #expect(events == ["1", "2", "3", "lost: org.freedesktop.DBus.Error.Disconnected"])
    #expect(connection.pendingReplies == 0)
    // All of it still answers, with errors.
    listener.cancel()
    let failure = await failure { () async throws(DBusError) in try await connection.roundTrip() }
    #expect(failure == .disconnected)
    #expect(DBusTests.failure { () throws(DBusError) in try connection.emit("/", "a.b", "C") } == .disconnected)
    #expect(await connection.owner(of: "a.b") == nil)
    slow.calls.forEach { $0.reply() }
    server.changed("/slow", "a.Slow", "X")
    connection.close()
    await EventLoop.shared.settle()
    #expect(events.count == 4)
  }

  @Test @LoopActor func closingEndsPendingCallsWithoutALoss() async throws {
    let connection = try await Bus.shared().connect()
    var events: [String] = []
    connection.onLost = { _ in events.append("lost") }
    connection.send(BusDriver.call("GetId"), timeout: 30) {
      events.append("\($0)".contains("Disconnected") ? "end" : "?")
    }
    connection.close()
    connection.close()
    await EventLoop.shared.settle()
    #expect(events == ["end"])
  }

  @Test @LoopActor func noSocket() async throws {
    let place = Connection.Address.address("unix:path=/nonexistent/socket")
    let failure = await failure { () async throws(DBusError) in _ = try await Connection.open(place, timeout: 30) }
    #expect(failure?.name == "org.freedesktop.DBus.Error.FileNotFound")
    #expect(failure?.message.contains("message bus at unix:path=/nonexistent/socket") == true)
  }

  @Test(arguments: ["", "nonsense", "unix:", "unix:path=/a\0b", "unix:path=%zz"]) @LoopActor
  func badAddresses(_ address: String) async throws {
    let failure = await failure { () async throws(DBusError) in
      _ = try await Connection.open(.address(address), timeout: 30)
    }
    #expect(failure != nil)
  }

  @Test @LoopActor func theSystemBusIsWhereTheEnvironmentSays() async throws {
    let old = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    setenv("DBUS_SYSTEM_BUS_ADDRESS", try await Bus.shared().address, 1)
    let connection = try await Connection.open(.system, timeout: 30)
    connection.close()
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent", 1)
    let failure = await failure { () async throws(DBusError) in _ = try await Connection.open(.system, timeout: 30) }
    #expect(failure?.message.contains("system bus at unix:path=/nonexistent") == true)
    if let old { setenv("DBUS_SYSTEM_BUS_ADDRESS", old, 1) } else { unsetenv("DBUS_SYSTEM_BUS_ADDRESS") }
  }

  /// A socket that takes connections and then does as `behaviour` says.
  @LoopActor
  private final class Stranger {
    let path: String
    private let socket: Int32
    private var poll: Poll?
    private var accepted: [Int32] = []

    init(hangsUp: Bool) throws {
      path = "/tmp/blescript-tests-\(getpid())-\(hangsUp ? "a" : "b")"
      unlink(path)
      socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
      }
      try #require(status == 0 && listen(socket, 5) == 0)
      poll = Poll(socket) { [unowned self] _ in
        let number = accept(socket, nil, nil)
        if hangsUp { Glibc.close(number) } else { accepted.append(number) }
      }
      poll?.watch(.readable)
    }

    func close() {
      poll?.close()
      for number in accepted + [socket] { Glibc.close(number) }
      unlink(path)
    }
  }

  @Test @LoopActor func oneThatHangsUpDidNotAuthenticateUs() async throws {
    let stranger = try Stranger(hangsUp: true)
    let failure = await failure { () async throws(DBusError) in
      _ = try await Connection.open(.address("unix:path=\(stranger.path)"), timeout: 30)
    }
    #expect(failure?.name == "org.freedesktop.DBus.Error.AuthFailed")
    #expect(failure?.message.contains(stranger.path) == true)
    stranger.close()
  }

  @Test @LoopActor func oneThatSaysNothingRunsIntoTheDeadline() async throws {
    let stranger = try Stranger(hangsUp: false)
    let failure = await failure { () async throws(DBusError) in
      _ = try await Connection.open(.address("unix:path=\(stranger.path)"), timeout: 0.05)
    }
    #expect(failure?.name == DBusError.noReply.name)
    #expect(failure?.message.contains(stranger.path) == true)
    stranger.close()
  }

  @Test @LoopActor func aSocketNobodyListensAtRefuses() async throws {
    let path = "/tmp/blescript-tests-\(getpid())-c"
    unlink(path)
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    Glibc.close(socket)
    let failure = await failure { () async throws(DBusError) in
      _ = try await Connection.open(.address("unix:path=\(path)"), timeout: 30)
    }
    #expect(failure?.name == "org.freedesktop.DBus.Error.NoServer")
    unlink(path)
  }

  @Test @LoopActor func connectionsLeaveNothingBehind() async throws {
    let bus = try await Bus.shared()
    func descriptors() -> Int {
      guard let directory = opendir("/proc/self/fd") else { return 0 }
      defer { closedir(directory) }
      var count = 0
      while readdir(directory) != nil { count += 1 }
      return count
    }
    weak var last: Connection?
    weak var lastServer: ObjectServer?
    var before = 0
    for round in 0...500 {
      // The first opens what stays open: libdbus's and the loop's own.
      if round == 1 { before = descriptors() }
      let connection = try await bus.connect()
      let server = ObjectServer(connection)
      server.add([CallTests.Slow()], at: "/slow")
      let listener = connection.listen(MatchRule(sender: "a.b", member: "M")) { _ in }
      connection.send(BusDriver.call("GetId"), timeout: 1000) { _ in }
      (last, lastServer) = (connection, server)
      if round.isMultiple(of: 2) { connection.close() }
      withExtendedLifetime(listener) {}
    }
    await EventLoop.shared.settle()
    #expect(last == nil)
    #expect(lastServer == nil)
    // Other suites run beside this one; a leak would be hundreds.
    #expect(descriptors() < before + 100)
  }
}

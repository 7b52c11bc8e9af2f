internal import EventLoop
internal import Glibc
internal import LuaRuntime
internal import Simulator

// transcripts LIBRARY WORLD FILE…: plays transcripts of a real bluetoothd against the simulator, each in a world of
// its own and in virtual time. A line for each: `ok NAME`, or `not ok NAME` and what differed. Exit status 1: something
// did.

@LoopActor
func differences(_ file: String, _ world: String, _ library: String) async -> [String] {
  do {
    guard let bytes = read(file) else { return ["can't read the file"] }
    let lines = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line throws(JSON.Problem) in
      try JSON.parse(line)
    }
    let simulator = try await Simulator.start(world: world, path: ModulePath(library: library))
    let player = try await Player(simulator)
    var found: [String] = []
    for line in lines where line["do"] != nil {
      do {
        found += compare(line, try await player.play(line))
      } catch {
        found.append("\(line["do"] ?? .null): \(error)")
        break
      }
    }
    await player.close()
    return found
  } catch {
    return ["\(error)"]
  }
}

@LoopActor
func compare(
  _ line: JSON, _ played: (then: [String: [[String: JSON]]], order: [String], did: [String])
) -> [String] {
  let step = (line["do"] ?? .null).description
  var found: [String] = []
  for (expected, did) in zip(line["do"]?.texts ?? [], played.did) where expected != did {
    found.append("\(step)\n  expected: \(expected)\n  found:    \(did)")
  }
  let expected = line["then"]?.fields ?? [:]
  for place in Set(expected.keys).union(played.then.keys).sorted() {
    let wanted = expected[place]?.list ?? []
    let got = played.then[place]?.map { JSON.object($0) } ?? []
    guard wanted != got else { continue }
    found.append(
      "\(step)\n  \(place)\n  expected: \(wanted.map(\.description).joined(separator: "\n            "))"
        + "\n  found:    \(got.map(\.description).joined(separator: "\n            "))")
  }
  if (line["order"]?.texts ?? []) != played.order { found.append("\(step)\n  parents and children: \(played.order)") }
  return found
}

func read(_ file: String) -> [UInt8]? {
  let descriptor = open(file, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
  return bytes
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 2 else {
  print("usage: transcripts LIBRARY WORLD FILE…")
  exit(2)
}
let failures = EventLoop.run { () async -> Int in
  var failures = 0
  for file in arguments[2...] {
    let name = file.split(separator: "/").last.map { String($0.split(separator: ".")[0]) } ?? file
    let found = await differences(file, arguments[1], arguments[0])
    print(found.isEmpty ? "ok \(name)" : "not ok \(name)")
    for difference in found { print(difference.split(separator: "\n").map { "# " + $0 }.joined(separator: "\n")) }
    fflush(nil)
    failures += found.isEmpty ? 0 : 1
  }
  return failures
}
exit(failures == 0 ? 0 : 1)

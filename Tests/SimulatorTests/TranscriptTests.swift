import EventLoop
import Glibc
import Testing

/// What bluetoothd 5.66 answered to ninety scenarios, played against the simulator. The player is a program of its own,
/// because virtual time is for all of a process: `transcripts scripts/lib scripts/worlds/lab.lua FILE…`.
@Suite struct TranscriptTests {
  init() { EventLoop.runInBackground() }

  @Test(.timeLimit(.minutes(5))) @LoopActor func theSimulatorAnswersAsBluetoothdDid() async throws {
    let transcripts = try files(in: "Tests/SimulatorTests/Transcripts").filter { $0.hasSuffix(".jsonl") }
    #expect(transcripts.count >= 90)
    let output = try #require(Pipe())
    let child = try ChildProcess(
      [try built("transcripts"), project("scripts/lib"), project("scripts/worlds/lab.lua")] + transcripts,
      output: .descriptor(output.writingEnd))
    output.closeWritingEnd()
    var passed = 0
    var problem: [String] = []
    while let line = await output.line() {
      if line.hasPrefix("ok ") { passed += 1 } else { problem.append(line) }
    }
    #expect(problem.isEmpty, "\(problem.joined(separator: "\n"))")
    #expect(passed == transcripts.count)
    #expect(await child.status == 0)
  }

  private func files(in folder: String) throws -> [String] {
    let path = project(folder)
    let directory = try #require(opendir(path))
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.sorted().map { path + "/" + $0 }
  }
}

/// A path within the project.
func project(_ path: String, file: String = #filePath) -> String {
  file.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/" + path
}

/// A program that was built with the tests.
func built(_ name: String) throws -> String {
  var buffer = [CChar](repeating: 0, count: 4096)
  let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
  try #require(count > 0)
  let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/" + name
}

internal import CUV
internal import Glibc

/// A program that runs beside us. It is ended by SIGTERM when this object goes, and when we die.
@LoopActor
public final class ChildProcess {
  public struct Failure: Error, Sendable {
    /// The program that could not be started, and why.
    public let message: String
  }

  public enum Stream: Sendable {
    case inherit, null
    case descriptor(Int32)
  }

  public let pid: Int32
  private let handle: Handle<uv_process_t>
  private let exit = OneShot<Int32>()

  /// Starts `arguments[0]`, looked for in PATH. `environment` nil: ours.
  /// Descriptors other than 0, 1 and 2 are not passed on. `inOwnSession`: signals to our process group, such as that of
  /// Ctrl-C, do not reach it.
  public init(
    _ arguments: [String], environment: [String: String]? = nil,
    input: Stream = .null, output: Stream = .inherit, errors: Stream = .inherit, inOwnSession: Bool = false
  ) throws(Failure) {
    // The kernel tells the child when we are gone, however we went.
    let words = ["setpriv", "--pdeathsig", "TERM", "--"] + arguments
    handle = Handle()
    let flags = inOwnSession ? UV_PROCESS_DETACHED.rawValue : 0
    let status = Self.spawn(words, environment, [input, output, errors], flags, handle.pointer)
    guard status == 0 else {
      // libuv has begun with the handle even where it failed.
      handle.close()
      pid = 0
      throw Failure(message: "can't start \(arguments[0]): \(String(cString: uv_strerror(status)))")
    }
    pid = handle.pointer.pointee.pid
    handle.owner = self
  }

  private static func spawn(
    _ words: [String], _ environment: [String: String]?, _ streams: [Stream], _ flags: UInt32,
    _ handle: UnsafeMutablePointer<uv_process_t>
  ) -> Int32 {
    var options = uv_process_options_t()
    options.flags = flags
    options.exit_cb = { pointer, status, signal in
      LoopActor.assumeIsolated {
        let child = Handle<uv_process_t>.owner(of: pointer, as: ChildProcess.self)
        child?.exit.finish(signal == 0 ? Int32(truncatingIfNeeded: status) : 128 + signal)
        child?.handle.close()
      }
    }
    var strings = words.map { strdup($0) } + [nil]
    var variables = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in strings + variables { free(string) } }
    var containers = streams.enumerated().map { number, stream in
      var container = uv_stdio_container_t()
      switch stream {
      case .null: container.flags = UV_IGNORE
      case .inherit:
        container.flags = UV_INHERIT_FD
        container.data.fd = Int32(number)
      case .descriptor(let descriptor):
        container.flags = UV_INHERIT_FD
        container.data.fd = descriptor
      }
      return container
    }
    return strings.withUnsafeMutableBufferPointer { strings in
      variables.withUnsafeMutableBufferPointer { variables in
        containers.withUnsafeMutableBufferPointer { containers in
          options.file = UnsafePointer(strings[0])
          options.args = strings.baseAddress
          options.env = environment == nil ? nil : variables.baseAddress
          options.stdio = containers.baseAddress
          options.stdio_count = Int32(containers.count)
          return uv_spawn(EventLoop.loop, handle, &options)
        }
      }
    }
  }

  /// Its exit status; 128 and the signal's number where a signal ended it.
  public var status: Int32 {
    get async { await exit.value }
  }

  public var isRunning: Bool { !exit.isFinished }

  /// Asks it to end, by SIGTERM.
  public func terminate() {
    if isRunning { uv_process_kill(handle.pointer, SIGTERM) }
  }

  isolated deinit {
    if !handle.isClosed { uv_process_kill(handle.pointer, SIGTERM) }
    handle.close()
  }
}

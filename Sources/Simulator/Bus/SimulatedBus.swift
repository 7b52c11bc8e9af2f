public import EventLoop
internal import Glibc

/// A dbus-daemon of our own, with the policy and the limits of a system bus. It leaves nothing behind: its
/// configuration is a file without a name, its socket has none in the file system, and it dies with us.
@LoopActor
public final class SimulatedBus {
  public struct Failure: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  private var process: ChildProcess?
  private var configuration: Int32 = -1
  private let socket = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  public init() {}

  /// Whether calls to org.bluez are refused with AccessDenied. Set while it runs, it counts once the bus has been
  /// told to read its configuration again.
  public var isDenied = false {
    didSet { if configuration >= 0 { write() } }
  }

  /// Returns the address, once the bus takes connections.
  public func start() async throws(Failure) -> String {
    configuration = SimulatedBus.unnamedFile()
    guard configuration >= 0, let output = Pipe() else {
      throw Failure(description: "no descriptors left for a message bus")
    }
    write()
    do throws(ChildProcess.Failure) {
      process = try ChildProcess(
        // By way of us: dbus-daemon lets go of its standard input before it reads.
        [
          "dbus-daemon", "--config-file=/proc/\(getpid())/fd/\(configuration)", "--nofork", "--nopidfile", "--nosyslog",
          "--print-address=1",
        ],
        // It grumbles about limits that only root may raise.
        // It has to outlive the Ctrl-C that ends us: links go down by way of it.
        output: .descriptor(output.writingEnd), errors: .null, inOwnSession: true)
    } catch {
      throw Failure(description: error.message)
    }
    output.closeWritingEnd()
    guard let address = await output.line(), !address.isEmpty else {
      await stop()
      throw Failure(description: "dbus-daemon does not start; is the package dbus installed?")
    }
    return address
  }

  /// Returns when the daemon has ended.
  public func stop() async {
    process?.terminate()
    _ = await process?.status
    process = nil
    closeConfiguration()
  }

  private func closeConfiguration() {
    if configuration >= 0 { close(configuration) }
    configuration = -1
  }

  isolated deinit { closeConfiguration() }

  private static func unnamedFile() -> Int32 {
    var template = Array("/tmp/blescript-bus-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    if file >= 0 { unlink(template) }
    return file
  }

  private func write() {
    let text = Array(SimulatedBus.configuration(socket: socket, isDenied: isDenied).utf8)
    ftruncate(configuration, 0)
    var sent = 0
    while sent < text.count {
      let count = text[sent...].withUnsafeBytes { pwrite(configuration, $0.baseAddress, $0.count, off_t(sent)) }
      if count <= 0 { return }
      sent += count
    }
  }

  /// As /usr/share/dbus-1/system.conf and org.bluez's policy have it, except that anybody may be bluetoothd, and that
  /// bluetoothd may call agents without being root.
  static func configuration(socket: String, isDenied: Bool) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <listen>unix:abstract=blescript-\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <deny own="*"/>
        <allow own="org.bluez"/>
        <allow own_prefix="org.blescript"/>
        <allow send_type="method_call"/>
        <allow send_type="signal"/>
        <allow send_requested_reply="true" send_type="method_return"/>
        <allow send_requested_reply="true" send_type="error"/>
        <allow receive_type="method_call"/>
        <allow receive_type="method_return"/>
        <allow receive_type="error"/>
        <allow receive_type="signal"/>
        <allow send_destination="org.freedesktop.DBus"/>
        \(isDenied ? "<deny send_destination=\"org.bluez\"/>" : "")
      </policy>
      <limit name="max_incoming_bytes">133169152</limit>
      <limit name="max_incoming_unix_fds">64</limit>
      <limit name="max_outgoing_bytes">133169152</limit>
      <limit name="max_outgoing_unix_fds">64</limit>
      <limit name="max_message_size">33554432</limit>
      <limit name="max_message_unix_fds">16</limit>
      <limit name="service_start_timeout">25000</limit>
      <limit name="max_completed_connections">2048</limit>
      <limit name="max_connections_per_user">256</limit>
      <limit name="max_names_per_connection">512</limit>
      <limit name="max_match_rules_per_connection">512</limit>
      <limit name="max_replies_per_connection">128</limit>
    </busconfig>
    """
  }
}

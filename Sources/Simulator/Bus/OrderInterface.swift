internal import DBus
internal import EventLoop
internal import LuaRuntime

/// `org.blescript.Simulator1`: how a test in another process tells the world what to do.
@LoopActor
final class OrderInterface: ExportedInterface {
  static let name = "org.blescript.Simulator1"
  static let path: ObjectPath = "/org/blescript/simulator"

  private unowned let world: World

  init(_ world: World) {
    self.world = world
  }

  let description = InterfaceDescription(OrderInterface.name, methods: [.init("Order", in: [.init("line", "s")])])

  func call(_ call: IncomingCall) {
    guard let line = call.arguments.first?.string else {
      return call.fail("org.freedesktop.DBus.Error.InvalidArgs", "a line expected")
    }
    Task { @LoopActor [world] in
      do throws(LuaError) {
        try await world.order(line)
        call.reply()
      } catch {
        call.fail("org.blescript.Simulator1.Error.Failed", error.description)
      }
    }
  }
}

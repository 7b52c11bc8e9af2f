import EventLoop
import Testing

@testable import Simulator

@Suite struct AttributeTests {
  init() { EventLoop.runInBackground() }

  @Test @LoopActor func handlesAscendAndValuesFollowDeclarations() throws {
    let table = AttributeTable()
    try table.addUsual(name: Array("x".utf8))
    let service = try table.addService("a", includes: [table.services[1]])
    #expect(service.handle == 0x000e)
    // The declaration of what is included has 0x000f.
    let characteristic = try table.addCharacteristic("b", to: service, flags: ["notify", "read"])
    #expect(characteristic.handle == 0x0010)
    #expect(characteristic.value.handle == 0x0011)
    #expect(characteristic.flags == ["read", "notify"])
    #expect(throws: AttributeTable.Problem.self) { try table.addService("c", handle: 0x0011) }
    #expect(try table.addService("c", handle: 0x0100).handle == 0x0100)
    #expect(throws: AttributeTable.Problem.self) { try table.addCharacteristic("d", to: service, flags: ["read"]) }
  }

  @Test @LoopActor func whatAnAttributeAllows() {
    let attribute = Attribute(handle: 1, uuid: "a", value: [1, 2, 3], isReadable: true, isWritable: true)
    attribute.longest = 4
    attribute.security = .encrypted
    #expect(attribute.read(from: 0, over: .open).answer == .error(0x05))
    #expect(attribute.read(from: 1, over: .encrypted).answer == .value([2, 3]))
    #expect(attribute.read(from: 3, over: .authenticated).answer == .value([]))
    #expect(attribute.read(from: 4, over: .encrypted).answer == .error(0x07))
    #expect(attribute.write([1, 2, 3, 4, 5], over: .encrypted).answer == .error(0x0d))
    #expect(attribute.write([9], over: .encrypted).answer == .value([]))
    #expect(attribute.value == [9])
    let sealed = Attribute(handle: 2, uuid: "b", isReadable: false, isWritable: false)
    #expect(sealed.read(from: 0, over: .open).answer == .error(0x02))
    #expect(sealed.write([], over: .open).answer == .error(0x03))
  }
}

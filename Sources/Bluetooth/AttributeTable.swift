/// The attributes of one device (Core Specification, Vol 3, Part G, 2.6). Handles are those of the declarations.
public struct AttributeTable: Hashable, Sendable {
  public var services: [Service]
  public init(_ services: [Service] = []) { self.services = services }

  public struct Service: Hashable, Sendable {
    public var uuid: UUID
    public var handle: UInt16
    public var isPrimary: Bool
    /// Handles of the services that this one includes.
    public var includes: [UInt16]
    public var characteristics: [Characteristic]

    public init(
      uuid: UUID, handle: UInt16, isPrimary: Bool = true, includes: [UInt16] = [],
      characteristics: [Characteristic] = []
    ) {
      self.uuid = uuid
      self.handle = handle
      self.isPrimary = isPrimary
      self.includes = includes
      self.characteristics = characteristics
    }
  }

  public struct Characteristic: Hashable, Sendable {
    public var uuid: UUID
    public var handle: UInt16
    public var properties: CharacteristicProperties
    public var descriptors: [Descriptor]

    public init(uuid: UUID, handle: UInt16, properties: CharacteristicProperties, descriptors: [Descriptor] = []) {
      self.uuid = uuid
      self.handle = handle
      self.properties = properties
      self.descriptors = descriptors
    }
  }

  public struct Descriptor: Hashable, Sendable {
    public var uuid: UUID
    public var handle: UInt16

    public init(uuid: UUID, handle: UInt16) {
      self.uuid = uuid
      self.handle = handle
    }
  }
}

/// How a script names a characteristic.
public enum CharacteristicReference: Hashable, Sendable {
  case uuid(UUID)
  case within(service: UUID, UUID)
  case handle(UInt16)
}

extension AttributeTable {
  /// A characteristic and the service that it belongs to.
  public typealias Place = (service: Service, characteristic: Characteristic)

  /// All characteristics that answer to the reference; none, one, or several of one UUID.
  public func characteristics(_ reference: CharacteristicReference) -> [Place] {
    services.flatMap { service in
      service.characteristics.filter { characteristic in
        switch reference {
        case .uuid(let uuid): characteristic.uuid == uuid
        case .within(let owner, let uuid): service.uuid == owner && characteristic.uuid == uuid
        case .handle(let handle): characteristic.handle == handle
        }
      }.map { (service, $0) }
    }
  }
}

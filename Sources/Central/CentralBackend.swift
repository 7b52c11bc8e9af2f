public import Bluetooth
public import EventLoop

/// One device as one adapter sees it.
public struct DeviceID: Hashable, Sendable {
  /// The adapter's name, such as `hci0`.
  public let adapter: String
  public let address: Address

  public init(adapter: String, address: Address) {
    self.adapter = adapter
    self.address = address
  }
}

/// One attribute by the handle of its declaration.
public struct AttributeID: Hashable, Sendable {
  public let device: DeviceID
  public let handle: UInt16

  public init(_ device: DeviceID, _ handle: UInt16) {
    self.device = device
    self.handle = handle
  }
}

public struct AdapterState: Hashable, Sendable {
  public var name: String
  public var address: Address
  public var alias: String
  public var isPowered: Bool
  public var isDiscovering: Bool

  public init(name: String, address: Address, alias: String = "", isPowered: Bool, isDiscovering: Bool = false) {
    self.name = name
    self.address = address
    self.alias = alias
    self.isPowered = isPowered
    self.isDiscovering = isDiscovering
  }
}

public struct DeviceState: Hashable, Sendable {
  public var addressType = AddressType.public
  public var name: String?
  public var rssi: Int?
  public var isConnected = false
  public var areServicesResolved = false
  public var isPaired = false
  public var isBonded = false
  public var isTrusted = false
  public var isBlocked = false

  public init() {}
}

/// What keeps a backend from working at all.
public enum Availability: Hashable, Sendable {
  case ready
  /// There is no Bluetooth service, or no way to it.
  case unavailable(CentralError)
}

public enum WriteKind: Sendable {
  case request, command, reliable
}

/// A Bluetooth stack, as ``Central`` needs one.
///
/// Calls end when the stack has answered, or when the backend gives up on it: each within a minute, whatever happens.
/// Cancelling the calling task does not end them. Errors carry what the stack said; the context is added by `Central`.
@LoopActor
public protocol CentralBackend: AnyObject {
  /// Who is told of what happens. Held weakly.
  var events: (any CentralBackendEvents)? { get set }

  /// Opens the way to the stack where it is not open, and takes the first picture of it.
  func open() async -> Availability
  func close() async

  var adapters: [AdapterState] { get }
  func state(of device: DeviceID) -> DeviceState?
  func attributes(of device: DeviceID) -> AttributeTable
  /// The largest ATT packet of the link in bytes; nil when unknown.
  func mtu(of device: DeviceID) -> Int?
  /// The value that was read or notified last; nil when none is known.
  func cachedValue(of attribute: AttributeID) -> [UInt8]?
  func isNotifying(_ attribute: AttributeID) -> Bool

  func setPower(of adapter: String, on: Bool) async throws(CentralError)
  /// From now on every advertisement is told, also one that says nothing new.
  func startDiscovery(on adapter: String) async throws(CentralError)
  func stopDiscovery(on adapter: String) async throws(CentralError)

  func connect(_ device: DeviceID) async throws(CentralError)
  /// Also ends a ``connect(_:)`` under way.
  func disconnect(_ device: DeviceID) async throws(CentralError)
  /// Comes back when all that had happened before has been told.
  func synchronize(_ device: DeviceID) async throws(CentralError)

  func read(_ attribute: AttributeID, offset: Int) async throws(CentralError) -> [UInt8]
  func write(_ attribute: AttributeID, _ value: [UInt8], _ kind: WriteKind, offset: Int) async throws(CentralError)
  func startNotify(_ attribute: AttributeID) async throws(CentralError)
  func stopNotify(_ attribute: AttributeID) async throws(CentralError)
}

/// What a backend tells.
@LoopActor
public protocol CentralBackendEvents: AnyObject {
  func backendChanged(_ availability: Availability)
  /// Nil: the adapter is gone, and all its devices with it.
  func adapterChanged(_ name: String, _ state: AdapterState?)
  /// Nil: the stack has forgotten the device.
  func deviceChanged(_ device: DeviceID, _ state: DeviceState?)
  func attributesChanged(of device: DeviceID)
  func heard(_ advertisement: Advertisement)
  /// A notification, or a read by anybody: BlueZ does not tell them apart.
  func valueChanged(of attribute: AttributeID, _ value: [UInt8])
}

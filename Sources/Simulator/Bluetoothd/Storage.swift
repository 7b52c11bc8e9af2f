/// What bluetoothd keeps in /var/lib/bluetooth, by the adapter's address: it outlives a restart.
struct Storage {
  struct StoredAdapter {
    var alias: String?
    var isPairable = false
    var discoverableTimeout: UInt32 = 180
    var pairableTimeout: UInt32 = 0
    var devices: [StoredDevice] = []
  }

  struct StoredDevice {
    let address: String
    let addressType: String
    var name: String?
    var alias: String?
    var services: [String]
    var isBonded: Bool
    var isTrusted: Bool
    var isBlocked: Bool
  }

  private var adapters: [String: StoredAdapter] = [:]

  subscript(address: String) -> StoredAdapter {
    get { adapters[address] ?? StoredAdapter() }
    set { adapters[address] = newValue }
  }

  mutating func keep(_ device: StoredDevice, of adapter: String) {
    forget(device.address, of: adapter)
    self[adapter].devices.append(device)
  }

  mutating func forget(_ address: String, of adapter: String) {
    self[adapter].devices.removeAll { $0.address == address }
  }
}

internal import Bluetooth
internal import Central
internal import EventLoop
internal import LuaRuntime

/// The Lua functions in a filter, and the error that ended one of them.
@LoopActor
final class FilterFunctions {
  private let runtime: LuaRuntime
  private(set) var failure: LuaError?

  init(_ runtime: LuaRuntime) {
    self.runtime = runtime
  }

  /// An error counts as a match: that wakes the reader, who is told of it.
  func predicate(_ function: LuaFunction) -> @Sendable (Advertisement) -> Bool {
    { advertisement in
      LoopActor.assumeIsolated { self.ask(function, advertisement) }
    }
  }

  private func ask(_ function: LuaFunction, _ advertisement: Advertisement) -> Bool {
    guard failure == nil else { return true }
    do throws(LuaError) {
      let answer = try runtime.call(function, [.table(LuaTable(advertisement))]).first ?? .nil
      return !answer.isNil && answer != false
    } catch {
      failure = error
      return true
    }
  }
}

extension LuaCall.Argument {
  /// A scan filter from its Lua table. `others`: fields that are not the filter's, and allowed beside it.
  func filter(_ functions: FilterFunctions, others: Set<String> = []) throws(LuaError) -> ScanFilter {
    let fields = try options(allowing: Self.filterFields.union(others))
    var filter = ScanFilter()
    filter.name = try fields["name"].ifPresent?.string()
    filter.namePrefix = try fields["name_prefix"].ifPresent?.string()
    filter.address = try fields["address"].ifPresent?.address()
    filter.rssi = try (fields["rssi"].ifPresent?.integer()).map { Int($0) }
    for service in try fields["services"].elements() { filter.services.insert(try service.uuid(.service)) }
    for (key, pattern) in try fields["manufacturer"].entries() {
      filter.manufacturer[UInt16(try key.integer(in: 0...0xFFFF))] = try pattern.dataPattern()
    }
    for (key, pattern) in try fields["service_data"].entries() {
      filter.serviceData[try key.uuid(.service)] = try pattern.dataPattern()
    }
    for other in try fields["any"].elements() { filter.any.append(try other.filter(functions)) }
    for other in try fields["except"].elements() { filter.except.append(try other.filter(functions)) }
    filter.predicate = try (fields["where"].ifPresent?.function()).map { functions.predicate($0) }
    return filter
  }

  private static let filterFields: Set<String> = [
    "name", "name_prefix", "address", "services", "manufacturer", "service_data", "rssi", "any", "except", "where",
  ]

  /// `true` for any data, or a table of `prefix` and `mask`.
  private func dataPattern() throws(LuaError) -> DataPattern {
    if value == true { return .anything }
    let fields = try options(allowing: ["prefix", "mask"])
    return DataPattern(prefix: try fields["prefix"].bytes(), mask: try fields["mask"].ifPresent?.bytes())
  }
}

extension LuaTable {
  /// An advertisement for Lua. What is not known is absent.
  init(_ advertisement: Advertisement) {
    self.init(named: [
      ("address", LuaValue(advertisement.address.description)),
      ("address_type", LuaValue(advertisement.addressType.rawValue)),
      ("name", LuaValue(advertisement.name)),
      ("rssi", advertisement.rssi.map { LuaValue($0) } ?? .nil),
      ("tx_power", advertisement.txPower.map { LuaValue($0) } ?? .nil),
      ("services", LuaValue(advertisement.services.map { LuaValue($0.description) })),
      (
        "manufacturer_data",
        .table(LuaTable([], fields: advertisement.manufacturerData.map { (LuaValue($0), .string($1)) }))
      ),
      (
        "service_data",
        .table(LuaTable([], fields: advertisement.serviceData.map { (LuaValue($0.description), .string($1)) }))
      ),
      ("flags", advertisement.flags.map { LuaValue($0) } ?? .nil),
      ("appearance", advertisement.appearance.map { LuaValue($0) } ?? .nil),
      ("time", .number(advertisement.time)),
      ("adapter", LuaValue(advertisement.adapter)),
    ])
  }
}

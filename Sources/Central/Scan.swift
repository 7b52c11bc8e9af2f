public import Bluetooth
public import EventLoop

public struct ScanOptions: Sendable {
  /// Every advertisement. Otherwise a device is reported when it is first heard, and again when its name, services or
  /// data differ from what was reported.
  public var duplicates = false
  /// Seconds after which the scan ends; nil: never.
  public var timeout: Seconds?
  /// Reports after which the scan ends; nil: never.
  public var count: Int?

  public init() {}
}

/// A scan under way. It ends by its time-out, its count, ``cancel()``, or an error.
@LoopActor
public final class Scan {
  let options: ScanOptions
  private let filter: ScanFilter
  private weak var discovery: Discovery?
  private let reports = EventStream<Advertisement>()
  /// What each device has said so far, all its advertisements together.
  private var reported: [Address: Advertisement] = [:]
  private var count = 0
  private var deadline: Clock.Timer?

  init(_ filter: ScanFilter, _ options: ScanOptions, on adapter: Adapter, clock: Clock) {
    self.filter = filter
    self.options = options
    discovery = adapter.discovery
    // A scan that never began has not looked in vain.
    deadline = options.timeout.map { clock.after($0) { [weak self] in self?.finish(self?.discovery?.refusal) } }
    adapter.discovery.add(self)
  }

  /// Advertisements that went because the reader was slow.
  public var dropped: Int { reports.dropped }

  /// The next one; nil at the end.
  public func next() async throws(CentralError) -> Advertisement? {
    do throws(CentralError) { return try await reports.next() } catch { throw error.during("scan", stage: .scan) }
  }

  public func cancel() {
    reports.cancel()
    finish()
  }

  func heard(_ advertisement: Advertisement) {
    guard !reports.isFinished, filter.matches(advertisement), isNews(advertisement) else { return }
    reports.send(advertisement)
    count += 1
    if let limit = options.count, count >= limit { finish() }
  }

  private func isNews(_ advertisement: Advertisement) -> Bool {
    guard !options.duplicates else { return true }
    guard var known = reported[advertisement.address] else {
      reported[advertisement.address] = advertisement
      return true
    }
    guard
      known.name != advertisement.name || known.services != advertisement.services
        || advertisement.manufacturerData.contains(where: { known.manufacturerData[$0.key] != $0.value })
        || advertisement.serviceData.contains(where: { known.serviceData[$0.key] != $0.value })
    else { return false }
    // Each carries a part of what the device says: what one leaves out is not new when it comes again.
    (known.name, known.services) = (advertisement.name, advertisement.services)
    known.manufacturerData.merge(advertisement.manufacturerData) { $1 }
    known.serviceData.merge(advertisement.serviceData) { $1 }
    reported[advertisement.address] = known
    return true
  }

  func finish(_ error: CentralError? = nil) {
    reports.finish(error)
    deadline?.cancel()
    discovery?.remove(self)
  }
}

extension Central {
  /// Starts to scan. Throws where that can't be: no stack, no adapter, adapter off.
  public func scan(
    _ filter: ScanFilter, _ options: ScanOptions = ScanOptions(), adapter name: String? = nil
  ) async throws(CentralError) -> Scan {
    do throws(CentralError) {
      try await open()
      let adapter = try adapter(name)
      try adapter.requirePower()
      return Scan(filter, options, on: adapter, clock: clock)
    } catch {
      throw error.during("scan", stage: .adapter)
    }
  }
}

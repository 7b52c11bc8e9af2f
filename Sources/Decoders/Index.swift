internal import Bluetooth

/// Finds the rules that an advertisement fits, the most specific first. The cost does not grow with the number of
/// decoders, but with that of the rules under one key.
struct Index {
  struct Entry {
    let decoder: Int
    let rule: Rule
    /// Order among equals: the row in its file.
    let row: Int
  }

  struct Candidate {
    let decoder: Int
    let rule: Rule
    let payload: [UInt8]
  }

  private var entries: [Rule.Key: [Entry]] = [:]

  mutating func add(_ rules: [Rule], of decoder: Int) {
    for (row, rule) in rules.enumerated() {
      for key in Set(rule.keys) { entries[key, default: []].append(Entry(decoder: decoder, rule: rule, row: row)) }
    }
    for key in Set(rules.flatMap(\.keys)) { entries[key]?.sort(by: Self.goesFirst) }
  }

  private static func goesFirst(_ a: Entry, _ b: Entry) -> Bool {
    (-a.rule.specificity, a.decoder, a.row) < (-b.rule.specificity, b.decoder, b.row)
  }

  /// Pairs of rules of different decoders between which nothing decides.
  func ties() -> [(Entry, Entry)] {
    var ties: [(Entry, Entry)] = []
    for (key, list) in entries {
      for (index, a) in list.enumerated() {
        for b in list[(index + 1)...].prefix(while: { $0.rule.specificity == a.rule.specificity })
        where a.decoder != b.decoder && a.rule.overlaps(b.rule) && Self.isFirstCommon(key, a.rule, b.rule) {
          ties.append((a, b))
        }
      }
    }
    return ties.sorted { ($0.0.decoder, $0.0.row, $0.1.row) < ($1.0.decoder, $1.0.row, $1.1.row) }
  }

  /// A pair that meets under several companies is told once.
  private static func isFirstCommon(_ key: Rule.Key, _ a: Rule, _ b: Rule) -> Bool {
    a.keys.first { b.keys.contains($0) } == key
  }

  func candidates(_ advertisement: Advertisement) -> [Candidate] {
    var found: [(entry: Entry, payload: [UInt8])] = []
    for (company, payload) in advertisement.manufacturerData {
      look(.company(company), [payload], advertisement, &found)
    }
    for (uuid, payload) in advertisement.serviceData {
      look(.serviceData(uuid), [payload], advertisement, &found)
    }
    // Rules that name neither company nor service data take any manufacturer data, or none.
    let data = advertisement.manufacturerData.sorted { $0.key < $1.key }.map(\.value)
    let any = data.isEmpty ? [[]] : data
    for service in advertisement.services { look(.service(service), any, advertisement, &found) }
    if let name = advertisement.name {
      let starts = Set((1...Rule.namePart).map { String(name.prefix($0)) })
      for start in starts { look(.namePrefix(start), any, advertisement, &found) }
    }
    if found.count > 1 { found.sort { Self.goesFirst($0.entry, $1.entry) } }
    return found.map { Candidate(decoder: $0.entry.decoder, rule: $0.entry.rule, payload: $0.payload) }
  }

  private func look(
    _ key: Rule.Key, _ payloads: [[UInt8]], _ advertisement: Advertisement,
    _ found: inout [(entry: Entry, payload: [UInt8])]
  ) {
    guard let list = entries[key] else { return }
    for payload in payloads {
      for entry in list where entry.rule.fits(payload, of: advertisement) { found.append((entry, payload)) }
    }
  }
}

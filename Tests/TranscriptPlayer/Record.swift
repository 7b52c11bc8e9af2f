/// What happened in a step, and how it is written: by object, in order, without what chance decides.
struct Record {
  private(set) var events: [(place: String, event: [String: JSON])] = []

  mutating func add(_ place: String, _ event: [String: JSON]) {
    events.append((place, event))
  }

  static let properties = "org.freedesktop.DBus.Properties"

  /// The battery counts as an object of its own: it comes and goes by its own clock.
  static func place(_ path: String, _ interfaces: [String]) -> String {
    interfaces == ["org.bluez.Battery1"] ? path + " (battery)" : path
  }

  /// Neighbouring changes of one object become one, unless a property is in both. A report of signal strength that says
  /// the same again is only noted. `latest` has each object's last event of the steps before.
  func normal(_ latest: inout [String: [String: JSON]]) -> [String: [[String: JSON]]] {
    var grouped: [String: [[String: JSON]]] = [:]
    for (place, event) in events {
      var sequence = grouped[place] ?? []
      Record.append(event, to: &sequence, after: latest[place])
      if !sequence.isEmpty { grouped[place] = sequence }
    }
    for (place, sequence) in grouped {
      let folded = Record.folded(sequence)
      grouped[place] = folded
      var last = folded.last ?? [:]
      last["repeated"] = nil
      latest[place] = last
    }
    return grouped
  }

  private static func append(_ event: [String: JSON], to sequence: inout [[String: JSON]], after last: [String: JSON]?)
  {
    let before = sequence.last
    if event["changed"]?["RSSI:n"] != nil {
      guard var before else {
        if event != last { sequence.append(event) }
        return
      }
      before["repeated"] = nil
      if before == event {
        sequence[sequence.count - 1]["repeated"] = .bool(true)
      } else {
        sequence.append(event)
      }
      return
    }
    if let before, let gone = before["removed"], let more = event["removed"] {
      sequence[sequence.count - 1]["removed"] = .list(
        (gone.list + more.list).sorted { ($0.text ?? "") < ($1.text ?? "") })
    } else if let before, let merged = merged(before, event) {
      sequence[sequence.count - 1] = merged
    } else if event["reply"] != nil, before?["changed"]?.fields.keys.elementsEqual(["Discovering:b"]) == true {
      // Either may come first; so it is the reply.
      sequence.insert(event, at: sequence.count - 1)
    } else {
      sequence.append(event)
    }
  }

  private static func merged(_ before: [String: JSON], _ event: [String: JSON]) -> [String: JSON]? {
    guard let old = before["changed"], let new = event["changed"], before["interface"] == event["interface"] else {
      return nil
    }
    let names = { (event: [String: JSON]) in
      Set(
        (event["changed"]?.fields.keys.map { String($0.prefix { $0 != ":" }) } ?? [])
          + (event["invalidated"]?.texts ?? []))
    }
    guard names(before).isDisjoint(with: names(event)), !names(before).contains("RSSI") else { return nil }
    var merged = before
    merged["changed"] = .object(old.fields.merging(new.fields) { _, new in new })
    let gone = (before["invalidated"]?.texts ?? []) + (event["invalidated"]?.texts ?? [])
    if !gone.isEmpty { merged["invalidated"] = .list(gone.sorted().map { .text($0) }) }
    return merged
  }

  /// An adapter that comes up is one event, with what its properties are in the end.
  private static func folded(_ sequence: [[String: JSON]]) -> [[String: JSON]] {
    guard let first = sequence.firstIndex(where: { $0["added"]?["org.bluez.Adapter1"] != nil }) else { return sequence }
    var interfaces: [String: JSON] = [:]
    var rest: [[String: JSON]] = []
    for event in sequence[first...] {
      if let added = event["added"] {
        interfaces.merge(added.fields) { _, new in new }
      } else if let name = event["interface"]?.text, let changed = event["changed"] {
        interfaces[name] = .object((interfaces[name]?.fields ?? [:]).merging(changed.fields) { _, new in new })
      } else {
        rest.append(event)
      }
    }
    return sequence[..<first] + [["added": .object(interfaces)]] + rest
  }

  /// Parents that were announced after their children, or removed before them.
  var disorder: [String] {
    var found: [String] = []
    for kind in ["added", "removed"] {
      let order = events.filter { event in
        guard let value = event.event[kind] else { return false }
        return value[Record.properties] != nil || value.texts.contains(Record.properties)
      }.map(\.place)
      for (index, path) in order.enumerated() {
        for later in order[(index + 1)...] {
          let (parent, child) = kind == "added" ? (later, path) : (path, later)
          if child.hasPrefix(parent + "/") { found.append("\(later) \(kind) after \(path)") }
        }
      }
    }
    return found.sorted()
  }
}

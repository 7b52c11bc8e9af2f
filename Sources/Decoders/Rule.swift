internal import Bluetooth
internal import EventLoop
internal import LuaRuntime

/// One way to recognise a family's advertisements: a row of a decoder's `match`.
struct Rule {
  /// Where the index finds it.
  enum Key: Hashable {
    case company(UInt16)
    case serviceData(UUID)
    case service(UUID)
    /// The first three characters, or fewer where the prefix has only those.
    case namePrefix(String)
  }

  static let namePart = 3

  let id: String
  let model: String?
  let keys: [Key]
  let service: UUID?
  let namePrefix: String?
  /// Nil: any byte.
  let first: [UInt8?]
  /// Empty: any.
  let lengths: Set<Int>
  /// Upper case, with colons.
  let addressPrefix: String

  /// How much it asks for. Of several rules that fit the one that asks for most is asked first.
  var specificity: Int {
    let isMore = [!lengths.isEmpty, service != nil && keys.first != service.map(Key.service)]
    return first.count { $0 != nil } + (namePrefix?.utf8.count ?? 0) + addressPrefix.utf8.count / 3
      + isMore.count { $0 }
  }

  func fits(_ payload: [UInt8], of advertisement: Advertisement) -> Bool {
    if !lengths.isEmpty, !lengths.contains(payload.count) { return false }
    guard payload.count >= first.count, zip(first, payload).allSatisfy({ $0 == nil || $0 == $1 }) else { return false }
    if let service, !advertisement.services.contains(service) { return false }
    if let namePrefix, advertisement.name?.hasPrefix(namePrefix) != true { return false }
    return addressPrefix.isEmpty || advertisement.address.description.hasPrefix(addressPrefix)
  }

  /// Whether some advertisement fits both.
  func overlaps(_ other: Rule) -> Bool {
    guard !Set(keys).isDisjoint(with: other.keys) else { return false }
    if !lengths.isEmpty, !other.lengths.isEmpty, lengths.isDisjoint(with: other.lengths) { return false }
    guard zip(first, other.first).allSatisfy({ $0 == nil || $1 == nil || $0 == $1 }) else { return false }
    return Self.agree(namePrefix ?? "", other.namePrefix ?? "") && Self.agree(addressPrefix, other.addressPrefix)
  }

  private static func agree(_ a: String, _ b: String) -> Bool { a.hasPrefix(b) || b.hasPrefix(a) }
}

extension Rule {
  /// From the form that scripts/lib/decoder/contract.lua has checked.
  init(_ table: LuaTable) {
    id = table["id"].text ?? ""
    model = table["model"].text
    service = table["service"].text.flatMap { UUID($0) }
    namePrefix = table["name_prefix"].text
    first = table["first"].table?.array.map { $0.integer.map { UInt8(truncatingIfNeeded: $0) } } ?? []
    lengths = Set(table["len"].table?.array.compactMap { $0.integer.map { Int($0) } } ?? [])
    addressPrefix = table["address"].text ?? ""
    let companies = table["company"].table?.array.compactMap(\.integer) ?? []
    if !companies.isEmpty {
      keys = companies.map { .company(UInt16(truncatingIfNeeded: $0)) }
    } else if let data = table["service_data"].text.flatMap({ UUID($0) }) {
      keys = [.serviceData(data)]
    } else if let service {
      keys = [.service(service)]
    } else {
      keys = [.namePrefix(String((namePrefix ?? "").prefix(Self.namePart)))]
    }
  }
}

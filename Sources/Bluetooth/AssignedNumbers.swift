/// The Bluetooth SIG's names for the 16-bit UUIDs that it has assigned.
///
/// A name is as the SIG writes it ("Heart Rate Measurement"); an identifier is its form for
/// scripts ("heart_rate_measurement").
public enum AssignedNumbers {
  public enum Kind: Sendable, CaseIterable {
    case service, characteristic, descriptor, declaration
  }

  /// "Heart Rate" for 0x180d; nil where the SIG has assigned nothing.
  public static func name(of number: UInt16, _ kind: Kind) -> String? {
    table(kind).names[number].map(String.init)
  }

  /// "heart_rate" for 0x180d; nil where the SIG has assigned nothing.
  public static func identifier(of number: UInt16, _ kind: Kind) -> String? {
    table(kind).names[number].map { identifier(from: $0) }
  }

  /// The number that belongs to an identifier or a name, in any case: "heart_rate", "Heart Rate".
  /// A service's may also end in "service": "battery_service".
  public static func number(named name: String, _ kind: Kind) -> UInt16? {
    let wanted = identifier(from: name)
    let numbers = table(kind).numbers
    if let number = numbers[wanted] { return number }
    guard kind == .service, wanted.hasSuffix(serviceSuffix) else { return nil }
    return numbers[String(wanted.dropLast(serviceSuffix.utf8.count))]
  }

  private static let serviceSuffix = "_service"

  /// Letters and digits in lower case; whatever is between them becomes one underscore.
  private static func identifier(from name: some StringProtocol) -> String {
    var result: [UInt8] = []
    var isApart = false
    for byte in name.utf8 {
      guard let letter = lowercase(byte) else {
        isApart = !result.isEmpty
        continue
      }
      if isApart { result.append(UInt8(ascii: "_")) }
      isApart = false
      result.append(letter)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    default: nil
    }
  }

  private struct Table: Sendable {
    var names: [UInt16: Substring] = [:]
    var numbers: [String: UInt16] = [:]

    /// Each line is four hexadecimal digits, a space and a name.
    init(_ text: String) {
      for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
        guard let number = UInt16(Substring(line.prefix(4)), radix: 16) else { continue }
        let name = Substring(line.dropFirst(5))
        names[number] = name
        numbers[identifier(from: name)] = number
      }
    }
  }

  // Static, so that a table is read when it is first asked for, and only then.
  private static let services = Table(servicesText)
  private static let characteristics = Table(characteristicsText)
  private static let descriptors = Table(descriptorsText)
  private static let declarations = Table(declarationsText)

  private static func table(_ kind: Kind) -> Table {
    switch kind {
    case .service: services
    case .characteristic: characteristics
    case .descriptor: descriptors
    case .declaration: declarations
    }
  }
}

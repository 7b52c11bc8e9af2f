internal import CCrypto

/// AES with a key of 128 bits (FIPS 197) in the modes that sensors use; libcrypto does the work.
enum AES128 {
  struct Fault: Error {
    let message: String
  }

  static let blockSize = 16

  /// Whole blocks, each by itself (NIST SP 800-38A, 6.1).
  static func ecb(encrypt: Bool, key: [UInt8], data: [UInt8]) throws(Fault) -> [UInt8] {
    guard data.count % blockSize == 0 else {
      throw Fault(message: "data: whole blocks of 16 bytes expected, got \(data.count) bytes")
    }
    let cipher = try Cipher(EVP_aes_128_ecb(), encrypt: encrypt, key: key)
    EVP_CIPHER_CTX_set_padding(cipher.context, 0)
    return try cipher.update(data)
  }

  /// The same both ways (NIST SP 800-38A, 6.5). `counter`: the first block, a number whose most significant byte is the
  /// first; with `littleEndian` the last.
  static func ctr(key: [UInt8], counter: [UInt8], data: [UInt8], littleEndian: Bool) throws(Fault) -> [UInt8] {
    guard counter.count == blockSize else {
      throw Fault(message: "counter: 16 bytes expected, got \(counter.count)")
    }
    guard littleEndian else {
      return try Cipher(EVP_aes_128_ctr(), encrypt: true, key: key, nonce: counter).update(data)
    }
    var blocks: [UInt8] = []
    var next = counter
    for _ in stride(from: 0, to: data.count, by: blockSize) {
      blocks += next
      for index in next.indices {
        next[index] &+= 1
        if next[index] != 0 { break }
      }
    }
    return zip(data, try ecb(encrypt: true, key: key, data: blocks)).map { $0 ^ $1 }
  }

  /// Nil when the tag does not fit (NIST SP 800-38C; RFC 3610). libcrypto compares it in constant time.
  static func openCCM(
    key: [UInt8], nonce: [UInt8], data: [UInt8], tag: [UInt8], aad: [UInt8]
  ) throws(Fault) -> [UInt8]? {
    try checkCCM(nonce: nonce, data: data, tagLength: tag.count)
    let cipher = try Cipher(openingCCM: key, nonce: nonce, tag: tag)
    try cipher.announce(data.count, aad)
    defer { ERR_clear_error() }
    return try? cipher.update(data)
  }

  private static func checkCCM(nonce: [UInt8], data: [UInt8], tagLength: Int) throws(Fault) {
    guard (7...13).contains(nonce.count) else {
      throw Fault(message: "nonce: 7 to 13 bytes expected, got \(nonce.count)")
    }
    guard (4...16).contains(tagLength), tagLength % 2 == 0 else {
      throw Fault(message: "tag: 4, 6, 8, 10, 12, 14 or 16 bytes expected, got \(tagLength)")
    }
    // libcrypto takes an update with no bytes for none, and would not look at the tag.
    guard !data.isEmpty else { throw Fault(message: "data: at least 1 byte expected") }
    // The length field has 15 - nonce bytes, two at least.
    guard data.count <= 0xFFFF else { throw Fault(message: "data: at most 65535 bytes expected, got \(data.count)") }
  }
}

/// One use of libcrypto's cipher interface (EVP_EncryptInit(3)).
private final class Cipher {
  let context: OpaquePointer

  init(_ algorithm: OpaquePointer?, encrypt: Bool, key: [UInt8], nonce: [UInt8]? = nil) throws(AES128.Fault) {
    guard key.count == 16 else { throw AES128.Fault(message: "key: 16 bytes expected, got \(key.count)") }
    guard let context = EVP_CIPHER_CTX_new() else { throw AES128.Fault(message: "not enough memory") }
    self.context = context
    try Self.check(EVP_CipherInit_ex(context, algorithm, nil, key, nonce, encrypt ? 1 : 0))
  }

  init(openingCCM key: [UInt8], nonce: [UInt8], tag: [UInt8]) throws(AES128.Fault) {
    guard key.count == 16 else { throw AES128.Fault(message: "key: 16 bytes expected, got \(key.count)") }
    guard let context = EVP_CIPHER_CTX_new() else { throw AES128.Fault(message: "not enough memory") }
    self.context = context
    try Self.check(EVP_CipherInit_ex(context, EVP_aes_128_ccm(), nil, nil, nil, 0))
    try Self.check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil))
    var tag = tag
    try Self.check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag))
    try Self.check(EVP_CipherInit_ex(context, nil, nil, key, nonce, 0))
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
  }

  /// CCM wants to know the length first, then the data that is only authenticated.
  func announce(_ length: Int, _ aad: [UInt8]) throws(AES128.Fault) {
    var count: Int32 = 0
    try Self.check(EVP_CipherUpdate(context, nil, &count, nil, Int32(length)))
    if !aad.isEmpty { try Self.check(EVP_CipherUpdate(context, nil, &count, aad, Int32(aad.count))) }
  }

  func update(_ data: [UInt8]) throws(AES128.Fault) -> [UInt8] {
    guard !data.isEmpty else { return [] }
    var output = [UInt8](repeating: 0, count: data.count + AES128.blockSize)
    var count: Int32 = 0
    try Self.check(EVP_CipherUpdate(context, &output, &count, data, Int32(data.count)))
    return Array(output.prefix(Int(count)))
  }

  private static func check(_ result: Int32) throws(AES128.Fault) {
    guard result <= 0 else { return }
    ERR_clear_error()
    throw AES128.Fault(message: "libcrypto refused the operation")
  }
}

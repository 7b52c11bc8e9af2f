import EventLoop
import Testing

@testable import Decoders

/// Against the vectors of the standards.
@Suite struct CryptoTests {
  private func bytes(_ hex: String) -> [UInt8] {
    var rest = Substring(hex.filter { $0 != " " })
    var bytes: [UInt8] = []
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  @Test func ecb() throws {
    // FIPS 197, C.1
    let key = bytes("000102030405060708090a0b0c0d0e0f")
    let (plain, sealed) = (
      bytes("00112233445566778899aabbccddeeff"), bytes("69c4e0d86a7b0430d8cdb78070b4c55a")
    )
    #expect(try AES128.ecb(encrypt: true, key: key, data: plain + plain) == sealed + sealed)
    #expect(try AES128.ecb(encrypt: false, key: key, data: sealed + sealed) == plain + plain)
    #expect(try AES128.ecb(encrypt: true, key: key, data: []) == [])
    #expect(throws: AES128.Fault.self) { try AES128.ecb(encrypt: true, key: key, data: [1]) }
    #expect(throws: AES128.Fault.self) { try AES128.ecb(encrypt: true, key: [1], data: plain) }
  }

  @Test func ctr() throws {
    // NIST SP 800-38A, F.5.1
    let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
    let counter = bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    let plain = bytes("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51")
    let sealed = bytes("874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff")
    #expect(try AES128.ctr(key: key, counter: counter, data: plain, littleEndian: false) == sealed)
    #expect(
      try AES128.ctr(key: key, counter: counter, data: Array(sealed[..<20]), littleEndian: false) == Array(plain[..<20])
    )
    #expect(throws: AES128.Fault.self) { try AES128.ctr(key: key, counter: [0], data: plain, littleEndian: false) }
  }

  @Test func ctrWithALittleEndianCounter() throws {
    let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
    let first: [UInt8] = [0xff, 0xff] + [UInt8](repeating: 0, count: 14)
    let second: [UInt8] = [0, 0, 1] + [UInt8](repeating: 0, count: 13)
    let zeros = [UInt8](repeating: 0, count: 20)
    let stream = try AES128.ecb(encrypt: true, key: key, data: first + second)
    #expect(try AES128.ctr(key: key, counter: first, data: zeros, littleEndian: true) == Array(stream[..<20]))
  }

  @Test func ccm() throws {
    // RFC 3610, packet vector 1
    let key = bytes("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
    let nonce = bytes("00000003020100a0a1a2a3a4a5")
    let aad = bytes("0001020304050607")
    let sealed = bytes("588c979a61c663d2f066d0c2c0f989806d5f6b61dac384")
    let tag = bytes("17e8d12cfdf926e0")
    let plain = Array(UInt8(0x08)...0x1e)
    #expect(try AES128.openCCM(key: key, nonce: nonce, data: sealed, tag: tag, aad: aad) == plain)
    #expect(try AES128.openCCM(key: key, nonce: nonce, data: sealed, tag: tag, aad: []) == nil)
    for position in [0, 7] {
      var other = tag
      other[position] ^= 0x80
      #expect(try AES128.openCCM(key: key, nonce: nonce, data: sealed, tag: other, aad: aad) == nil)
    }
    // A shorter tag is another tag, not the beginning of the long one.
    #expect(try AES128.openCCM(key: key, nonce: nonce, data: sealed, tag: Array(tag[..<4]), aad: aad) == nil)
  }

  @Test func ccmRefusesWhatCantBe() {
    let zeros = [UInt8](repeating: 0, count: 16)
    let (key, nonce, tag) = (zeros, Array(zeros[..<12]), Array(zeros[..<4]))
    for (nonce, data, tag) in [
      (Array(nonce[..<6]), [1], tag), (nonce + nonce, [1], tag), (nonce, [], tag), (nonce, [1], Array(tag[..<3])),
      (nonce, [1], []), (nonce, [UInt8](repeating: 0, count: 0x10000), tag),
    ] as [([UInt8], [UInt8], [UInt8])] {
      #expect(throws: AES128.Fault.self) { try AES128.openCCM(key: key, nonce: nonce, data: data, tag: tag, aad: []) }
    }
  }
}

import Foundation

/// The CRC-32 of IEEE 802.3, which detects every change of up to 32 neighbouring bits.
struct Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private var state: UInt32 = .max

    var value: UInt32 { ~state }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        func add(_ byte: UInt8) { state = Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in for byte in buffer { add(byte) } }
        if isDone == nil { for byte in bytes { add(byte) } }
    }
}

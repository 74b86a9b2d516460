import Foundation

/// The CRC-32 of IEEE 802.3, which detects every change of up to 32 neighbouring bits.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    /// The checksum of parts, one after the other.
    ///
    /// - Parameter sum: The checksum of what is before them.
    static func of(_ parts: Data..., after sum: UInt32 = 0) -> UInt32 {
        parts.reduce(sum) { sum, part in
            // Unsafe bytes: used only inside the closure.
            ~part.withUnsafeBytes { bytes in
                bytes.reduce(~sum) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
            }
        }
    }
}

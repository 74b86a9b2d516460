import Foundation

/// The name of the file that holds the data of a key.
///
/// Characters that may have a meaning to a file system are written in hexadecimal digits: separators, dots, and also
/// capital letters, which some file systems don't distinguish from small ones. If the name would be too long, it is a
/// hash of the key.
enum FileName {
    private static let suffix = ".saved"
    private static let longest = 180

    static func of(_ key: String) -> String {
        let bytes = Array(key.precomposedStringWithCanonicalMapping.utf8)
        let name = bytes.isEmpty ? "%" : bytes.map { encoded($0) }.joined()
        return (name.utf8.count <= longest ? name : "%%" + hash(of: bytes)) + suffix
    }

    /// The key; nil for the hash of a key, and for other files.
    static func key(of name: String) -> String? {
        guard isOfKey(name), !name.hasPrefix("%%") else { return nil }
        let stem = name.dropLast(suffix.count)
        return stem == "%" ? "" : percentDecoded(stem)
    }

    /// Whether a file holds the data of a key.
    static func isOfKey(_ name: String) -> Bool { name.hasSuffix(suffix) }

    private static func encoded(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            String(UnicodeScalar(byte))
        default: "%" + hexadecimal(byte)
        }
    }

    /// 128 bits of FNV-1a. A file also contains its key, so a collision would be detected.
    private static func hash(of bytes: [UInt8]) -> String {
        let halves = [0xCBF2_9CE4_8422_2325, 0x6C62_272E_07BB_0142].map { (start: UInt64) in
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return halves.map { hexadecimal($0) }.joined()
    }
}

/// All digits of a number.
func hexadecimal<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
}

/// A text in which bytes were written as a percent sign and two digits; nil if it isn't one.
///
/// Foundation's function drops a byte order mark at the beginning.
func percentDecoded(_ text: Substring) -> String? {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
}

import Foundation

/// The name of the file that holds the data of a key.
///
/// Characters that may have a meaning to a file system are written in hexadecimal digits: separators, dots, and also
/// capital letters, which some file systems don't distinguish from small ones. If the name would be too long, it is a
/// hash of the key.
enum FileName {
    private static let suffix = ".saved"
    private static let longest = 180
    private static let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)

    static func of(_ key: String) -> String {
        let key = key.precomposedStringWithCanonicalMapping
        let name = key.isEmpty ? "%" : encoded(key)
        return (name.utf8.count <= longest ? name : "%%" + hash(of: key)) + suffix
    }

    private static func encoded(_ key: String) -> String {
        percentEncoded(key) { _, scalar in !plain.contains(scalar) }
    }

    /// The beginning of the names of the keys that start with a text, apart from those that are hashed.
    ///
    /// - Parameter start: Ends with a character that composes with none.
    static func beginning(of start: String) -> String { encoded(start.precomposedStringWithCanonicalMapping) }

    static func isHashed(_ name: String) -> Bool { name.hasPrefix("%%") }

    /// The key; nil for the hash of a key.
    static func key(of name: String) -> String? {
        let stem = name.dropLast(suffix.count)
        if isHashed(name) { return nil }
        if stem == "%" { return "" }
        // Foundation drops a byte order mark at the beginning.
        return "x\(stem)".removingPercentEncoding.map { String($0.unicodeScalars.dropFirst()) }
    }

    /// Whether a file holds the data of a key.
    static func isOfKey(_ name: String) -> Bool { name.hasSuffix(suffix) }

    /// 128 bits of FNV-1a. A file also contains its key, so a collision would be detected.
    private static func hash(of key: String) -> String {
        [0xCBF2_9CE4_8422_2325, 0x6C62_272E_07BB_0142].map { (start: UInt64) in
            hexadecimal(key.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        }.joined()
    }
}

/// All digits of a number.
func hexadecimal<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
}

/// A text in which the bytes of some scalars are written as a percent sign and two digits.
func percentEncoded(_ text: String, where isReserved: (_ index: Int, Unicode.Scalar) -> Bool) -> String {
    text.unicodeScalars.enumerated().map { index, scalar in
        isReserved(index, scalar) ? String(scalar).utf8.map { "%" + hexadecimal($0) }.joined() : String(scalar)
    }.joined()
}

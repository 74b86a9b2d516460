import Foundation

/// The contents of a file of a ``FileStorage``: a line that describes the rest, the key, and the data.
enum Envelope {
    private static let name = "relux-file"

    static func sealing(_ data: Data, of key: String) -> Data {
        let key = Data(key.precomposedStringWithCanonicalMapping.utf8)
        let counts = "\(key.count) \(data.count)"
        let line = "\(name) 1 \(hexadecimal(checksum(counts, key, data))) \(counts)\n"
        return Data(line.utf8) + key + data
    }

    /// - Parameters:
    ///   - path: Where the file is, for the error.
    ///   - key: The key that the file should have; nil for any.
    /// - Throws: ``StorageError/damaged(_:_:)`` if the file is anything else.
    static func opening(_ file: Data, at path: String, of key: String?) throws -> (key: String, data: Data) {
        func damage(_ reason: String) -> StorageError { .damaged(key ?? "", reason) }
        guard !file.isEmpty else { throw damage("“\(path)” is empty") }
        guard let end = file.prefix(100).firstIndex(of: UInt8(ascii: "\n")) else {
            throw damage("“\(path)” is another file")
        }
        let line = String(decoding: file[..<end], as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard line.count == 5, line[0] == name, line[1] == "1", let sum = UInt32(line[2], radix: 16),
            let keyCount = Int(line[3]), let count = Int(line[4]), keyCount >= 0, count >= 0
        else { throw damage("“\(path)” is another file") }
        let body = file[(end + 1)...]
        guard keyCount <= body.count, count == body.count - keyCount else {
            throw damage("the length of “\(path)” is wrong")
        }
        let (keyBytes, data) = (body.prefix(keyCount), Data(body.dropFirst(keyCount)))
        guard hexadecimal(sum) == line[2], checksum("\(line[3]) \(line[4])", keyBytes, data) == sum else {
            throw damage("the checksum of “\(path)” is wrong")
        }
        let found = String(decoding: keyBytes, as: UTF8.self)
        guard key == nil || found == key else { throw damage("“\(path)” belongs to the key “\(found)”") }
        return (found, data)
    }

    private static func checksum(_ counts: String, _ key: Data, _ data: Data) -> UInt32 {
        var checksum = Checksum()
        checksum.add(counts.utf8)
        checksum.add(key)
        checksum.add(data)
        return checksum.value
    }
}

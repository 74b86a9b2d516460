import Foundation
import Relux

/// The contents of a file of a ``FileStorage``: a line that describes the rest, the key, and the data.
enum Envelope {
    private static let name = "relux-file"

    static func sealing(_ data: Data, of key: String) -> Data {
        let key = Data(key.precomposedStringWithCanonicalMapping.utf8)
        let counts = "\(key.count) \(data.count)"
        let line = "\(name) 1 \(hexadecimal(checksum(counts, key, data))) \(counts)\n"
        return Data(line.utf8) + key + data
    }

    /// Checks the beginning of a file, before the rest is read: the size of the file must be the one that it tells.
    static func check(_ start: Data, _ size: Int, at path: String, of key: String?) throws {
        _ = try header(of: start, size, at: path, of: key)
    }

    /// - Parameters:
    ///   - path: Where the file is, for the error.
    ///   - key: The key that the file should have; nil for any.
    /// - Throws: ``StorageError/damaged(_:_:)`` if the file is anything else.
    static func opening(_ file: Data, at path: String, of key: String?) throws -> (key: String, data: Data) {
        let (header, count) = try header(of: file, file.count, at: path, of: key)
        let body = file.dropFirst(count)
        let (keyBytes, data) = (body.prefix(header.keyCount), Data(body.dropFirst(header.keyCount)))
        guard checksum("\(header.keyCount) \(data.count)", keyBytes, data) == header.sum else {
            throw Relux.StorageError.damaged(key ?? "", "the checksum of “\(path)” is wrong")
        }
        let found = String(decoding: keyBytes, as: UTF8.self)
        guard key == nil || found == key else {
            throw Relux.StorageError.damaged(key ?? "", "“\(path)” belongs to the key “\(found)”")
        }
        return (found, data)
    }

    /// What the first line says, if it is right about the size of the file, and the length of the line.
    private static func header(
        of file: Data, _ size: Int, at path: String, of key: String?
    ) throws -> ((sum: UInt32, keyCount: Int), count: Int) {
        func damage(_ reason: String) -> Relux.StorageError { .damaged(key ?? "", "“\(path)” \(reason)") }
        guard !file.isEmpty else { throw damage("is empty") }
        guard let end = file.prefix(100).firstIndex(of: UInt8(ascii: "\n")) else { throw damage("is another file") }
        let text = String(decoding: file[..<end], as: UTF8.self)
        let line = text.split(separator: " ", omittingEmptySubsequences: false)
        guard line.count == 5, line[0] == name, line[1] == "1", let sum = UInt32(line[2], radix: 16),
            let keyCount = Int(line[3]), let count = Int(line[4]), keyCount >= 0, count >= 0,
            text == "\(name) 1 \(hexadecimal(sum)) \(keyCount) \(count)"
        else { throw damage("is another file") }
        let rest = size - text.utf8.count - 1
        guard keyCount <= rest, count == rest - keyCount else { throw damage("has another length than it says") }
        return ((sum, keyCount), text.utf8.count + 1)
    }

    private static func checksum(_ counts: String, _ key: Data, _ data: Data) -> UInt32 {
        var checksum = Checksum()
        checksum.add(counts.utf8)
        checksum.add(key)
        checksum.add(data)
        return checksum.value
    }
}

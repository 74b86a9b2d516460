import Foundation
import Relux

/// The contents of a file of a ``FileStorage``: a line that describes the rest, the key, and the data.
enum Envelope {
    private static let name = "relux-file"

    static func sealing(_ data: Data, of key: String) -> Data {
        let key = Data(key.precomposedStringWithCanonicalMapping.utf8)
        let counts = "\(key.count) \(data.count)"
        let sum = Checksum.of(Data(counts.utf8), key, data)
        return Data("\(name) 1 \(hexadecimal(sum)) \(counts)\n".utf8) + key + data
    }

    /// Reads a file. The size of the file must be the one that its line tells, before the rest is read.
    ///
    /// - Parameters:
    ///   - key: The key that the file should have; nil for any.
    ///   - limit: The number of bytes that are wanted at most. If there are more, the checksum isn't verified.
    /// - Returns: Nil if there is no file.
    /// - Throws: ``StorageError/damaged(_:_:)`` if the file is anything else.
    static func opening(
        _ path: String, of key: String?, in files: FileSystem, upTo limit: Int = FileSystem.largest
    ) throws -> (key: String, data: Data)? {
        func damage(_ reason: String) -> Relux.StorageError { .damaged(key ?? "", reason) }
        guard let file = try files.file(at: path, O_RDONLY, for: key ?? "") else { return nil }
        let size = try file.size
        guard size > 0 else { throw damage("“\(path)” is empty") }
        let start = try file.read(at: 0, count: min(size, 100)).prefix { $0 != UInt8(ascii: "\n") }
        let line = String(decoding: start, as: UTF8.self)
        let fields = line.split(separator: " ")
        guard fields.count == 5, let sum = UInt32(fields[2], radix: 16), let keyCount = Int(fields[3]),
            let count = Int(fields[4]), keyCount >= 0, count >= 0,
            line == "\(name) 1 \(hexadecimal(sum)) \(keyCount) \(count)"
        else { throw damage("“\(path)” is another file") }
        let rest = size - start.count - 1
        guard keyCount <= rest, count == rest - keyCount else {
            throw damage("“\(path)” has another length than it says")
        }
        guard size <= FileSystem.largest else { throw damage("“\(path)” is too large") }
        let body = try file.read(at: start.count + 1, count: keyCount + min(count, limit))
        guard count > limit || Checksum.of(Data("\(keyCount) \(count)".utf8), body) == sum else {
            throw damage("the checksum of “\(path)” is wrong")
        }
        let found = String(decoding: body.prefix(keyCount), as: UTF8.self)
        guard found == key ?? found else { throw damage("“\(path)” belongs to the key “\(found)”") }
        return (found, Data(body.dropFirst(keyCount)))
    }
}

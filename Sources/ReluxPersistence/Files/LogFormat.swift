package import Foundation

/// The contents of the file of a ``LogStorage``: a line that describes the rest, and records, one after the other.
///
/// A record is a head, the key, and the data. The head has a checksum of its own, so its lengths can be trusted even if
/// the rest of the record is missing. A record that is cut short by the end of the file was therefore never finished,
/// and no other damage looks like this.
package enum LogFormat {
    static let line = Data("relux-log 1\n".utf8)

    package enum Kind: UInt8, Sendable {
        case data = 1
        case removal = 2
        /// The data of the key were damaged when the file was rewritten.
        case damage = 3
    }

    private static let mark: [UInt8] = [0xF5, 0x52, 0x4C, 0x58]
    static let headCount = 25

    /// - Parameter data: Nil for a removal.
    package static func record(_ kind: Kind, _ key: String, _ data: Data = Data()) -> Data {
        let key = Data(key.precomposedStringWithCanonicalMapping.utf8)
        var record = Data(mark)
        record.append(kind.rawValue)
        for number in [UInt32(key.count), UInt32(data.count), Checksum.of(key), Checksum.of(data)] {
            record.append(contentsOf: bytes(of: number))
        }
        record.append(contentsOf: bytes(of: Checksum.of(record)))
        return record + key + data
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }

    /// The records in a part of a file.
    package struct Scan: Equatable, Sendable {
        package struct Entry: Equatable, Sendable {
            package let kind: Kind
            package let key: String
            /// Where the record starts, counted from the start of the file.
            package let start: Int
            package let data: Range<Int>
            package let checksum: UInt32

            var size: Int { data.upperBound - start }
        }

        package var entries: [Entry] = []
        /// Where to append the next record: after the last one that is whole or damaged.
        package var end: Int
        /// Whether there is damage that an unfinished write doesn't explain.
        package var isDamaged = false
    }

    /// Reads the whole records, and skips the damaged ones.
    ///
    /// - Parameters:
    ///   - bytes: A part of a file that starts with a record.
    ///   - offset: Where the part starts in the file.
    package static func scan(_ bytes: Data, at offset: Int) -> Scan {
        let bytes = [UInt8](bytes)
        var scan = Scan(end: offset)
        var position = 0
        while position < bytes.count {
            guard let head = Head(bytes, at: position) else {
                // The start of a head that was never finished, or zeros that a file system has filled in.
                if bytes.count - position < headCount, isStartOfHead(bytes[position...]) { break }
                if bytes[position...].allSatisfy({ $0 == 0 }) { break }
                scan.isDamaged = true
                position = nextHead(in: bytes, after: position) ?? bytes.count
                scan.end = offset + position
                continue
            }
            let keyEnd = position + headCount + head.keyCount
            let end = keyEnd + head.dataCount
            guard end <= bytes.count else { break }
            let keyBytes = bytes[(position + headCount)..<keyEnd]
            if Checksum.of(keyBytes) != head.keyChecksum {
                scan.isDamaged = true
            } else {
                let isWhole = Checksum.of(bytes[keyEnd..<end]) == head.dataChecksum
                if !isWhole { scan.isDamaged = true }
                scan.entries.append(
                    Scan.Entry(
                        kind: isWhole ? head.kind : .damage, key: String(decoding: keyBytes, as: UTF8.self),
                        start: offset + position, data: (offset + keyEnd)..<(offset + end),
                        checksum: head.dataChecksum))
            }
            position = end
            scan.end = offset + end
        }
        return scan
    }

    private static func isStartOfHead(_ bytes: ArraySlice<UInt8>) -> Bool {
        zip(bytes, mark).allSatisfy { $0 == $1 }
    }

    private static func nextHead(in bytes: [UInt8], after position: Int) -> Int? {
        var next = position + 1
        while next + headCount <= bytes.count {
            if bytes[next] == mark[0], Head(bytes, at: next) != nil { return next }
            next += 1
        }
        return nil
    }

    private struct Head {
        let kind: Kind
        let keyCount: Int
        let dataCount: Int
        let keyChecksum: UInt32
        let dataChecksum: UInt32

        /// Nil if there is no whole head at the position.
        init?(_ bytes: [UInt8], at position: Int) {
            guard position + headCount <= bytes.count, bytes[position..<(position + 4)].elementsEqual(mark),
                let kind = Kind(rawValue: bytes[position + 4])
            else { return nil }
            func number(at index: Int) -> UInt32 {
                (0..<4).reduce(0) { $0 | UInt32(bytes[position + index + $1]) << (8 * UInt32($1)) }
            }
            guard Checksum.of(bytes[position..<(position + 21)]) == number(at: 21) else { return nil }
            self.kind = kind
            (keyCount, dataCount) = (Int(number(at: 5)), Int(number(at: 9)))
            (keyChecksum, dataChecksum) = (number(at: 13), number(at: 17))
        }
    }
}

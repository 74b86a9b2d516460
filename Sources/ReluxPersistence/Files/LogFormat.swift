package import Foundation

/// The contents of the file of a ``LogStorage``: a line that describes the rest, and records, one after the other.
///
/// A record is a head, a table, and data. The table has the kind, the key, and the length of each entry; the data of
/// the entries follow in the same order. The head has a checksum of its own, so its lengths can be trusted even if the
/// rest of the record is missing. A record that is cut short by the end of the file was therefore never finished, and
/// no other damage looks like this. The same holds for a last record that isn't whole and has a block of zeros: some
/// file systems leave these where a power failure has kept them from writing.
///
/// The checksum of a head includes the salt of the file, a random number, and where the record is. So bytes inside a
/// value never count as a record, even if they are a copy of a log.
package struct LogFormat: Sendable {
    package enum Kind: UInt8, Sendable {
        case data = 1
        case removal = 2
        /// The data of the key were damaged when the file was rewritten.
        case damage = 3
    }

    private static let name = Data("relux-log 1 ".utf8)
    private static let mark = Data([0xF5, 0x52, 0x4C, 0x58])
    private static let headCount = 28
    /// The number of bytes that are read at once.
    private static let step = 1 << 20

    private let salt: UInt64

    package init(salt: UInt64 = .random(in: .min ... .max)) {
        self.salt = salt
    }

    /// The format of a file.
    ///
    /// - Parameter start: The first bytes of the file, at least as many as its first line has.
    /// - Returns: Nil if it is another file. Either of the two copies of the salt is enough.
    static func reading(_ start: Data) -> (format: LogFormat, isDamaged: Bool)? {
        for place in [name.count, name.count + saltCount + 1] {
            let text = String(decoding: start.dropFirst(place).prefix(saltCount), as: UTF8.self)
            guard let salt = UInt64(text.prefix(16), radix: 16), Self.text(of: salt) == text else { continue }
            let format = LogFormat(salt: salt)
            return (format, !start.starts(with: format.line))
        }
        return nil
    }

    private static let saltCount = 25

    private static func text(of salt: UInt64) -> String {
        "\(hexadecimal(salt)) \(hexadecimal(Checksum.of(Data(hexadecimal(salt).utf8))))"
    }

    package var line: Data { Self.name + Data("\(Self.text(of: salt)) \(Self.text(of: salt))\n".utf8) }

    // MARK: Writing

    /// A record of new data, by key in a fixed order.
    ///
    /// - Parameters:
    ///   - changes: Nil removes a key.
    ///   - isDamage: Whether keys without data are damaged instead.
    ///   - offset: Where it will be in the file.
    package func record(_ changes: [String: Data?], isDamage: Bool = false, at offset: Int) -> Data {
        var (table, rest) = (Data(), Data())
        for (key, data) in changes.sorted(by: { $0.key < $1.key }) {
            let key = Data(key.precomposedStringWithCanonicalMapping.utf8)
            let kind = data != nil ? Kind.data : isDamage ? .damage : .removal
            table.append(kind.rawValue)
            for number in [UInt32(key.count), UInt32(data?.count ?? 0), Checksum.of(data ?? Data())] {
                table.append(Self.bytes(of: number))
            }
            table.append(key)
            rest.append(data ?? Data())
        }
        return head(UInt64(table.count), UInt64(rest.count), Checksum.of(table), at: offset) + table + rest
    }

    func head(_ tableCount: UInt64, _ dataCount: UInt64, _ tableChecksum: UInt32 = 0, at offset: Int) -> Data {
        let head = Self.mark + Self.bytes(of: tableCount) + Self.bytes(of: dataCount) + Self.bytes(of: tableChecksum)
        return head + Self.bytes(of: checksum(of: head, at: offset))
    }

    private func checksum(of head: Data, at offset: Int) -> UInt32 {
        Checksum.of(Self.bytes(of: salt), Self.bytes(of: UInt64(offset)), head)
    }

    private static func bytes<Number: FixedWidthInteger>(of number: Number) -> Data {
        Data((0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) })
    }

    static func number<Number: FixedWidthInteger>(in bytes: Data, at offset: Int) -> Number {
        (0..<(Number.bitWidth / 8)).reduce(0) { $0 | Number(bytes[bytes.startIndex + offset + $1]) << Number($1 * 8) }
    }

    // MARK: Reading

    /// The records in a part of a file.
    package struct Scan: Equatable, Sendable {
        package struct Entry: Equatable, Sendable {
            package let kind: Kind
            package let key: String
            package let data: Range<Int>
            package let checksum: UInt32

            /// About how many bytes it takes.
            var size: Int { 60 + key.utf8.count + data.count }
        }

        package var entries: [Entry] = []
        /// Where to append the next record: after the last one that is whole or damaged.
        package var end: Int
        /// Whether there is damage that an unfinished write doesn't explain.
        package var isDamaged = false
    }

    /// Reads bytes at an offset; fewer only at the end of the file.
    package typealias Read = (_ offset: Int, _ count: Int) throws -> Data

    /// Reads the whole records, and skips the damaged ones.
    ///
    /// - Parameters:
    ///   - start: Where the first record starts.
    ///   - size: The size of the file.
    package func scan(from start: Int, to size: Int, _ read: Read) rethrows -> Scan {
        var scan = Scan(end: start)
        while scan.end < size {
            guard let head = try head(in: read(scan.end, Self.headCount), at: scan.end) else {
                // The start of a head that was never finished, or zeros that a file system has filled in.
                if try isUnfinished(scan.end, size, read) { break }
                scan.isDamaged = true
                scan.end = try nextHead(after: scan.end, to: size, read) ?? size
                continue
            }
            guard head.tableCount <= size, head.dataCount <= size, head.data + head.dataCount <= size else { break }
            let end = head.data + head.dataCount
            var isDamaged = false
            // Nobody writes a longer table. A sparse file could contain one, and would take memory.
            let entries = head.tableCount <= Int(Int32.max) ? try entries(of: head, &isDamaged, read) : nil
            if entries == nil || isDamaged {
                if end == size, try hasEmptyBlock(scan.end..<end, read) { break }
                scan.isDamaged = true
            }
            scan.entries += entries ?? []
            scan.end = end
        }
        return scan
    }

    /// The same for a file in memory.
    package func scan(_ bytes: Data, from start: Int) -> Scan {
        scan(from: start, to: bytes.count) { Data(bytes.dropFirst($0).prefix($1)) }
    }

    private static func checksum(of data: Range<Int>, _ read: Read) rethrows -> UInt32 {
        try stride(from: data.lowerBound, to: data.upperBound, by: step).reduce(0) { sum, start in
            Checksum.of(try read(start, min(step, data.upperBound - start)), after: sum)
        }
    }

    private struct Head {
        /// Where the table starts.
        let table: Int
        let tableCount: Int
        let dataCount: Int
        let tableChecksum: UInt32

        /// Where the data start.
        var data: Int { table + tableCount }
    }

    /// Nil if there is no whole head.
    ///
    /// - Parameter position: Where the bytes are.
    private func head(in bytes: Data, at position: Int) -> Head? {
        // The checksum last: it takes longest.
        guard bytes.count == Self.headCount, bytes.starts(with: Self.mark),
            let tableCount = Int(exactly: Self.number(in: bytes, at: 4) as UInt64),
            let dataCount = Int(exactly: Self.number(in: bytes, at: 12) as UInt64),
            Self.number(in: bytes, at: 24) == checksum(of: bytes.prefix(24), at: position)
        else { return nil }
        return Head(
            table: position + Self.headCount, tableCount: tableCount, dataCount: dataCount,
            tableChecksum: Self.number(in: bytes, at: 20))
    }

    /// - Parameter isDamaged: Set if data are damaged.
    /// - Returns: Nil if the table is damaged.
    private func entries(of head: Head, _ isDamaged: inout Bool, _ read: Read) rethrows -> [Scan.Entry]? {
        var rest = try read(head.table, head.tableCount)
        guard Checksum.of(rest) == head.tableChecksum else { return nil }
        var (start, entries) = (head.data, [Scan.Entry]())
        while rest.count >= 13 {
            let (keyCount, count) = (Self.number(in: rest, at: 1) as UInt32, Self.number(in: rest, at: 5) as UInt32)
            guard let kind = Kind(rawValue: rest[rest.startIndex]), keyCount <= rest.count - 13,
                count <= head.data + head.dataCount - start
            else { return nil }
            let key = String(decoding: rest.dropFirst(13).prefix(Int(keyCount)), as: UTF8.self)
            let (data, checksum) = (start..<(start + Int(count)), Self.number(in: rest, at: 9) as UInt32)
            let isWhole = try Self.checksum(of: data, read) == checksum
            if !isWhole { isDamaged = true }
            entries.append(Scan.Entry(kind: isWhole ? kind : .damage, key: key, data: data, checksum: checksum))
            start = data.upperBound
            rest = rest.dropFirst(13 + Int(keyCount))
        }
        return rest.isEmpty ? entries : nil
    }

    private func isUnfinished(_ position: Int, _ size: Int, _ read: Read) rethrows -> Bool {
        let start = try read(position, Self.headCount)
        if start.count < Self.headCount, zip(start, Self.mark).allSatisfy({ $0 == $1 }) { return true }
        return try parts(of: position..<size).allSatisfy { try read($0.lowerBound, $0.count).allSatisfy { $0 == 0 } }
    }

    /// Whether a part of a file has an aligned block of zeros.
    private func hasEmptyBlock(_ part: Range<Int>, _ read: Read) rethrows -> Bool {
        let block = 512
        let start = (part.lowerBound + block - 1) / block * block
        return try stride(from: start, to: part.upperBound, by: Self.step).contains { start in
            let bytes = try read(start, min(Self.step, part.upperBound - start))
            return stride(from: 0, through: bytes.count - block, by: block).contains { offset in
                bytes.dropFirst(offset).prefix(block).allSatisfy { $0 == 0 }
            }
        }
    }

    private func nextHead(after position: Int, to size: Int, _ read: Read) rethrows -> Int? {
        for part in parts(of: (position + 1)..<size) {
            // With the rest of a head that begins in it.
            var rest = try read(part.lowerBound, part.count + Self.headCount - 1)
            while let mark = rest.range(of: Self.mark)?.lowerBound {
                let (start, bytes) = (part.lowerBound + mark, rest[mark...])
                if head(in: bytes.prefix(Self.headCount), at: start) != nil { return start }
                rest = bytes.dropFirst()
            }
        }
        return nil
    }

    /// Parts of a file, short ones first, so that what is near is found without reading much.
    private func parts(of file: Range<Int>) -> some Sequence<Range<Int>> {
        sequence(first: file.prefix(64)) { part in
            let next = file[part.upperBound...].prefix(min(part.count * 2, Self.step))
            return next.isEmpty ? nil : next
        }
    }
}

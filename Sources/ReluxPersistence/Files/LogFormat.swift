package import Foundation

/// The contents of the file of a ``LogStorage``: a line that describes the rest, and records, one after the other.
///
/// A record is a head, a table, and data. The table has the kind, the key, and the length of each entry; the data of
/// the entries follow in the same order. The head has a checksum of its own, so its lengths can be trusted even if the
/// rest of the record is missing. A record that is cut short by the end of the file was therefore never finished, and
/// no other damage looks like this.
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
        let start = [UInt8](start)
        let places = [name.count, name.count + saltCount + 1]
        let salt = places.lazy.compactMap { place -> UInt64? in
            guard place + saltCount <= start.count else { return nil }
            let text = String(decoding: start[place..<(place + saltCount)], as: UTF8.self)
            guard let salt = UInt64(text.prefix(16), radix: 16), Self.text(of: salt) == text else { return nil }
            return salt
        }.first
        guard let format = salt.map(LogFormat.init) else { return nil }
        return (format, !start.starts(with: format.line))
    }

    private static let saltCount = 25

    private static func text(of salt: UInt64) -> String {
        "\(hexadecimal(salt)) \(hexadecimal(Checksum.of(hexadecimal(salt).utf8)))"
    }

    package var line: Data { Self.name + Data("\(Self.text(of: salt)) \(Self.text(of: salt))\n".utf8) }

    // MARK: Writing

    /// A record.
    ///
    /// - Parameters:
    ///   - entries: Data are ignored for what isn't data.
    ///   - offset: Where it will be in the file.
    package func record(_ entries: [(kind: Kind, key: String, data: Data)], at offset: Int) -> Data {
        var (table, data) = (Data(), Data())
        for entry in entries {
            let key = Data(entry.key.precomposedStringWithCanonicalMapping.utf8)
            table.append(entry.kind.rawValue)
            for number in [UInt32(key.count), UInt32(entry.data.count), Checksum.of(entry.data)] {
                table.append(contentsOf: Self.bytes(of: number))
            }
            table.append(key)
            data.append(entry.data)
        }
        return head(UInt64(table.count), UInt64(data.count), Checksum.of(table), at: offset) + table + data
    }

    func head(_ tableCount: UInt64, _ dataCount: UInt64, _ tableChecksum: UInt32 = 0, at offset: Int) -> Data {
        let head = Self.mark + Self.bytes(of: tableCount) + Self.bytes(of: dataCount) + Self.bytes(of: tableChecksum)
        return head + Self.bytes(of: checksum(of: head, at: offset))
    }

    private func checksum(of head: Data, at offset: Int) -> UInt32 {
        Checksum.of(Self.bytes(of: salt) + Self.bytes(of: UInt64(offset)) + head)
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

    /// Reads the whole records, and skips the damaged ones.
    ///
    /// - Parameters:
    ///   - start: Where the first record starts.
    ///   - size: The size of the file.
    ///   - read: Reads bytes at an offset; fewer only if the file has become shorter.
    package func scan(
        from start: Int, to size: Int, _ read: (_ offset: Int, _ count: Int) throws -> Data
    ) rethrows -> Scan {
        var scan = Scan(end: start)
        var position = start
        while position < size {
            guard let head = try head(at: position, to: size, read) else {
                // The start of a head that was never finished, or zeros that a file system has filled in.
                if try isUnfinished(position, size, read) { break }
                scan.isDamaged = true
                position = try nextHead(after: position, to: size, read) ?? size
                scan.end = position
                continue
            }
            let (end, isOver) = head.data.addingReportingOverflow(head.dataCount)
            guard !isOver, end <= size else { break }
            // Nobody writes a longer table. A sparse file could contain one, and would take memory.
            let tableCount = head.data - head.table
            if tableCount <= Int(Int32.max), let entries = Self.entries(try read(head.table, tableCount), head) {
                for entry in entries {
                    let isWhole = try Self.checksum(of: entry.data, read) == entry.checksum
                    if !isWhole { scan.isDamaged = true }
                    scan.entries.append(
                        Scan.Entry(
                            kind: isWhole ? entry.kind : .damage, key: entry.key, data: entry.data,
                            checksum: entry.checksum))
                }
            } else {
                scan.isDamaged = true
            }
            position = end
            scan.end = end
        }
        return scan
    }

    /// The same for a file in memory.
    package func scan(_ bytes: Data, from start: Int) -> Scan {
        scan(from: start, to: bytes.count) { Data(bytes.dropFirst($0).prefix($1)) }
    }

    static func checksum(of data: Range<Int>, _ read: (_ offset: Int, _ count: Int) throws -> Data) rethrows -> UInt32 {
        var checksum = Checksum()
        for start in stride(from: data.lowerBound, to: data.upperBound, by: step) {
            checksum.add(try read(start, min(step, data.upperBound - start)))
        }
        return checksum.value
    }

    private struct Head {
        /// Where the table starts.
        let table: Int
        /// Where the data start.
        let data: Int
        let dataCount: Int
        let tableChecksum: UInt32
    }

    /// Nil if there is no whole head.
    private func head(
        at position: Int, to size: Int, _ read: (_ offset: Int, _ count: Int) throws -> Data
    ) rethrows -> Head? {
        guard size - position >= Self.headCount else { return nil }
        return head(try read(position, Self.headCount), at: position, to: size)
    }

    private func head(_ bytes: Data, at position: Int, to size: Int) -> Head? {
        guard bytes.count == Self.headCount, bytes.starts(with: Self.mark),
            Self.number(in: bytes, at: 24) == checksum(of: bytes.prefix(24), at: position),
            let tableCount = Int(exactly: Self.number(in: bytes, at: 4) as UInt64),
            let dataCount = Int(exactly: Self.number(in: bytes, at: 12) as UInt64)
        else { return nil }
        let table = position + Self.headCount
        // A table that was never finished ends behind the file, as all of the data do.
        let count = min(tableCount, size - table)
        return Head(
            table: table, data: table + count, dataCount: count < tableCount ? .max : dataCount,
            tableChecksum: Self.number(in: bytes, at: 20))
    }

    /// Nil if the table is damaged.
    private static func entries(_ table: Data, _ head: Head) -> [Scan.Entry]? {
        guard Checksum.of(table) == head.tableChecksum else { return nil }
        var (rest, data, entries) = (table, head.data, [Scan.Entry]())
        while rest.count >= 13 {
            let (keyCount, count) = (number(in: rest, at: 1) as UInt32, number(in: rest, at: 5) as UInt32)
            guard let kind = Kind(rawValue: rest[rest.startIndex]), keyCount <= rest.count - 13,
                count <= head.data + head.dataCount - data
            else { return nil }
            let key = String(decoding: rest.dropFirst(13).prefix(Int(keyCount)), as: UTF8.self)
            entries.append(
                Scan.Entry(
                    kind: kind, key: key, data: data..<(data + Int(count)), checksum: number(in: rest, at: 9)))
            data += Int(count)
            rest = rest.dropFirst(13 + Int(keyCount))
        }
        return rest.isEmpty ? entries : nil
    }

    private func isUnfinished(
        _ position: Int, _ size: Int, _ read: (_ offset: Int, _ count: Int) throws -> Data
    ) rethrows -> Bool {
        if size - position < Self.headCount,
            zip(try read(position, size - position), Self.mark).allSatisfy({ $0 == $1 })
        {
            return true
        }
        let zeros = Data(count: Self.step)
        for start in stride(from: position, to: size, by: Self.step) {
            let count = min(Self.step, size - start)
            if try read(start, count) != zeros.prefix(count) { return false }
        }
        return true
    }

    private func nextHead(
        after position: Int, to size: Int, _ read: (_ offset: Int, _ count: Int) throws -> Data
    ) rethrows -> Int? {
        // Parts overlap, so that each head is whole in one of them.
        for start in stride(from: position + 1, to: size, by: Self.step) {
            let bytes = try read(start, min(Self.step + Self.headCount, size - start))
            var rest = bytes[...]
            while let mark = rest.range(of: Self.mark) {
                let offset = start + mark.lowerBound - bytes.startIndex
                if head(bytes[mark.lowerBound...].prefix(Self.headCount), at: offset, to: size) != nil { return offset }
                rest = rest[(mark.lowerBound + 1)...]
            }
        }
        return nil
    }
}

import Foundation

/// The contents of an items file: a header line with the format and its version, then one item per line as a JSON
/// object.
///
/// The line of an unchanged item is written back byte for byte. A save therefore costs little more than its changes,
/// and anything that other programs added is preserved, in changed lines too. The header counts the items.
public struct ItemsDocument: StoredDocument {
    /// The name of the file in its folder.
    public static let fileName = "items.jsonl"

    /// The name of the lock file in the same folder.
    public static let lockName = "items.lock"

    static let format = "relux-items"
    static let version = 1

    /// More than a million items.
    public static let largestSize = 512 << 20

    /// The items in the order of their lines. Each id occurs once.
    public private(set) var value: [Item] = []

    private var header: ArraySlice<UInt8> = []
    private var lines: [ArraySlice<UInt8>] = []
    private var indexes: [Item.ID: Int] = [:]

    /// Creates the contents of a file that hasn't been written yet.
    public init() {}

    /// Parses a file.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    public init(parsing bytes: [UInt8], file: String) throws(StorageError) {
        let rows = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        try Self.checkText(rows, file: file)
        header = rows.first ?? []
        let counted = try ItemsHeader.checked(
            header, is: Self.format, version: Self.version, of: "a list of items", file: file)
        value.reserveCapacity(rows.count)
        lines.reserveCapacity(rows.count)
        indexes.reserveCapacity(rows.count)
        var numbers: [Int] = []
        let decoder = JSONDecoder()
        for (number, row) in zip(2..., rows.dropFirst()) where !row.allSatisfy(\.isBlank) {
            let item: Item
            do {
                item = try ItemRecord.scan(row) ?? decoder.decode(ItemRecord.self, from: Data(row)).item()
            } catch {
                throw StorageError(.damagedLine(ItemRecord.explain(error)), file: file, line: number)
            }
            if let first = indexes[item.id] {
                throw StorageError(.duplicateID(item.id, firstLine: numbers[first]), file: file, line: number)
            }
            indexes[item.id] = value.count
            value.append(item)
            lines.append(row)
            numbers.append(number)
        }
        try counted.check(count: value.count, file: file)
    }

    /// Whether there are any changes.
    public func isChanged(by changes: [ItemChange]) -> Bool { !changes.isEmpty }

    /// The contents of the file to write.
    public func bytes() -> [UInt8]? {
        let header = ItemsHeader.line(header, format: Self.format, version: Self.version, count: value.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(header.count + 1) { $0 + $1.count + 1 })
        bytes.append(contentsOf: header)
        bytes.append(UInt8(ascii: "\n"))
        for line in lines {
            bytes.append(contentsOf: line)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// The document, with its lines as parts of the contents. A large list would otherwise consist of as many arrays as
    /// items.
    public func sharing(_ bytes: [UInt8]) -> ItemsDocument {
        var document = self
        var end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
        document.header = bytes[..<end]
        for index in lines.indices {
            let start = end + 1
            end = start + lines[index].count
            document.lines[index] = bytes[start..<end]
        }
        return document
    }

    /// Merges changes in their order.
    ///
    /// - Complexity: O(*n* + *m*) in the number of items and of changes.
    public mutating func apply(_ changes: [ItemChange]) {
        var removed: Set<Int> = []
        for change in changes {
            let index = indexes[change.id]
            let merged = change.applied(to: index.map { value[$0] }).map(ItemRecord.storable)
            switch (index, merged) {
            case (let index?, let item?):
                value[index] = item
                lines[index] = ArraySlice(ItemRecord.line(for: item, replacing: lines[index]))
            case (nil, let item?):
                indexes[item.id] = value.count
                value.append(item)
                lines.append(ArraySlice(ItemRecord.line(for: item)))
            case (let index?, nil):
                removed.insert(index)
                indexes[change.id] = nil
            case (nil, nil): break
            }
        }
        if !removed.isEmpty { remove(removed) }
    }

    private mutating func remove(_ removed: Set<Int>) {
        let kept = value.indices.filter { !removed.contains($0) }
        value = kept.map { value[$0] }
        lines = kept.map { lines[$0] }
        indexes = Dictionary(uniqueKeysWithValues: zip(value.map(\.id), value.indices))
    }

    /// Throws unless every line is valid UTF-8. Most lines are ASCII and aren't copied for the check.
    static func checkText(_ rows: [ArraySlice<UInt8>], file: String) throws(StorageError) {
        let index = rows.firstIndex { row in
            !row.allSatisfy { $0 < 0x80 } && String(validating: row, as: UTF8.self) == nil
        }
        if let index { throw StorageError(.invalidUTF8, file: file, line: index + 1) }
    }
}

extension UInt8 {
    /// Whether the byte is white space within a line.
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}

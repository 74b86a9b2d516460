import Foundation

/// The contents of an items file: a header line with the format and its version, then one item per line as a JSON
/// object.
///
/// The line of an unchanged item is written back byte for byte, and anything that other programs added is preserved, in
/// changed lines too. The header counts the items.
///
/// - Memory: Only lines in another form than the one written here are kept. All others are made from their items while
///   the file is being written, so that a large list isn't in memory twice.
public struct ItemsDocument: StoredDocument {
    /// The name of the file in its folder.
    public static let fileName = "items.jsonl"

    /// The name of the lock file in the same folder.
    public static let lockName = "items.lock"

    static let format = "relux-items"
    static let version = 1

    /// More than a million items.
    public static let largestSize = 384 << 20

    /// The items in the order of their lines. Each id occurs once.
    public private(set) var value: [Item] = []

    private var header: [UInt8] = []
    /// The lines in another form than the one written here.
    private var foreignLines: [Item.ID: [UInt8]] = [:]

    /// Creates the contents of a file that hasn't been written yet.
    public init() {}

    /// Parses a file.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    public init(parsing bytes: [UInt8], file: String) throws(StorageError) {
        var rows = TextRows(bytes, file: file)
        header = Array(try rows.next() ?? [])
        let counted = try ItemsHeader.checked(
            header[...], is: Self.format, version: Self.version, of: "a list of items", file: file)
        // A wrong count must not reserve more than the file could need.
        let count = min(max(counted.count ?? 0, 0), bytes.count / ItemRecord.usualSize)
        value.reserveCapacity(count)
        var numbers: [Item.ID: Int] = [:]
        numbers.reserveCapacity(count)
        while let row = try rows.next() {
            if row.allSatisfy(\.isBlank) { continue }
            let item: Item
            do {
                item = try ItemRecord.scan(row) ?? foreignItem(row)
            } catch {
                throw StorageError(.damagedLine(ItemRecord.explain(error)), file: file, line: rows.number)
            }
            if let first = numbers.updateValue(rows.number, forKey: item.id) {
                throw StorageError(.duplicateID(item.id, firstLine: first), file: file, line: rows.number)
            }
            value.append(item)
        }
        try counted.check(count: value.count, file: file)
    }

    /// Parses a line in another form. It is kept unless it would be written in the same way.
    private mutating func foreignItem(_ row: ArraySlice<UInt8>) throws -> Item {
        let item = try JSONDecoder().decode(ItemRecord.self, from: Data(row)).item()
        if !ItemRecord.line(for: item).elementsEqual(row) { foreignLines[item.id] = Array(row) }
        return item
    }

    /// Whether there are any changes.
    public func isChanged(by changes: [ItemChange]) -> Bool { !changes.isEmpty }

    /// The contents of the file to write.
    public func pieces() -> (any Sequence<[UInt8]>)? {
        var header = ItemsHeader.line(header, format: Self.format, version: Self.version, count: value.count)
        header.append(UInt8(ascii: "\n"))
        return TextPieces(value.count, after: header) { [value, foreignLines] index, bytes in
            if let line = foreignLines[value[index].id] {
                bytes += line
            } else {
                ItemRecord.append(value[index], to: &bytes)
            }
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// Merges changes in their order.
    ///
    /// - Complexity: O(*n* + *m*) in the number of items and of changes.
    public mutating func apply(_ changes: [ItemChange]) {
        var indexes: [Item.ID: Int] = [:]
        let concerned = Set(changes.map(\.id))
        for (index, item) in value.enumerated() where concerned.contains(item.id) { indexes[item.id] = index }
        value.reserveCapacity(value.count + concerned.count - indexes.count)
        var removed: Set<Int> = []
        for change in changes {
            let index = indexes[change.id]
            let merged = change.applied(to: index.map { value[$0] }).map(ItemRecord.storable)
            switch (index, merged) {
            case (let index?, let item?):
                value[index] = item
                foreignLines[item.id] = foreignLines[item.id].map { ItemRecord.line(for: item, replacing: $0) }
            case (nil, let item?):
                indexes[item.id] = value.count
                value.append(item)
            case (let index?, nil):
                removed.insert(index)
                indexes[change.id] = nil
                foreignLines[change.id] = nil
            case (nil, nil): break
            }
        }
        if !removed.isEmpty { value = value.indices.lazy.filter { !removed.contains($0) }.map { value[$0] } }
    }
}

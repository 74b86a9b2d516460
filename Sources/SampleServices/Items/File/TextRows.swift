/// The lines of a file that is in memory, one after the other.
struct TextRows {
    /// The number of the last line that was read, or 0.
    private(set) var number = 0

    private let bytes: [UInt8]
    private let file: String
    private var position = 0

    init(_ bytes: [UInt8], file: String) {
        (self.bytes, self.file) = (bytes, file)
    }

    /// Reads the next line, without its ending. The result is nil after the last line.
    ///
    /// - Throws: If the line isn't valid UTF-8.
    mutating func next() throws(StorageError) -> ArraySlice<UInt8>? {
        guard position < bytes.count else { return nil }
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let row = bytes[position..<end]
        position = end + 1
        number += 1
        // Most lines are ASCII and aren't copied for the check.
        guard row.allSatisfy({ $0 < 0x80 }) || String(validating: row, as: UTF8.self) != nil else {
            throw StorageError(.invalidUTF8, file: file, line: number)
        }
        return row
    }
}

extension UInt8 {
    /// Whether the byte is white space within a line.
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}

import Foundation

/// The first line of a file: its format and version, and the number of lines that follow.
///
/// A file that was cut off at the end of a line looks complete. Only the count reveals that something is missing.
struct ItemsHeader: Decodable {
    let format: String
    let version: Int
    /// The number of lines that aren't blank, or nil in a file from before they were counted.
    let count: Int?

    /// The header of a file. Whatever else a former one contains is kept.
    static func line(_ former: [UInt8] = [], format: String, version: Int, count: Int) -> [UInt8] {
        Array(#"{"format":"\#(format)","version":\#(version),"count":\#(count)}"#.utf8)
            .keeping(membersOf: former[...], except: ["format", "version", "count"])
    }

    /// Returns the header of a file in a supported format and version.
    static func checked(
        _ line: ArraySlice<UInt8>,
        is format: String,
        version: Int,
        of kind: String,
        file: String
    ) throws(StorageError) -> ItemsHeader {
        let header: ItemsHeader
        do {
            header = try JSONDecoder().decode(ItemsHeader.self, from: Data(line))
        } catch {
            throw StorageError(.damagedLine("it should be the header of \(kind)"), file: file, line: 1)
        }
        guard header.format == format else {
            throw StorageError(.foreignFormat(header.format), file: file, line: 1)
        }
        guard header.version == version else {
            let reason = StorageError.Reason.foreignVersion(header.version, supported: version)
            throw StorageError(reason, file: file, line: 1)
        }
        return header
    }

    /// Throws unless the file has as many lines as it should.
    func check(count found: Int, file: String) throws(StorageError) {
        guard let count, count != found else { return }
        throw StorageError(.miscounted(found: found, expected: count), file: file)
    }
}

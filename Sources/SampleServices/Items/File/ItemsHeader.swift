import Foundation

/// The first line of an items file: what it is, and in which version.
struct ItemsHeader: Decodable {
    let format: String
    let version: Int

    /// The header as it is written.
    var line: [UInt8] {
        Array(#"{"format":"\#(format)","version":\#(version)}"#.utf8)
    }

    /// Throws unless the line is the header of a file that this version can read.
    static func check(_ line: ArraySlice<UInt8>, file: String) throws(ItemsServiceError) {
        let header: ItemsHeader
        do {
            header = try JSONDecoder().decode(ItemsHeader.self, from: Data(line))
        } catch {
            throw ItemsServiceError(.damagedLine("it should be the header of a list of items"), file: file, line: 1)
        }
        guard header.format == ItemsDocument.format else {
            throw ItemsServiceError(.foreignFormat(header.format), file: file, line: 1)
        }
        guard header.version == ItemsDocument.version else {
            let reason = ItemsServiceError.Reason.foreignVersion(header.version, supported: ItemsDocument.version)
            throw ItemsServiceError(reason, file: file, line: 1)
        }
    }
}

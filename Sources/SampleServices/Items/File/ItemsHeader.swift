import Foundation

/// The first line of a file: its format and version.
struct ItemsHeader: Decodable {
    let format: String
    let version: Int

    /// The header as a line.
    var line: [UInt8] {
        Array(#"{"format":"\#(format)","version":\#(version)}"#.utf8)
    }

    /// Throws unless the line is the header of a file in a supported format and version.
    static func check(
        _ line: ArraySlice<UInt8>,
        is format: String,
        version: Int,
        of kind: String,
        file: String
    ) throws(ItemsServiceError) {
        let header: ItemsHeader
        do {
            header = try JSONDecoder().decode(ItemsHeader.self, from: Data(line))
        } catch {
            throw ItemsServiceError(.damagedLine("it should be the header of \(kind)"), file: file, line: 1)
        }
        guard header.format == format else {
            throw ItemsServiceError(.foreignFormat(header.format), file: file, line: 1)
        }
        guard header.version == version else {
            let reason = ItemsServiceError.Reason.foreignVersion(header.version, supported: version)
            throw ItemsServiceError(reason, file: file, line: 1)
        }
    }
}

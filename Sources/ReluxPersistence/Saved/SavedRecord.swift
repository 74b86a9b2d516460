import Foundation

/// What ``Saved`` stores under a key: a line with the format, the version, the generation, and a checksum, and the
/// encoded value below it.
struct SavedRecord: Sendable, Equatable {
    private static let name = "relux-saved"
    private static let elements = "+elements"

    let format: SavedFormat
    let version: Int
    /// A random number, which no other save has.
    let generation: UInt64
    /// Whether the value is without its elements, each of which is stored under a key of its own.
    let isWithoutElements: Bool
    let body: Data

    var data: Data {
        let kind = format.kind.rawValue + (isWithoutElements ? Self.elements : "")
        let fields = "\(kind) \(version) \(hexadecimal(generation))"
        return Data("\(Self.name) 1 \(fields) \(hexadecimal(Self.checksum(fields, body)))\n".utf8) + body
    }

    init(
        format: SavedFormat, version: Int, body: Data, generation: UInt64 = UInt64.random(in: .min ... .max),
        isWithoutElements: Bool = false
    ) {
        (self.format, self.version, self.generation, self.body) = (format, version, generation, body)
        self.isWithoutElements = isWithoutElements
    }

    init(_ data: Data) throws(SavedDamage) {
        guard let end = data.prefix(120).firstIndex(of: UInt8(ascii: "\n")) else { throw .noHeader }
        let line = String(decoding: data[data.startIndex..<end], as: UTF8.self)
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        isWithoutElements = fields.count == 6 && fields[2].hasSuffix(Self.elements)
        guard fields.count == 6, fields[0] == Self.name, fields[1] == "1",
            let kind = SavedFormat.Kind(
                rawValue: String(fields[2].dropLast(isWithoutElements ? Self.elements.count : 0))),
            let version = Int(fields[3]),
            let generation = UInt64(fields[4], radix: 16)
        else { throw .noHeader }
        body = Data(data[(end + 1)...])
        guard fields[5] == hexadecimal(Self.checksum(fields[2...4].joined(separator: " "), body)) else {
            throw .wrongChecksum
        }
        (format, self.version, self.generation) = (SavedFormat(kind: kind), version, generation)
    }

    private static func checksum(_ fields: String, _ body: Data) -> UInt32 {
        var checksum = Checksum()
        checksum.add(fields.utf8)
        checksum.add(body)
        return checksum.value
    }
}

/// What is wrong with data that can't be restored.
public enum SavedDamage: Error, Hashable, CustomStringConvertible {
    /// The data don't start with the line that ``Saved`` writes.
    case noHeader
    /// The data were changed or cut short.
    case wrongChecksum
    /// No migration starts from a version on the way to the present one.
    case missingMigration(from: Int)
    /// The elements were saved under keys of their own, and ``Saved`` wasn't told where they are, by its `elements`.
    case elementsElsewhere
    /// There are elements under keys of their own, but not the rest.
    case missingRest

    /// What is wrong.
    public var description: String {
        switch self {
        case .noHeader: "they were not written by `Saved`"
        case .wrongChecksum: "their checksum is wrong"
        case .missingMigration(let version): "there is no migration from version \(version)"
        case .elementsElsewhere: "their elements were saved under keys of their own, for a `Saved` with `elements`"
        case .missingRest: "only their elements are there, and the record is missing that belongs to them"
        }
    }
}

import Foundation
public import Relux

/// The record of ``Saved`` under a key: a line with the format, the version, the generation, and a checksum, and the
/// encoded value below it. That of an element also has its rank.
struct SavedRecord: Sendable {
    /// The greatest length of the first line.
    static let longestLine = 120
    private static let name = "relux-saved"

    let format: Relux.SavedFormat
    let version: Int
    let body: Data
    /// A random number, which no other save has.
    var generation = UInt64.random(in: .min ... .max)
    /// The number of elements that are stored under keys of their own; nil if the value has all of them.
    var elementCount: Int?
    /// The number by which an element is sorted among the others.
    var rank: Double?

    var data: Data {
        let kind = format.kind.rawValue + (elementCount.map { "+\($0)" } ?? "") + (rank.map { "@\($0)" } ?? "")
        let fields = "\(kind) \(version) \(hexadecimal(generation))"
        let checksum = hexadecimal(Checksum.of(Data(fields.utf8), body))
        return Data("\(Self.name) 1 \(fields) \(checksum)\n".utf8) + body
    }
}

extension SavedRecord {
    init(_ data: Data) throws(Relux.SavedDamage) {
        try self.init(unchecked: data)
        guard data == self.data else { throw .wrongChecksum }
    }

    /// A record whose value may be damaged, or cut off.
    init(unchecked data: Data) throws(Relux.SavedDamage) {
        let line = data.prefix(Self.longestLine).prefix { $0 != UInt8(ascii: "\n") }
        let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard fields.count == 6, fields[0] == Self.name, fields[1] == "1",
            let kind = Relux.SavedFormat.Kind(rawValue: String(fields[2].prefix { $0.isLetter })),
            let version = Int(fields[3]), let generation = UInt64(fields[4], radix: 16)
        else { throw .noHeader }
        let detail = fields[2].dropFirst(kind.rawValue.count)
        self.init(
            format: Relux.SavedFormat(kind: kind), version: version, body: Data(data.dropFirst(line.count + 1)),
            generation: generation, elementCount: detail.first == "+" ? Int(detail.dropFirst()) : nil,
            rank: detail.first == "@" ? Double(detail.dropFirst()) : nil)
    }
}

extension Relux {
    /// A reason why data can't be restored.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum SavedDamage: Error, Hashable, CustomStringConvertible {
        /// The data don't start with the line that ``Saved`` writes.
        case noHeader
        /// The data were changed or cut short.
        case wrongChecksum
        /// No migration starts from a version on the way to the present one.
        case missingMigration(from: Int)
        /// The elements were saved under keys of their own, and ``Saved`` wasn't told where they are, by its
        /// `elements`.
        case elementsElsewhere
        /// There are elements under keys of their own, but not the rest.
        case missingRest
        /// Elements are missing that were saved under keys of their own.
        case missingElements
        /// There are elements under keys of their own that don't belong to the rest.
        case foreignElements
        /// Two elements have the same id, or ids with the same text, so that they would be saved under the same key.
        case sameID(String)
        /// A saved value, or an element of it, can't be decoded. The version is that of the program that has saved this
        /// value or this element, and the text says what is wrong.
        case undecodable(version: Int, String)

        /// A sentence that says what is wrong.
        public var description: String {
            switch self {
            case .noHeader: "they were not written by `Saved`"
            case .wrongChecksum: "their checksum is wrong"
            case .missingMigration(let version): "there is no migration from version \(version)"
            case .elementsElsewhere:
                "their elements were saved under keys of their own, for a `Saved` with `elements` or of an `Undoable`"
            case .missingRest: "only their elements are there, and the record is missing that belongs to them"
            case .missingElements: "some of their elements are missing"
            case .foreignElements: "there are more elements than were saved"
            case .sameID(let id): "two elements have the id “\(id)”, or ids with this text"
            case .undecodable(_, let reason): reason
            }
        }
    }
}

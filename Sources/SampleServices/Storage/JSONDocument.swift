import Foundation

/// A value that is stored as one JSON object with the format, its version, and the members of the value.
public protocol JSONStored: StoredValue, Codable {
    /// The name of the file, without its extension.
    static var fileStem: String { get }

    /// The name of the format, as written in the file.
    static var format: String { get }

    /// The version of the format that is written. It is the only one that can be read.
    static var version: Int { get }

    /// A human-readable name, as in “it is not the JSON of …”.
    static var kind: String { get }
}

/// The contents of a small file: one JSON object. Members that this program doesn't know are preserved.
public struct JSONDocument<Value: JSONStored>: StoredDocument {
    /// The name of the file in its folder.
    public static var fileName: String { "\(Value.fileStem).json" }

    /// The name of the lock file in the same folder.
    public static var lockName: String { "\(Value.fileStem).lock" }

    /// The stored value.
    public private(set) var value = Value()

    private var others: [String: JSONValue] = [:]

    private struct Header: Codable {
        let format: String
        let version: Int
    }

    /// Creates a document before anything has been saved.
    public init() {}

    /// Parses a file.
    public init(parsing bytes: [UInt8], file: String) throws(StorageError) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(Self.date)
        let header: Header
        let members: [String: JSONValue]
        do {
            header = try decoder.decode(Header.self, from: Data(bytes))
            members = try decoder.decode([String: JSONValue].self, from: Data(bytes))
        } catch {
            throw StorageError(.damaged("it is not the JSON of \(Value.kind)"), file: file)
        }
        guard header.format == Value.format else {
            throw StorageError(.foreignFormat(header.format), file: file)
        }
        guard header.version == Value.version else {
            throw StorageError(.foreignVersion(header.version, supported: Value.version), file: file)
        }
        do {
            value = try decoder.decode(Value.self, from: Data(bytes))
            let known = try Self.members(of: value)
            others = members.filter { known[$0.key] == nil }
        } catch {
            throw StorageError(.damaged(Self.explain(error)), file: file)
        }
    }

    /// Whether the changes change the value.
    public func isChanged(by changes: Value.Changes) -> Bool {
        var new = value
        new.apply(changes)
        return new != value
    }

    /// Merges changes into the value.
    public mutating func apply(_ changes: Value.Changes) {
        value.apply(changes)
    }

    /// The contents of the file. A file that would say nothing is removed, which needs no disk space: signing out, for
    /// example, always succeeds.
    public func pieces() throws -> (any Sequence<[UInt8]>)? {
        if value == Value(), others.isEmpty { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let members = others.merging(try Self.members(of: value)) { _, known in known }
        return [Array(try encoder.encode(members)), [UInt8(ascii: "\n")]]
    }

    /// The members of a file with a value, and of nothing else.
    private static func members(of value: Value) throws -> [String: JSONValue] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        let header = Header(format: Value.format, version: Value.version)
        let members = try [encoder.encode(value), encoder.encode(header)].map {
            try JSONDecoder().decode([String: JSONValue].self, from: $0)
        }
        return members[0].merging(members[1]) { _, last in last }
    }

    private static func date(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        if let date = Timestamp.date(text) { return date }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not a date")
    }

    private static func explain(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.last.map { "“\($0.stringValue)” has a value of the wrong kind" }
                ?? "it is not the JSON of \(Value.kind)"
        case DecodingError.dataCorrupted(let context): context.debugDescription
        default: "it is not the JSON of \(Value.kind)"
        }
    }
}

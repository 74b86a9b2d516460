public import Foundation

/// Converts data that one version of a program has saved into those that the next version expects.
///
/// ```swift
/// migrations: [
///     Migration(from: 1) { data in try addingTitles(to: data) },
///     Migration(from: 2) { (old: DraftV2) in DraftV3(text: old.text, title: "") },
/// ]
/// ```
public struct Migration: Sendable {
    /// The version of the saved data. The result has the next version.
    public let version: Int
    let migrate: @Sendable (Data, SavedFormat) throws -> Data

    /// A migration of the encoded bytes, without the header above them.
    public init(from version: Int, _ migrate: @escaping @Sendable (Data) throws -> Data) {
        self.version = version
        self.migrate = { data, _ in try migrate(data) }
    }

    /// A migration of the decoded value.
    public init<Old: Decodable & SendableMetatype, New: Encodable & SendableMetatype>(
        from version: Int, _ migrate: @escaping @Sendable (Old) throws -> New
    ) {
        self.version = version
        self.migrate = { data, format in try format.encode(migrate(format.decode(Old.self, from: data))) }
    }
}

/// How values are encoded.
public struct SavedFormat: Sendable, Hashable {
    enum Kind: String {
        case json
        case plist
    }

    let kind: Kind

    /// JSON with sorted keys.
    public static var json: SavedFormat { SavedFormat(kind: .json) }

    /// A binary property list.
    public static var propertyList: SavedFormat { SavedFormat(kind: .plist) }

    func encode(_ value: some Encodable) throws -> Data {
        switch kind {
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(value)
        case .plist:
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return try encoder.encode(value)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        switch kind {
        case .json: try JSONDecoder().decode(type, from: data)
        case .plist: try PropertyListDecoder().decode(type, from: data)
        }
    }
}

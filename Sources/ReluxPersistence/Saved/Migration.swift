public import Foundation
public import Relux

extension Relux {
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
}

extension Relux {
    /// How values are encoded.
    public struct SavedFormat: Sendable, Hashable {
        enum Kind: String { case json, plist }

        let kind: Kind

        /// JSON with sorted keys.
        public static var json: SavedFormat { SavedFormat(kind: .json) }

        /// A binary property list.
        public static var propertyList: SavedFormat { SavedFormat(kind: .plist) }

        func encode(_ value: some Encodable) throws -> Data {
            switch kind {
            case .json:
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                do { return try encoder.encode(value) } catch EncodingError.invalidValue(
                    let value as any BinaryFloatingPoint, let context)
                {
                    throw UnsavableValue(value: "\(value)", path: context.codingPath.text)
                }
            case .plist:
                let encoder = PropertyListEncoder()
                encoder.outputFormat = .binary
                return try encoder.encode(value)
            }
        }

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(DecodingError) -> Value {
            do {
                if kind == .json { return try JSONDecoder().decode(type, from: data) }
                return try PropertyListDecoder().decode(type, from: data)
            } catch {
                // An author's `init(from:)` may throw any error.
                throw error as? DecodingError
                    ?? .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
            }
        }
    }
}

/// The error for a value that its format doesn't have.
struct UnsavableValue: Error, CustomStringConvertible {
    let value: String
    let path: String

    var description: String {
        "JSON has no “\(value)”, which is the value of “\(path)”: inf and nan are no numbers there. Save another value, or pass `format: .propertyList`."
    }
}

extension [any CodingKey] {
    /// The names of the fields on the way to a value.
    fileprivate var text: String { map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".") }
}

/// The way from a record to a value of the present version.
struct SavedDecoding {
    let version: Int
    let migrations: [Relux.Migration]
    /// Whether the records are those of elements, for which versions without a migration have changed nothing.
    var isOfElements = false

    func decode<Value: Decodable>(_ type: Value.Type, from record: SavedRecord) throws -> Value {
        let body = try migrated(record)
        do { return try record.format.decode(type, from: body) } catch {
            throw Relux.SavedDamage.undecodable(version: record.version, advice(type, record.version, error.reason))
        }
    }

    private func migrated(_ record: SavedRecord) throws -> Data {
        guard record.version <= version else { throw Relux.LoadFailure.newer(version: record.version) }
        let versions = record.version..<version
        let migrations = Dictionary(migrations.map { ($0.version, $0) }) { first, _ in first }
        if !isOfElements, let missing = versions.first(where: { migrations[$0] == nil }) {
            throw Relux.SavedDamage.missingMigration(from: missing)
        }
        return try migrations.values.filter { versions.contains($0.version) }.sorted { $0.version < $1.version }
            .reduce(record.body) { body, migration in
                do { return try migration.migrate(body, record.format) } catch {
                    throw Relux.LoadFailure.damaged(error)
                }
            }
    }

    /// A message that says what is wrong and what to do.
    ///
    /// - Parameter found: The version of the program that has saved the value.
    private func advice(_ type: Any.Type, _ found: Int, _ reason: String) -> String {
        let label = isOfElements ? "elementMigrations" : "migrations"
        guard found == version else {
            return "\(reason), so the \(label) from version \(found) to \(version) don't lead to \(type)"
        }
        // The rest needs one too.
        let rest = isOfElements ? "migrations: [Migration(from: \(found)) { $0 }],\n    " : ""
        return """
            \(reason). If \(type) has changed since version \(found), raise the version and add a Migration:
                version: \(found &+ 1),
                \(rest)\(label): [Migration(from: \(found)) { (old: …) in \(type)(…) }]
            """
    }
}

extension DecodingError {
    /// A text that says what is wrong.
    fileprivate var reason: String {
        switch self {
        case .keyNotFound(let key, let context): "“\((context.codingPath + [key]).text)” is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? context.debugDescription : "“\(context.codingPath.text)”: \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }
}

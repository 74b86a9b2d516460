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
                do { return try encoder.encode(value) } catch EncodingError.invalidValue(let value, let context) {
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

extension DecodingError {
    /// A message that says what is wrong and what to do.
    ///
    /// - Parameters:
    ///   - found: The version of the program that has saved the value.
    ///   - now: The version of this program.
    func advice(_ type: Any.Type, found: Int, now: Int) -> String {
        let reason =
            switch self {
            case .keyNotFound(let key, let context): "“\((context.codingPath + [key]).text)” is missing"
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath.isEmpty
                    ? context.debugDescription : "“\(context.codingPath.text)”: \(context.debugDescription)"
            @unknown default: "\(self)"
            }
        guard found == now else {
            return "\(reason), so the migrations from version \(found) to \(now) don't lead to \(type)"
        }
        return """
            \(reason). If \(type) has changed since version \(found), raise the version and add a Migration:
                version: \(found &+ 1),
                migrations: [Migration(from: \(found)) { (old: …) in \(type)(…) }]
            """
    }
}

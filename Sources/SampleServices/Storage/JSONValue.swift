import Foundation

/// Any JSON value. It preserves what a file contains besides the members that this program knows.
enum JSONValue: Sendable, Equatable, Codable {
    case null
    case bool(Bool)
    case number(Decimal)
    /// A number that is too large or too small for the exact form.
    case inexact(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else if let object = try? container.decode([String: JSONValue].self) {
            self = .object(object)
        } else if let number = try? container.decode(Decimal.self) {
            self = .number(number)
        } else {
            self = .inexact(try container.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .inexact(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}

extension [UInt8] {
    /// The text of a JSON object, followed by the members of a former version that this program doesn't know.
    ///
    /// - Parameter keys: The keys that this program knows.
    func keeping(membersOf former: ArraySlice<UInt8>, except keys: Set<String>) -> [UInt8] {
        let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(former))
        let others = members?.filter { !keys.contains($0.key) } ?? [:]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard !others.isEmpty, let text = try? encoder.encode(others) else { return self }
        return dropLast() + [UInt8(ascii: ",")] + text.dropFirst()
    }
}

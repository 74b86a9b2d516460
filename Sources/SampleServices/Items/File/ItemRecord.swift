import Foundation

/// An item as a line of a file: a JSON object. Dates are ISO 8601 in UTC, to the millisecond.
struct ItemRecord: Decodable {
    let id: String
    let title: String
    let order: Int
    let created: String
    let updated: String
    let completed: String?

    /// What is wrong with a line whose fields have the right types.
    enum Flaw: Error {
        case noID(String)
        case noDate(String)
    }

    /// The item that the line describes.
    func item() throws(Flaw) -> Item {
        guard let id = UUID(uuidString: id) else { throw .noID(id) }
        return Item(
            id: id,
            title: title,
            order: order,
            created: try Self.date(created),
            updated: try Self.date(updated),
            completed: try completed.map(Self.date)
        )
    }

    /// The line that describes an item.
    static func line(for item: Item) -> [UInt8] {
        var line = #"{"id":"\#(item.id.uuidString.lowercased())","title":\#(quoted(item.title)),"order":\#(item.order)"#
        let created = Timestamp.text(item.created)
        // Most items of a long list were imported and never changed. Formatting a date takes longer than all the rest.
        let updated = item.updated == item.created ? created : Timestamp.text(item.updated)
        line += #","created":"\#(created)","updated":"\#(updated)""#
        if let completed = item.completed { line += #","completed":"\#(Timestamp.text(completed))""# }
        return Array((line + "}").utf8)
    }

    /// The line that describes a changed item. Whatever the old line contains besides is kept.
    static func line(for item: Item, replacing line: ArraySlice<UInt8>) -> [UInt8] {
        // A line in the form that is written here contains nothing else.
        if scan(line) != nil { return Self.line(for: item) }
        return Self.line(for: item)
            .keeping(membersOf: line, except: ["id", "title", "order", "created", "updated", "completed"])
    }

    /// The item as it will be read back, with its dates rounded to the millisecond.
    static func storable(_ item: Item) -> Item {
        Item(
            id: item.id,
            title: item.title,
            order: item.order,
            created: Timestamp.rounded(item.created),
            updated: Timestamp.rounded(item.updated),
            completed: item.completed.map(Timestamp.rounded)
        )
    }

    /// Describes in words why a line couldn't be read.
    static func explain(_ error: any Error, what: String = "an item") -> String {
        switch error {
        case Flaw.noID(let text): "“\(text)” is no id"
        case Flaw.noDate(let text): "“\(text)” is no date"
        case DecodingError.keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.last.map { "“\($0.stringValue)” has the wrong type" } ?? "it is not the JSON of \(what)"
        default: "it is not the JSON of \(what)"
        }
    }
}

extension ItemRecord {
    private static func date(_ text: String) throws(Flaw) -> Date {
        guard let date = Timestamp.date(text) else { throw .noDate(text) }
        return date
    }

    /// A JSON string literal.
    private static func quoted(_ text: String) -> String {
        // Most titles need no escaping.
        guard text.utf8.contains(where: \.needsEscape) else { return "\"\(text)\"" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Text can always be encoded.
        return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte must be escaped in a JSON string.
    fileprivate var needsEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}

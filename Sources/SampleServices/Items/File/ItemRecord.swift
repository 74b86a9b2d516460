import Foundation

/// An item as a line of a file: a JSON object. Dates are ISO 8601 in UTC, to the millisecond.
struct ItemRecord: Decodable {
    let id: String
    let title: String
    let order: Int
    let created: String
    let updated: String
    let completed: String?

    /// About the number of bytes of a line with a short title.
    static let usualSize = 150

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
        var line: [UInt8] = []
        append(item, to: &line)
        return line
    }

    /// Appends the line that describes an item.
    static func append(_ item: Item, to bytes: inout [UInt8]) {
        bytes += #"{"id":""#.utf8
        bytes.append(id: item.id)
        bytes += #"","title":"#.utf8
        bytes.append(quoted: item.title)
        bytes += #","order":"#.utf8
        bytes += String(item.order).utf8
        let created = Timestamp.text(item.created)
        let updated = item.updated == item.created ? created : Timestamp.text(item.updated)
        bytes += #","created":"\#(created)","updated":"\#(updated)""#.utf8
        if let completed = item.completed { bytes += #","completed":"\#(Timestamp.text(completed))""#.utf8 }
        bytes.append(UInt8(ascii: "}"))
    }

    /// The line that describes a changed item. Whatever the old line contains besides is kept.
    static func line(for item: Item, replacing line: [UInt8]) -> [UInt8] {
        Self.line(for: item)
            .keeping(membersOf: line[...], except: ["id", "title", "order", "created", "updated", "completed"])
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
        case Flaw.noID(let text): "“\(text)” is not an id"
        case Flaw.noDate(let text): "“\(text)” is not a date"
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
}

extension [UInt8] {
    /// Appends an id, in lower case.
    mutating func append(id: UUID) {
        Swift.withUnsafeBytes(of: id.uuid) { raw in
            for (index, byte) in raw.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { append(UInt8(ascii: "-")) }
                append(hexadecimal: byte >> 4)
                append(hexadecimal: byte & 0xF)
            }
        }
    }

    private mutating func append(hexadecimal digit: UInt8) {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }

    /// Appends a JSON string literal.
    fileprivate mutating func append(quoted text: String) {
        // Most titles need no escaping.
        if text.utf8.contains(where: \.needsEscape) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            // Text can always be encoded.
            self += (try? encoder.encode(text)) ?? Data()
        } else {
            append(UInt8(ascii: "\""))
            self += text.utf8
            append(UInt8(ascii: "\""))
        }
    }
}

extension UInt8 {
    /// Whether the byte must be escaped in a JSON string.
    fileprivate var needsEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}

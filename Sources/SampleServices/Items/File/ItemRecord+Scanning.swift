import Foundation

extension ItemRecord {
    /// Parses a line in the exact form written here. The result is nil for any other line, which may still be a valid
    /// item.
    ///
    /// This is many times faster than a JSON decoder, and most lines have that form.
    static func scan(_ row: ArraySlice<UInt8>) -> Item? {
        row.withUnsafeBufferPointer { bytes in
            var scanner = ItemScanner(bytes)
            guard let item = scanner.item(), scanner.isAtEnd else { return nil }
            return item
        }
    }
}

/// Parses items in the form that ``ItemRecord`` writes.
struct ItemScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// The date parsed last. Most items have two equal ones, and parsing is slow.
    private var last: (text: String, date: Date)?

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Parses the item at the current position. The result is nil if anything deviates from the usual form.
    mutating func item() -> Item? {
        guard skip(#"{"id":""#), let id = id(), skip(#"","title":""#), let title = text(),
            skip(#"","order":"#), let order = number(),
            skip(#","created":""#), let created = date(), skip(#"","updated":""#), let updated = date(), skip(#"""#)
        else { return nil }
        var completed: Date?
        if skip(#","completed":""#) {
            guard let date = date(), skip(#"""#) else { return nil }
            completed = date
        }
        guard skip("}") else { return nil }
        return Item(id: id, title: title, order: order, created: created, updated: updated, completed: completed)
    }

    /// Skips the given text if it is next.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
        position += count
        return true
    }

    mutating func id() -> UUID? {
        guard bytes.count - position >= 36 else { return nil }
        var result: (UInt64, UInt64) = (0, 0)
        for index in 0..<36 {
            let byte = bytes[position + index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            if index < 18 { result.0 = result.0 << 4 | UInt64(digit) } else { result.1 = result.1 << 4 | UInt64(digit) }
        }
        position += 36
        var raw = (result.0.bigEndian, result.1.bigEndian)
        return withUnsafeBytes(of: &raw) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Parses text up to its closing quote. The result is nil if it contains an escape.
    private mutating func text() -> String? {
        var end = position
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\\") else { return nil }
            end += 1
        }
        defer { position = end }
        // The whole file has already been validated as UTF-8.
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    private mutating func number() -> Int? {
        let isNegative = skip("-")
        let start = position
        var number = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            // Longer numbers may overflow. They are left to the decoder.
            guard position - start < 18 else { return nil }
            number = number * 10 + Int(digit)
            position += 1
        }
        let count = position - start
        guard count > 0, count == 1 || bytes[start] != UInt8(ascii: "0"), !isNegative || number > 0 else { return nil }
        return isNegative ? -number : number
    }

    /// Parses a date in exactly the form written here.
    private mutating func date() -> Date? {
        guard bytes.count - position >= 24 else { return nil }
        let text = String(decoding: bytes[position..<position + 24], as: UTF8.self)
        if last?.text != text {
            guard let date = Timestamp.date(text), Timestamp.text(date) == text else { return nil }
            last = (text, date)
        }
        position += 24
        return last?.date
    }
}

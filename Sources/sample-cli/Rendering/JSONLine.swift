import Foundation

/// An object that is printed for scripts as one line of JSON. Its format is part of the program's contract:
/// Docs/Sample.md describes it.
///
/// The keys are sorted, so that equal values always result in the same text.
protocol JSONLine: Encodable {}

extension JSONLine {
    /// The object as one line of JSON. Dates are in ISO 8601 in UTC, to the millisecond.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            // Half a millisecond is added, because the style truncates instead of rounding.
            let rounded = date.addingTimeInterval(0.000_5)
            try container.encode(rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        }
        return String(decoding: try encoder.encode(self), as: UTF8.self).escapingControls
    }
}

/// A value that is encoded as null if there is none, so that every object of a kind has the same keys.
@propertyWrapper struct OrNull<Value: Encodable>: Encodable {
    let wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension String {
    /// The text with C1 control characters and DEL escaped. JSON permits them, but terminals interpret them.
    fileprivate var escapingControls: String {
        guard unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if (0x7F...0x9F).contains(scalar.value) {
                text += "\\u00" + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

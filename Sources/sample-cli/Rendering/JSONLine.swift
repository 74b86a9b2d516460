import Foundation

/// An object that is printed for scripts as one line of JSON.
///
/// The keys are sorted, so that equal values always result in the same text.
protocol JSONLine: Encodable {}

extension JSONLine {
    /// The object as one line of JSON.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self).escapingControls
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

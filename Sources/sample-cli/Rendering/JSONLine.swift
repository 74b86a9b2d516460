import Foundation

/// What is shown to scripts as an object in one line.
///
/// The keys are sorted, so the same values are the same text each time.
protocol JSONLine: Encodable {}

extension JSONLine {
    /// The object in one line.
    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self).escapingControls
    }
}

extension String {
    /// JSON leaves the controls above ASCII as they are, and terminals obey them.
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

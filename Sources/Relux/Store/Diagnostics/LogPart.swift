/// A part of a line of a log.
struct LogPart {
    enum Style {
        case plain, soft, name, problem
        /// The part that is cut first if the line is too long.
        case payload
    }

    private(set) var text: String
    let style: Style

    init(_ text: String, _ style: Style = .plain) {
        (self.text, self.style) = (text, style)
    }

    /// The text with the sequences of its colour.
    var colored: String {
        switch style {
        case .plain, .payload: text
        case .soft: "\u{1B}[2m\(text)\u{1B}[0m"
        case .name: "\u{1B}[1m\(text)\u{1B}[0m"
        case .problem: "\u{1B}[31m\(text)\u{1B}[0m"
        }
    }

    /// Escapes characters that have an effect instead of being shown.
    mutating func escape() { text = text.visible }

    // MARK: Widths

    /// Cuts parts in the middle until they fit into a number of columns: payloads first, then the longest of the
    /// others.
    static func fit(_ parts: inout [LogPart], into width: Int) {
        var excess = parts.reduce(0) { $0 + columns(of: $1.text) } - width
        let order = parts.indices.sorted { one, other in
            let (first, second) = (parts[one].style == .payload, parts[other].style == .payload)
            return first != second ? first : columns(of: parts[one].text) > columns(of: parts[other].text)
        }
        for index in order where excess > 0 {
            let before = columns(of: parts[index].text)
            parts[index].text = cut(parts[index].text, to: max(before - excess, min(before, 9)))
            excess -= before - columns(of: parts[index].text)
        }
    }

    /// A text with its middle replaced by an ellipsis.
    private static func cut(_ text: String, to width: Int) -> String {
        guard columns(of: text) > width else { return text }
        let rest = max(width - 1, 0)
        return prefix(of: text, columns: rest - rest / 3) + "…"
            + String(prefix(of: String(text.reversed()), columns: rest / 3).reversed())
    }

    private static func prefix(of text: String, columns limit: Int) -> String {
        var (result, used) = ("", 0)
        for character in text {
            used += columns(of: character)
            guard used <= limit else { break }
            result.append(character)
        }
        return result
    }

    private static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// The columns that a terminal gives a character: two for the wide ones of East Asia, and for pictures.
    private static func columns(of character: Character) -> Int {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}

extension Character {
    /// How many columns of a terminal it takes: 0 where nothing of it is seen, 2 where it is wide.
    ///
    /// Terminals don't agree about emoji that are made of several; ``FrameWriter`` doesn't rely on it.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.value < 0x7F { return first.value >= 0x20 ? 1 : 0 }
        if first.isWide { return 2 }
        // A sign that is asked to look like an emoji.
        if unicodeScalars.count > 1, unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
        return first.isUnseen ? 0 : 1
    }

    /// Whether every terminal moves its cursor by ``columns``.
    var isPlain: Bool {
        unicodeScalars.count == 1 && columns > 0 && unicodeScalars.allSatisfy { !$0.properties.isEmojiPresentation }
    }
}

extension StringProtocol {
    /// How many columns of a terminal it takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Unicode.Scalar {
    /// Whether it is twice as wide as a letter.
    fileprivate var isWide: Bool {
        if properties.isEmojiPresentation { return true }
        return switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Whether it does something to its neighbours instead of being seen.
    fileprivate var isUnseen: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // The vowels in the middle of Korean syllables.
        default: (0x1160...0x11FF).contains(value)
        }
    }
}

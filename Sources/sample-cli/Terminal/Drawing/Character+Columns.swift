extension Character {
    /// The number of terminal columns that the character occupies: 0 if it is invisible, 2 if it is wide.
    ///
    /// Terminals disagree about emoji sequences, so ``Palette`` doesn't rely on this value for them.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.value < 0x7F { return first.value >= 0x20 ? 1 : 0 }
        if first.isWide { return 2 }
        // A symbol with a variation selector that requests emoji presentation.
        if unicodeScalars.count > 1, unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
        return first.isUnseen ? 0 : 1
    }

    /// Whether all terminals advance the cursor by ``columns``.
    var isPlain: Bool {
        unicodeScalars.count == 1 && columns > 0 && unicodeScalars.allSatisfy { !$0.properties.isEmojiPresentation }
    }
}

extension StringProtocol {
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Unicode.Scalar {
    /// Whether the scalar is twice as wide as a letter.
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

    /// Whether the scalar is invisible and only affects its neighbours.
    fileprivate var isUnseen: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // The medial vowels and final consonants of Hangul syllables.
        default: (0x1160...0x11FF).contains(value)
        }
    }
}

/// Parses the bytes from a terminal into keys, however they are divided into chunks.
///
/// An escape character may be the Escape key or the start of a sequence. If nothing follows for a moment, the reader
/// calls ``flush()``: the parser itself knows nothing about time. No input is an error. Invalid input becomes
/// ``Key/unknown`` or, in place of text, the replacement character.
///
/// Pasted text lasts until its end, whatever it contains. In case the end never arrives, Escape or control-C ends it as
/// well, if nothing follows for a moment.
struct KeyParser: Sendable, Equatable {
    /// The maximum length of pasted text in bytes. The rest is dropped.
    static let longestPaste = 65_536
    private static let startOfPaste = Array("\u{1B}[200~".utf8)
    private static let endOfPaste = Array("\u{1B}[201~".utf8)
    /// The maximum number of bytes between the start of a sequence and its end. Longer sequences are invalid.
    private static let longestParameters = 32

    /// The start of a key whose end hasn't arrived.
    private var pending: ArraySlice<UInt8> = []

    private var isPaste: Bool { pending.starts(with: Self.startOfPaste) }

    /// Whether the meaning of the last byte depends on the next one, and therefore on time.
    var isAmbiguous: Bool { pending.first == 0x1B && (!isPaste || pending.last == 0x1B || pending.last == 0x03) }

    /// Parses bytes, and returns the keys that are now complete.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let key = nextKey() { keys.append(key) }
        return keys
    }

    /// Resolves an ambiguous position when nothing has followed.
    mutating func flush() -> [Key] {
        guard isAmbiguous else { return [] }
        defer { pending = [] }
        if isPaste { return [Self.pasted(pending.dropFirst(Self.startOfPaste.count).dropLast())] }
        return [pending.count == 1 ? .escape : .unknown]
    }

    /// Removes the first key; nil if it isn't complete.
    private mutating func nextKey() -> Key? {
        guard let byte = pending.first else { return nil }
        if byte == 0x1B { return isPaste ? nextPaste() : nextSequence() }
        if byte >= 0x80 { return nextCharacter() }
        pending.removeFirst()
        return switch byte {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x00: .unknown
        // The code of a letter typed with Control is 64 less than the capital letter's.
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: .character(Character(Unicode.Scalar(byte)))
        }
    }

    /// A character of several bytes.
    private mutating func nextCharacter() -> Key? {
        guard let first = pending.first else { return nil }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let bytes = pending.prefix(1) + pending.dropFirst().prefix(length - 1).prefix { (0x80...0xBF).contains($0) }
        let isStart = (0xC2...0xF4).contains(first)
        if isStart, bytes.count < length, bytes.count == pending.count { return nil }
        pending.removeFirst(bytes.count)
        guard let character = String(validating: bytes, as: UTF8.self)?.first else { return .character("\u{FFFD}") }
        // C1 control characters are not text.
        return character.unicodeScalars.allSatisfy { $0.value >= 0xA0 } ? .character(character) : .unknown
    }

    private mutating func nextPaste() -> Key? {
        let text = pending.dropFirst(Self.startOfPaste.count)
        guard let end = text.firstRange(of: Self.endOfPaste) else {
            // The last bytes are kept, because they may be the start of the end.
            if text.count > Self.longestPaste + Self.endOfPaste.count {
                pending = Self.startOfPaste + text.prefix(Self.longestPaste) + text.suffix(Self.endOfPaste.count)
            }
            return nil
        }
        pending = pending[end.upperBound...]
        return Self.pasted(text[..<end.lowerBound])
    }

    private static func pasted(_ text: ArraySlice<UInt8>) -> Key {
        .pasted(String(decoding: text.prefix(longestPaste), as: UTF8.self))
    }
}

// MARK: - Escape sequences

extension KeyParser {
    /// The keys by the first parameter and the last character of their sequences. Those in lower case are from rxvt and
    /// its relatives.
    private static let keys: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "M": .enter, "Z": .backTab,
        "a": .shiftUp, "b": .shiftDown, "1~": .home, "3~": .delete, "4~": .end, "5~": .pageUp, "6~": .pageDown,
        "7~": .home, "8~": .end,
    ]

    /// A bracket or an `O`, parameters, and a last character; or the Escape key.
    private mutating func nextSequence() -> Key? {
        let body = pending.dropFirst()
        guard let kind = body.first else { return nil }
        guard body.starts(with: "[".utf8) || body.starts(with: "O".utf8) else {
            // A character typed with Alt has no meaning. Anything else is a key of its own.
            let isAlt = (0x20...0x7E).contains(kind)
            pending.removeFirst(isAlt ? 2 : 1)
            return isAlt ? .unknown : .escape
        }
        // On the Linux console, function keys begin with two brackets.
        let isFunction = body.starts(with: "[[".utf8)
        let rest = body.dropFirst(isFunction ? 2 : 1)
        let parameters = rest.prefix { (0x20...0x3F).contains($0) }.prefix(Self.longestParameters)
        guard let last = rest.dropFirst(parameters.count).first else { return nil }
        let isEnded = (0x40...0x7E).contains(last)
        // A byte that doesn't end the sequence is an unrelated key.
        pending = rest.dropFirst(parameters.count + (isEnded ? 1 : 0))
        guard isEnded, !isFunction else { return .unknown }
        return Self.key(String(decoding: parameters, as: UTF8.self), String(Unicode.Scalar(last)))
    }

    /// The key of a complete sequence. Modifiers are ignored, except for Shift with the keys that extend a selection.
    private static func key(_ parameters: String, _ last: String) -> Key {
        let parameters = parameters.split(separator: ";")
        // With a modifier, a 1 precedes it.
        let first = last != "~" && parameters.first == "1" ? "" : parameters.first ?? ""
        // The modifier is a bit mask plus 1, and the bit of Shift is 1.
        let held = parameters.count == 2 ? Int(parameters[1]) ?? 0 : 0
        let isShifted = held > 0 && held.isMultiple(of: 2)
        return switch keys[first + last] {
        case .up? where isShifted: .shiftUp
        case .down? where isShifted: .shiftDown
        case let key: key ?? .unknown
        }
    }
}

/// Parses the bytes from a terminal into keys, however they are divided into chunks.
///
/// An escape character may be the Escape key or the start of a sequence. If nothing follows for a moment, the reader
/// calls ``flush()``: the parser itself knows nothing about time. No input is an error. Invalid input becomes
/// ``Key/unknown`` or, in place of text, the replacement character.
struct KeyParser: Sendable, Equatable {
    private enum Position: Equatable {
        case ground
        /// After an escape character, with what has followed: nothing, an `O`, or a bracket and parameters.
        case sequence(String)
        /// Within a character of several bytes.
        case character([UInt8], length: Int)
        case paste
    }

    /// The maximum length of pasted text in bytes. The rest is dropped.
    static let longestPaste = 65_536
    /// The maximum number of bytes after an escape character. Longer sequences are invalid.
    private static let longestSequence = 33
    private static let endOfPaste = Array("\u{1B}[201~".utf8)

    private var position: Position = .ground
    /// The bytes pasted so far, in a separate property so that they are appended in place.
    private var pasted: [UInt8] = []

    /// Whether the meaning of the last byte depends on the next one, and therefore on time.
    var isAmbiguous: Bool { if case .sequence = position { true } else { false } }

    /// Parses bytes, and returns the keys that are now complete.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// Resolves an ambiguous position when nothing has followed.
    mutating func flush() -> [Key] {
        guard case .sequence(let sequence) = position else { return [] }
        position = .ground
        return [sequence.isEmpty ? .escape : .unknown]
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch position {
        case .ground: begin(byte, &keys)
        case .sequence(let sequence): takeInSequence(byte, sequence, &keys)
        case .character(let bytes, let length): takeInCharacter(byte, bytes, length, &keys)
        case .paste: takeInPaste(byte, &keys)
        }
    }

    private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x1B: position = .sequence("")
        case 0x09: keys.append(.tab)
        case 0x0A, 0x0D: keys.append(.enter)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x00: keys.append(.unknown)
        // The code of a letter typed with Control is 64 less than the capital letter's.
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x1C...0x1F: keys.append(.control(Character(Unicode.Scalar(byte + 0x40))))
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: position = .character([byte], length: 2)
        case 0xE0...0xEF: position = .character([byte], length: 3)
        case 0xF0...0xF4: position = .character([byte], length: 4)
        default: keys.append(.character("\u{FFFD}"))
        }
    }

    private mutating func takeInSequence(_ byte: UInt8, _ former: String, _ keys: inout [Key]) {
        let sequence = former + String(Unicode.Scalar(byte))
        position = .ground
        switch byte {
        // On the Linux console, function keys begin with two brackets.
        case _ where ["[", "O", "[["].contains(sequence): position = .sequence(sequence)
        case 0x20...0x3F where former.hasPrefix("[") && former.count < Self.longestSequence:
            position = .sequence(sequence)
        case 0x20...0x7E:
            if sequence == "[200~" { position = .paste } else { keys.append(Self.key(of: sequence)) }
        default:
            // The Escape key or an incomplete sequence, followed by an unrelated key.
            keys.append(former.isEmpty ? .escape : .unknown)
            begin(byte, &keys)
        }
    }

    private mutating func takeInCharacter(_ byte: UInt8, _ bytes: [UInt8], _ length: Int, _ keys: inout [Key]) {
        position = .ground
        guard (0x80...0xBF).contains(byte) else {
            keys.append(.character("\u{FFFD}"))
            return begin(byte, &keys)
        }
        let bytes = bytes + [byte]
        guard bytes.count == length else { return position = .character(bytes, length: length) }
        guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
            return keys.append(.character("\u{FFFD}"))
        }
        // C1 control characters are not text.
        keys.append(character.unicodeScalars.allSatisfy { $0.value >= 0xA0 } ? .character(character) : .unknown)
    }

    private mutating func takeInPaste(_ byte: UInt8, _ keys: inout [Key]) {
        pasted.append(byte)
        if byte == Self.endOfPaste.last, pasted.suffix(Self.endOfPaste.count).elementsEqual(Self.endOfPaste) {
            let text = pasted.dropLast(Self.endOfPaste.count).prefix(Self.longestPaste)
            keys.append(.pasted(String(decoding: text, as: UTF8.self)))
            pasted = []
            position = .ground
        } else if pasted.count > Self.longestPaste + Self.endOfPaste.count {
            // The last bytes are kept, because the end marker must still be recognized.
            pasted.remove(at: Self.longestPaste)
        }
    }
}

// MARK: - Escape sequences

extension KeyParser {
    /// The keys by the first parameter and the last character of their sequences. Those in lower case are from rxvt and
    /// its relatives.
    private static let keys: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab, "a": .shiftUp,
        "b": .shiftDown, "1~": .home, "3~": .delete, "4~": .end, "5~": .pageUp, "6~": .pageDown, "7~": .home,
        "8~": .end,
    ]

    /// The key of a complete sequence. Modifiers are ignored, except for Shift with the keys that extend a selection.
    private static func key(of sequence: String) -> Key {
        guard let kind = sequence.first, let last = sequence.last, sequence.count > 1 else { return .unknown }
        if kind == "O" { return last == "M" ? .enter : keys[String(last)] ?? .unknown }
        let parameters = sequence.dropFirst().dropLast().split(separator: ";")
        // With a modifier, a 1 precedes it.
        let first = last != "~" && parameters.first == "1" ? "" : parameters.first ?? ""
        // The modifier is a bit mask plus 1, and the bit of Shift is 1.
        let held = parameters.count == 2 ? Int(parameters[1]) ?? 0 : 0
        let isShifted = held > 0 && held.isMultiple(of: 2)
        return switch keys[first + String(last)] {
        case .up? where isShifted: .shiftUp
        case .down? where isShifted: .shiftDown
        case let key: key ?? .unknown
        }
    }
}

/// Parses the bytes from a terminal into keys, however they are divided into chunks.
///
/// An escape character may be the Escape key or the start of a sequence. If nothing follows for a moment, the reader
/// calls ``flush()``: the parser itself knows nothing about time. No input is an error. Invalid input becomes
/// ``Key/unknown`` or, in place of text, the replacement character.
struct KeyParser: Sendable, Equatable {
    private enum Position: Equatable {
        case ground
        /// After an escape character.
        case escape
        /// After `ESC O`.
        case singleShift
        /// After `ESC [`, with the parameters so far.
        case sequence([UInt8])
        /// After `ESC [ [`, which starts the function keys of the Linux console.
        case consoleKey
        /// Within a character of several bytes.
        case character([UInt8], length: Int)
        /// Within pasted text.
        case paste
    }

    /// The maximum length of pasted text in bytes. The rest is dropped.
    static let longestPaste = 65_536

    /// The maximum length of a sequence in bytes. Longer ones are invalid.
    private static let longestSequence = 32

    private static let endOfPaste = Array("\u{1B}[201~".utf8)

    private var position: Position = .ground

    /// The bytes pasted so far, in a separate property so that they are appended in place.
    private var pasted: [UInt8] = []

    /// Whether the meaning of the last byte depends on the next one, and therefore on time.
    var isAmbiguous: Bool {
        switch position {
        case .escape, .singleShift, .sequence, .consoleKey: true
        case .ground, .character, .paste: false
        }
    }

    /// Parses bytes.
    ///
    /// - Returns: The keys that are now complete.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// Resolves an ambiguous position when nothing has followed.
    ///
    /// - Returns: The keys that are now complete.
    mutating func flush() -> [Key] {
        defer { if isAmbiguous { position = .ground } }
        return switch position {
        case .escape: [.escape]
        case .singleShift: [.alt("O")]
        case .sequence(let parameters): [parameters.isEmpty ? .alt("[") : .unknown]
        case .consoleKey: [.unknown]
        case .ground, .character, .paste: []
        }
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch position {
        case .ground: begin(byte, &keys)
        case .escape: takeAfterEscape(byte, &keys)
        case .singleShift:
            position = .ground
            guard (0x20...0x7E).contains(byte) else { return give(.unknown, then: byte, &keys) }
            keys.append(Self.shifted[byte] ?? .unknown)
        case .sequence(let parameters): takeInSequence(byte, parameters, &keys)
        case .consoleKey:
            position = .ground
            keys.append(.unknown)
        case .character(let bytes, let length): takeInCharacter(byte, bytes, length, &keys)
        case .paste: takeInPaste(byte, &keys)
        }
    }

    private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x1B: position = .escape
        case 0x09: keys.append(.tab)
        case 0x0A, 0x0D: keys.append(.enter)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x00: keys.append(.control(" "))
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

    private mutating func takeAfterEscape(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case UInt8(ascii: "["): position = .sequence([])
        case UInt8(ascii: "O"): position = .singleShift
        case 0x20...0x7E:
            position = .ground
            keys.append(.alt(Character(Unicode.Scalar(byte))))
        default:
            // The Escape key, followed by an unrelated key.
            position = .ground
            give(.escape, then: byte, &keys)
        }
    }

    private mutating func takeInSequence(_ byte: UInt8, _ parameters: [UInt8], _ keys: inout [Key]) {
        switch byte {
        case UInt8(ascii: "[") where parameters.isEmpty: position = .consoleKey
        case 0x20...0x3F where parameters.count < Self.longestSequence: position = .sequence(parameters + [byte])
        case 0x20...0x3F, 0x40...0x7E:
            position = .ground
            if byte == UInt8(ascii: "~"), parameters == Array("200".utf8) {
                position = .paste
            } else {
                keys.append(Self.key(parameters, byte))
            }
        default:
            position = .ground
            give(.unknown, then: byte, &keys)
        }
    }

    private mutating func takeInCharacter(_ byte: UInt8, _ bytes: [UInt8], _ length: Int, _ keys: inout [Key]) {
        guard (0x80...0xBF).contains(byte) else {
            position = .ground
            return give(.character("\u{FFFD}"), then: byte, &keys)
        }
        let bytes = bytes + [byte]
        guard bytes.count == length else { return position = .character(bytes, length: length) }
        position = .ground
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

    /// Appends a key for an incomplete sequence, and parses the byte as the start of the next key.
    private mutating func give(_ key: Key, then byte: UInt8, _ keys: inout [Key]) {
        keys.append(key)
        begin(byte, &keys)
    }
}

// MARK: - Escape sequences

extension KeyParser {
    private static let shifted: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
    ]

    private static let numbered: [String: Key] = [
        "1": .home, "2": .insert, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
    ]

    /// The key of an escape sequence. Modifiers are ignored, except for Shift with the keys that extend a selection.
    private static func key(_ parameters: [UInt8], _ final: UInt8) -> Key {
        let first = String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        switch final {
        case UInt8(ascii: "~"): return numbered[first] ?? .unknown
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "M"): return .unknown
        // rxvt and its relatives use these letters for Shift with an arrow key.
        case UInt8(ascii: "a") where parameters.isEmpty: return .shiftUp
        case UInt8(ascii: "b") where parameters.isEmpty: return .shiftDown
        default:
            guard first.isEmpty || first == "1" else { return .unknown }
            switch shifted[final] {
            case .up? where isShifted(parameters): return .shiftUp
            case .down? where isShifted(parameters): return .shiftDown
            case let key: return key ?? .unknown
            }
        }
    }

    /// Whether Shift was held. The second parameter is the modifiers' bit mask plus 1, and the bit of Shift is 1.
    private static func isShifted(_ parameters: [UInt8]) -> Bool {
        let parts = parameters.split(separator: UInt8(ascii: ";"))
        guard parts.count == 2, let held = Int(String(decoding: parts[1], as: UTF8.self)) else { return false }
        return held > 1 && (held - 1) % 2 == 1
    }
}

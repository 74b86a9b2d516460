import Foundation

extension User {
    /// The name of a user: one readable line that can be part of a file name.
    ///
    /// Surrounding white space is ignored. Two names that differ only in case, or in the encoding of their accents,
    /// belong to the same user.
    public struct Name: Sendable, Hashable {
        /// Why a text isn't a valid name.
        public enum Flaw: Error, Hashable {
            /// The text has no readable characters.
            case blank
            /// The text contains a forbidden character. The value is the first one.
            case forbidden(Unicode.Scalar)
            /// The text is longer than the limit.
            case tooLong(limit: Int)
        }

        /// The maximum length in Unicode scalars.
        public static let longest = 50

        /// The name, without surrounding white space.
        public let text: String

        /// The id of the user with this name.
        public let id: User.ID

        /// Creates a name from text.
        public init(_ text: String) throws(Flaw) {
            // Trimmed before the check, so that a trailing line feed from a script is accepted but one inside the name
            // is not.
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
            if let scalar = text.unicodeScalars.first(where: \.isForbiddenInNames) { throw .forbidden(scalar) }
            guard text.unicodeScalars.contains(where: \.isReadable) else { throw .blank }
            let id = text.lowercased().precomposedStringWithCanonicalMapping
            // The id is checked as well, because a few letters are longer in lower case.
            guard max(text.unicodeScalars.count, id.unicodeScalars.count) <= Self.longest else {
                throw .tooLong(limit: Self.longest)
            }
            self.text = text
            self.id = id
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is visible.
    fileprivate var isReadable: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }

    /// Slashes and dots have a meaning in paths. The others control a terminal, end a line, or change the text
    /// direction.
    fileprivate var isForbiddenInNames: Bool {
        switch value {
        case 0x2E, 0x2F, 0x5C, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}

extension User.Name.Flaw: CustomStringConvertible {
    /// What is wrong with the name, in one sentence.
    public var explanation: String {
        switch self {
        case .blank: "The name is empty."
        case .forbidden(let scalar) where scalar.properties.generalCategory.isVisible:
            "The name has a “\(scalar)” in it."
        case .forbidden(let scalar): "The name has the control character \(scalar.codePoint) in it."
        case .tooLong(let limit): "The name is too long: \(limit) characters are the most."
        }
    }

    /// What the user can do about it, in one sentence.
    public var advice: String {
        switch self {
        case .blank: "Write at least one letter."
        case .forbidden: "Leave out slashes, dots and control characters."
        case .tooLong: "Take a shorter one; some emoji count as several."
        }
    }

    /// The explanation and the advice in one line.
    public var description: String { "\(explanation) \(advice)" }
}

extension Unicode.Scalar {
    /// The code point in the form `U+001B`.
    fileprivate var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isVisible: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

import Foundation

extension User {
    /// A name that somebody may come and go by: one line that can be read, and can be a part of a file's name.
    ///
    /// White space around it doesn't count. Two names that differ only in upper and lower case, or in how their accents
    /// are put together, are those of one user.
    public struct Name: Sendable, Hashable {
        /// What is wrong with a text that is no name.
        public enum Flaw: Error, Hashable {
            /// There is nothing in it that could be read.
            case blank

            /// It has a character that names can't have: the first of them.
            case forbidden(Unicode.Scalar)

            /// It is longer than names may be.
            case tooLong(limit: Int)
        }

        /// How many Unicode scalars a name may have.
        public static let longest = 50

        /// The name, without white space around it.
        public let text: String

        /// The id of the user of this name.
        public let id: User.ID

        /// Makes a name of a text.
        ///
        /// - Parameter text: What somebody has written.
        /// - Throws: What is wrong with it.
        public init(_ text: String) throws(Flaw) {
            // First, so that a line feed at the end, as a script may have it, is white space, and one within is not.
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
            if let scalar = text.unicodeScalars.first(where: \.isForbiddenInNames) { throw .forbidden(scalar) }
            guard text.unicodeScalars.contains(where: \.isReadable) else { throw .blank }
            let id = text.lowercased().precomposedStringWithCanonicalMapping
            // The id as well, because a few letters take more room in lower case.
            guard max(text.unicodeScalars.count, id.unicodeScalars.count) <= Self.longest else {
                throw .tooLong(limit: Self.longest)
            }
            self.text = text
            self.id = id
        }
    }
}

extension Unicode.Scalar {
    /// Whether there is something to see.
    fileprivate var isReadable: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }

    /// Slashes and dots have a meaning in paths; the others command a terminal, end a line or turn it round.
    fileprivate var isForbiddenInNames: Bool {
        switch value {
        case 0x2E, 0x2F, 0x5C, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}

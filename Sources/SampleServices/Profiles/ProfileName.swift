import Foundation

/// The name of a profile, which is also the name of its folder.
///
/// Surrounding white space is ignored, and names are normalized, so that different encodings of the same characters are
/// one name. If the file system is case-insensitive, names that differ only in case share a folder.
public struct ProfileName: Sendable, Hashable {
    /// The maximum length in characters.
    public static let longest = 64

    /// The maximum length in UTF-8 bytes, given by the length limit of folder names.
    static let mostBytes = 240

    /// The normalized text of the name.
    public let text: String

    /// Creates a name from text.
    ///
    /// - Parameter text: Text that was typed by a user or read from a file.
    /// - Throws: The reason why the text isn't a valid name.
    public init(_ text: String) throws(ProfileNameError) {
        if let scalar = text.unicodeScalars.first(where: \.isCommand) { throw .invisible(scalar.value) }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        if name.unicodeScalars.allSatisfy(\.isBlank) { throw .blank }
        if name.contains("/") { throw .slash(name) }
        if name.allSatisfy({ $0 == "." }) { throw .dotsOnly(name) }
        if name.count > Self.longest || name.utf8.count > Self.mostBytes { throw .tooLong(limit: Self.longest) }
        self.text = name
    }
}

extension ProfileName: CustomStringConvertible {
    /// The text of the name.
    public var description: String { text }
}

extension Unicode.Scalar {
    /// Whether the scalar could control a terminal or break a line instead of being displayed.
    fileprivate var isCommand: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: !isJoiner
        default: false
        }
    }

    /// Whether the scalar is invisible.
    fileprivate var isBlank: Bool { properties.isWhitespace || isJoiner }

    /// Whether it is a joiner or non-joiner, which some scripts require.
    private var isJoiner: Bool { value == 0x200C || value == 0x200D }
}

import Foundation

/// The name of a profile, which is the name of its folder too.
///
/// White space around it doesn't count, and two spellings of the same characters are one name. Where the file system
/// doesn't tell small letters from capitals, two names that differ only in these share a folder.
public struct ProfileName: Sendable, Hashable {
    /// How many characters a name has at most.
    public static let longest = 64

    /// How many bytes a name has at most: a folder's name has to have room for it.
    static let mostBytes = 240

    /// The name.
    public let text: String

    /// Takes a text for a name, if it is one.
    ///
    /// - Parameter text: What somebody has typed, or what stands in a file.
    /// - Throws: Why it is no name.
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
    /// The name.
    public var description: String { text }
}

extension Unicode.Scalar {
    /// Whether it would do something to a terminal or a line instead of being seen in it.
    fileprivate var isCommand: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: !isJoiner
        default: false
        }
    }

    /// Whether nothing of it is seen.
    fileprivate var isBlank: Bool { properties.isWhitespace || isJoiner }

    /// Whether it joins or parts its neighbours, as some scripts need it.
    private var isJoiner: Bool { value == 0x200C || value == 0x200D }
}

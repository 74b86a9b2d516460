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

extension ProfileName: Codable {
    /// Decodes a name. Invalid names are rejected even in a file, because such a name could lead out of the data
    /// folder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(ProfileNameError) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a profile can't be called that. \(error.explanation.dropLast())")
        }
    }

    /// Encodes the text of the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
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

/// Why a text isn't a valid profile name.
public enum ProfileNameError: Error, Hashable {
    /// The text has no visible characters.
    case blank
    /// The name contains a slash and would lead to another folder.
    case slash(String)
    /// The name consists only of dots, which refer to other folders.
    case dotsOnly(String)
    /// The text contains a control character or another invisible character. The value is its Unicode code point.
    case invisible(UInt32)
    /// The name has more characters than the limit, or too many bytes for the name of a folder.
    case tooLong(limit: Int)
}

extension ProfileNameError: CustomStringConvertible {
    /// What is wrong with the name, in one sentence.
    public var explanation: String {
        switch self {
        case .blank: "The name is empty."
        case .slash(let name): "The name “\(name)” has a slash."
        case .dotsOnly(let name): "The name “\(name)” has nothing but dots."
        case .invisible(let scalar):
            "The name has a character that can't be seen: U+\(String(format: "%04X", scalar))."
        case .tooLong(let limit): "The name is too long: it can have \(limit.formatted()) characters at most."
        }
    }

    /// What the user can do about it, in one sentence.
    public var advice: String { "Choose a short name without slashes, such as “Ada”." }

    /// The explanation and the advice in one line.
    public var description: String { "\(explanation) \(advice)" }
}

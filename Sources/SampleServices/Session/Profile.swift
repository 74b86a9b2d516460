import Foundation

/// Whose list and settings are in use: those of somebody who is signed in, or those of a guest.
public enum Profile: Sendable, Hashable, Codable {
    /// Nobody is signed in.
    case guest
    /// Somebody is signed in.
    case named(String)

    /// The maximum length of a name in characters.
    public static let longestName = 64

    /// The profile with a name, without the white space around it.
    public init(name: String) throws(ProfileNameError) {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        if name.isEmpty { throw .blank }
        if name.count > Self.longestName { throw .tooLong }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { throw .invisible }
        self = .named(name)
    }

    /// The name, or nil for a guest.
    public var name: String? { if case .named(let name) = self { name } else { nil } }
}

extension Profile: CustomStringConvertible {
    /// The name, or “guest”.
    public var description: String { name ?? "guest" }
}

/// Why a text isn't the name of a profile.
public enum ProfileNameError: Error, Hashable, CustomStringConvertible {
    /// There is no visible character.
    case blank
    /// The name has more than ``Profile/longestName`` characters.
    case tooLong
    /// The name has a control character.
    case invisible

    /// A message that says what is wrong with the name, and what to do.
    public var description: String {
        switch self {
        case .blank: "The name is empty. Choose a short one, such as “Ada”."
        case .tooLong: "The name is too long. It can have \(Profile.longestName.formatted()) characters at most."
        case .invisible: "The name has a control character. Choose a short one, such as “Ada”."
        }
    }
}

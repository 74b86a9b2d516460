import Foundation

/// Why a text is no name of a profile.
public enum ProfileNameError: Error, Hashable {
    /// Nothing of it is seen.
    case blank

    /// It has a slash, which would lead to another folder.
    case slash(String)

    /// It consists of dots, which mean other folders.
    case dotsOnly(String)

    /// It has a control character, or another one that isn't seen; this is its number in Unicode.
    case invisible(UInt32)

    /// It has more characters than this, or too many for the name of a folder.
    case tooLong(limit: Int)
}

extension ProfileNameError: CustomStringConvertible {
    /// What is wrong with it, in one sentence.
    public var explanation: String {
        switch self {
        case .blank: "The name is empty."
        case .slash(let name): "The name “\(name)” has a slash."
        case .dotsOnly(let name): "The name “\(name)” has nothing but dots."
        case .invisible(let scalar):
            "The name has a character that can't be seen: U+\(String(scalar, radix: 16, uppercase: true).padded)."
        case .tooLong(let limit): "The name is too long: it can have \(limit.formatted()) characters at most."
        }
    }

    /// What a person can do about it, in one sentence.
    public var advice: String { "Choose a short name without slashes, such as “Ada”." }

    /// Explanation and advice in one line.
    public var description: String { "\(explanation) \(advice)" }
}

extension String {
    /// At least four digits, as is the custom for the numbers of characters.
    fileprivate var padded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}

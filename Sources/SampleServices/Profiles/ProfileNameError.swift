import Foundation

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
            "The name has a character that can't be seen: U+\(String(scalar, radix: 16, uppercase: true).padded)."
        case .tooLong(let limit): "The name is too long: it can have \(limit.formatted()) characters at most."
        }
    }

    /// What the user can do about it, in one sentence.
    public var advice: String { "Choose a short name without slashes, such as “Ada”." }

    /// The explanation and the advice in one line.
    public var description: String { "\(explanation) \(advice)" }
}

extension String {
    /// The text padded to at least four digits, as is customary for code points.
    fileprivate var padded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}

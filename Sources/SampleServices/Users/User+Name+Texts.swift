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

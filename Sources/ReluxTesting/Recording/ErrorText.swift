/// The text of an error.
enum ErrorText {
    /// Returns the error's own description if it has one, otherwise its type and value on one line.
    static func line(_ error: any Error) -> String {
        if let described = error as? any CustomStringConvertible { return StableText.of(described) }
        let text = ValueText.line(error)
        return text.hasPrefix(".") ? TypeName.short(type(of: error)) + text : text
    }
}

/// How an error is shown.
enum ErrorText {
    /// Its own description if it has one, else its value with its type, on one line.
    static func line(_ error: any Error) -> String {
        if let described = error as? any CustomStringConvertible { return StableText.of(described) }
        let text = ValueText.line(error)
        return text.hasPrefix(".") ? TypeName.short(type(of: error)) + text : text
    }
}

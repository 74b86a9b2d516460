/// The text of an error.
enum ErrorText {
    /// Returns the error's own description if it has one, otherwise its type and value on one line.
    static func line(_ error: any Error) -> String {
        // By way of `Any`: with Foundation, the compiler believes that every error has a description of its own.
        if let described = (error as Any) as? any CustomStringConvertible { return StableText.of(described) }
        let text = ValueText.line(error)
        return text.hasPrefix(".") ? TypeName.short(type(of: error)) + text : text
    }
}

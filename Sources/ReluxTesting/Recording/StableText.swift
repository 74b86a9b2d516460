/// Descriptions that are the same in every process.
enum StableText {
    /// Returns a description without the `(unknown context at $…)` that it contains for private and local types.
    static func of(_ value: some CustomStringConvertible) -> String {
        var rest = Substring(value.description)
        var text = ""
        while let context = rest.firstRange(of: "(unknown context at $"),
            let end = rest[context.upperBound...].firstRange(of: ").")
        {
            text += rest[..<context.lowerBound]
            rest = rest[end.upperBound...]
        }
        return text + rest
    }
}

/// Texts that are the same in every process: without addresses, and with hash tables in the order of their texts.
enum StableText {
    /// A description without the `(unknown context at $…)` that stands in the names of private and local types.
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

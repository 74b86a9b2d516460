/// Texts that are shortened for a line.
enum ShortText {
    private static let limit = 160
    /// The number of characters shown around a difference.
    private static let margin = 30

    /// A text with its middle replaced by an ellipsis, if it is long.
    static func cut(_ text: String) -> String {
        guard text.count > limit else { return text }
        return "\(text.prefix(limit * 2 / 3))…\(text.suffix(limit / 3))"
    }

    /// Two texts or, if one of them is long, the parts in which they differ with a little context.
    static func differing(_ old: String, _ new: String) -> (old: String, new: String) {
        guard max(old.count, new.count) > limit else { return (old, new) }
        let (first, second) = (Array(old), Array(new))
        let start = zip(first, second).prefix { $0 == $1 }.count
        let rest = min(first.count, second.count) - start
        let end = zip(first.reversed(), second.reversed()).prefix(rest).prefix { $0 == $1 }.count
        func part(of text: [Character]) -> String {
            let range = max(0, start - margin)..<min(text.count, text.count - end + margin)
            let isCut = (before: range.lowerBound > 0, after: range.upperBound < text.count)
            return (isCut.before ? "…" : "") + cut(String(text[range])) + (isCut.after ? "…" : "")
        }
        return (part(of: first), part(of: second))
    }
}

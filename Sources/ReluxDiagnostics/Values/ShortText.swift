/// Texts that are shortened for a line.
enum ShortText {
    private static let limit = 160
    /// The number of characters shown around a difference.
    private static let margin = 30
    /// The number of differing parts that are shown.
    private static let partLimit = 10

    /// A text with its middle replaced by an ellipsis, if it is long.
    static func cut(_ text: String) -> String {
        guard text.count > limit else { return text }
        return "\(text.prefix(limit * 2 / 3))…\(text.suffix(limit / 3))"
    }

    /// The changed parts of a value, one line each; none if the value is short, or has changed as a whole.
    static func parts(of old: ValueTree?, _ new: ValueTree?, changedBy changes: [ValueChange]) -> [String] {
        guard let old, let new, max(old.text.count, new.text.count) > limit, changes.allSatisfy({ !$0.path.isEmpty })
        else { return [] }
        let lines = changes.prefix(partLimit).map { change in
            let path = pathText(change.path)
            guard let part = change.new?.text else { return "\(path) is gone: \(cut(old[change.path]?.text ?? ""))" }
            guard let before = old[change.path]?.text else { return "\(path) is new: \(cut(part))" }
            let (shortened, after) = differing(before, part)
            return "\(path) from \(shortened) to \(after)"
        }
        return lines + (changes.count > partLimit ? ["and \(changes.count - partLimit) more"] : [])
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

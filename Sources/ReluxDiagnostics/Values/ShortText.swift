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

    /// The parts in which two values differ, one line each; none if both values are short, or differ as a whole.
    static func differingParts(_ old: ValueTree?, _ new: ValueTree?) -> [String] {
        guard let old, let new, max(old.text.count, new.text.count) > limit else { return [] }
        let parts = old.differences(to: new)
        guard parts.first?.path.isEmpty == false else { return [] }
        let lines = parts.prefix(partLimit).map { path, old, new in
            switch (old, new) {
            case (let old?, nil): return "\(pathText(path)) is gone: \(cut(old.text))"
            case (nil, let new?): return "\(pathText(path)) is new: \(cut(new.text))"
            default:
                let (before, after) = differing(old?.text ?? "", new?.text ?? "")
                return "\(pathText(path)) from \(before) to \(after)"
            }
        }
        return lines + (parts.count > partLimit ? ["and \(parts.count - partLimit) more"] : [])
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

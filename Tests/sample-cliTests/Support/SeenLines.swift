@testable import sample_cli

extension Line {
    /// What a user sees of the line, without trailing spaces.
    func seen(width: Int) -> String {
        let text = spans(fitting: width).map(\.text).joined()
        return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }
}

extension [Line] {
    /// What a user sees on a screen with these lines at its top.
    func seen(on size: TerminalSize) -> [String] {
        map { $0.seen(width: size.columns) } + Array<String>(repeating: "", count: Swift.max(0, size.rows - count))
    }
}

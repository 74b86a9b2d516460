import Relux

extension Relux.ScopedState {
    /// The state, with the instance that it belongs to.
    private var lines: [String] {
        let lines = ValueText.lines(state)
        guard let scope, let first = lines.first else { return lines }
        return ["\(scope): \(first)"] + lines.dropFirst()
    }

    /// States for the end of a failure, indented; the first 60 lines.
    static func text(of states: [Relux.ScopedState]) -> String {
        let lines = states.flatMap(\.lines)
        guard !lines.isEmpty else { return "" }
        let cut = lines.count > 60 ? ["… (\((lines.count - 60).counting("line")) more)"] : []
        return "\n\n" + (lines.prefix(60) + cut).map { "    \($0)" }.joined(separator: "\n")
    }
}

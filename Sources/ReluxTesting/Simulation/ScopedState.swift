import Relux

/// A state, and the scope that owns it.
struct ScopedState: Sendable {
    let path: InstancePath
    let state: any Relux.State

    /// The state, with the instance that it belongs to.
    private var lines: [String] {
        let lines = ValueText.lines(state)
        guard path != .root, let first = lines.first else { return lines }
        return ["\(path): \(first)"] + lines.dropFirst()
    }

    /// States for the end of a failure, indented; the first 60 lines.
    static func text(of states: [ScopedState]) -> String {
        let lines = states.flatMap(\.lines)
        guard !lines.isEmpty else { return "" }
        let cut = lines.count > 60 ? ["… (\((lines.count - 60).counting("line")) more)"] : []
        return "\n\n" + (lines.prefix(60) + cut).map { "    \($0)" }.joined(separator: "\n")
    }
}

extension Relux.StateReader {
    /// Every state of every scope: the root's first.
    var scopedStates: [ScopedState] {
        allScopedStates.map { ScopedState(path: $0.path, state: $0.state) }
    }
}

import Relux

/// The differences between the actual states and those that a test stated.
struct StateComparison {
    /// One paragraph for each state that differs or doesn't exist.
    private(set) var paragraphs: [String] = []

    /// Compares everything: the states before, with the stated changes applied, must equal the states after.
    init(before: StateSnapshot, changes: [any AnyStateChange], after: StateSnapshot) {
        var expected = before.adopting(newOf: after)
        let (stated, idle) = apply(changes, to: &expected)
        for entry in after.entries { compare(expected, entry.state, entry.path, stated) }
        for (state, path) in stated where after[state, in: path] == nil {
            paragraphs.append(
                """
                A change of \(name(of: state, in: path)) was stated, but the state is gone after the step. Leave it out.
                """
            )
        }
        // If the action has changed the state, the difference says more.
        guard paragraphs.isEmpty else { return }
        // A state that was added since the last step is known only as this step left it.
        for (state, path) in idle where before[state, in: path] != nil {
            paragraphs.append("The stated change of \(name(of: state, in: path)) changes nothing. Leave it out.")
        }
    }

    /// Compares only what is stated: the stated changes, applied to the states after, must change nothing.
    init(changes: [any AnyStateChange], after: StateSnapshot) {
        var expected = after
        let (stated, _) = apply(changes, to: &expected)
        for entry in after.entries { compare(expected, entry.state, entry.path, stated) }
    }

    private typealias Place = (state: any Relux.State.Type, path: InstancePath)

    /// Applies the stated changes, and returns the states that they are about, and those of them that stay the same.
    private mutating func apply(
        _ changes: [any AnyStateChange], to snapshot: inout StateSnapshot
    ) -> (stated: [Place], idle: [Place]) {
        var stated: [Place] = []
        var idle: [Place] = []
        for change in changes {
            switch change.apply(to: &snapshot) {
            case .changes(let path):
                stated.append((change.state, path))
            case .changesNothing(let path):
                stated.append((change.state, path))
                idle.append((change.state, path))
            case .missesState:
                paragraphs.append(
                    """
                    A change of \(TypeName.short(change.state)) was stated, but no registered module owns that state.
                    """
                )
            }
        }
        return (stated, idle)
    }

    private mutating func compare<S: Relux.State>(
        _ snapshot: StateSnapshot, _ actual: S, _ path: InstancePath, _ stated: [Place]
    ) {
        guard let expected = snapshot[S.self, in: path] as? S, expected != actual else { return }
        let difference = Difference(expected: expected, actual: actual)?.description
        let isStated = stated.contains { $0.state == S.self && $0.path == path }
        let name = name(of: S.self, in: path)
        let head =
            isStated
            ? "\(name) isn't what was stated (- expected, + actual):"
            : "\(name) changed, and no change of it was stated (- expected, + actual):"
        paragraphs.append("\(head)\n\n\(difference ?? "(not equal, though they look the same)")")
    }

    private func name(of state: any Relux.State.Type, in path: InstancePath) -> String {
        path == .root ? TypeName.short(state) : "\(TypeName.short(state)) in \(path)"
    }
}

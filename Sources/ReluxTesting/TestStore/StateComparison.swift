import Relux

/// The differences between the actual states and those that a test stated.
struct StateComparison {
    /// One paragraph for each state that differs or doesn't exist.
    private(set) var paragraphs: [String] = []

    /// Compares everything: the states before, with the stated changes applied, must equal the states after.
    init(before: StateSnapshot, changes: [StateChange], after: StateSnapshot) {
        var expected = before.adopting(newOf: after)
        let idle = apply(changes, to: &expected)
        for state in after.states { compare(expected[type(of: state)], state, changes) }
        // If the action has changed the state, the difference says more.
        guard paragraphs.isEmpty else { return }
        // A state that was added since the last step is known only as this step left it.
        for state in idle where before[state] != nil {
            paragraphs.append("The stated change of \(TypeName.short(state)) changes nothing. Leave it out.")
        }
    }

    /// Compares only what is stated: the stated changes, applied to the states after, must change nothing.
    init(changes: [StateChange], after: StateSnapshot) {
        var expected = after
        apply(changes, to: &expected)
        for state in after.states { compare(expected[type(of: state)], state, changes) }
    }

    /// Applies the stated changes, and returns the states of those that change nothing.
    @discardableResult
    private mutating func apply(
        _ changes: [StateChange], to snapshot: inout StateSnapshot
    ) -> [any Relux.State.Type] {
        var idle: [any Relux.State.Type] = []
        for change in changes {
            switch change.apply(to: &snapshot) {
            case .changes: break
            case .changesNothing: idle.append(change.state)
            case .missesState:
                paragraphs.append(
                    """
                    A change of \(TypeName.short(change.state)) was stated, but no registered module owns that state.
                    """
                )
            }
        }
        return idle
    }

    private mutating func compare<S: Relux.State>(
        _ expected: (any Relux.State)?, _ actual: S, _ changes: [StateChange]
    ) {
        guard let expected = expected as? S, expected != actual else { return }
        let difference = Difference(expected: expected, actual: actual)?.description
        let isStated = changes.contains { $0.state == S.self }
        let head =
            isStated
            ? "\(TypeName.short(S.self)) isn't what was stated (- expected, + actual):"
            : "\(TypeName.short(S.self)) changed, and no change of it was stated (- expected, + actual):"
        paragraphs.append("\(head)\n\n\(difference ?? "(not equal, though they look the same)")")
    }
}

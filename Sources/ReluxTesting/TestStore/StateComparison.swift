import Relux

/// The differences between the actual states and those that a test stated.
struct StateComparison {
    /// One paragraph for each state that differs or doesn't exist.
    private(set) var paragraphs: [String] = []

    /// Compares everything: the states before, with the stated changes applied, must equal the states after.
    init(before: StateSnapshot, changes: [StateChange], after: StateSnapshot) {
        var expected = before.adopting(newOf: after)
        apply(changes, to: &expected)
        for state in after.states { compare(expected[type(of: state)], state, changes) }
    }

    /// Compares only what is stated: the stated changes, applied to the states after, must change nothing.
    init(changes: [StateChange], after: StateSnapshot) {
        var expected = after
        apply(changes, to: &expected)
        for state in after.states { compare(expected[type(of: state)], state, changes) }
    }

    private mutating func apply(_ changes: [StateChange], to snapshot: inout StateSnapshot) {
        for change in changes where !change.apply(to: &snapshot) {
            paragraphs.append(
                """
                A change of \(TypeName.short(change.state)) was stated, but no registered module owns that state.
                """
            )
        }
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

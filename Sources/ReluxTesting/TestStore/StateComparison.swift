import Relux

/// How states differ from what was said of them.
struct StateComparison {
    /// A paragraph for each state that differs, or isn't there.
    private(set) var paragraphs: [String] = []

    /// Everything that differs counts: what was before, with the changes, has to be what is now.
    init(before: StateSnapshot, changes: [StateChange], after: StateSnapshot) {
        var expected = before.adopting(newOf: after)
        apply(changes, to: &expected)
        for state in after.states { compare(expected[type(of: state)], state, changes) }
    }

    /// Only what is stated counts: the changes, made to what is now, have to change nothing.
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

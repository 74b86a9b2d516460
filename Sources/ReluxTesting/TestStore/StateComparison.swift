import Relux
import ReluxQueries

/// The differences between the actual states and those that a test stated.
struct StateComparison {
    /// One paragraph for each state that differs or doesn't exist.
    private(set) var paragraphs: [String] = []

    /// Compares everything: the states before, with the stated changes applied, must equal the states after.
    ///
    /// - Parameter added: The first values of states that may have been added since.
    init(before: StateSnapshot, adding added: StateSnapshot, changes: [any AnyStateChange], after: StateSnapshot) {
        var expected = before
        expected.adopt(added.states)
        expected.adopt(after.states)
        let (stated, idle) = apply(changes, to: &expected)
        for scoped in after.states { compare(expected, scoped.state, scoped.scope, stated) }
        for (state, scope) in stated where after[state, in: scope] == nil {
            paragraphs.append(
                """
                A change of \(name(of: state, in: scope)) was stated, but the state is gone after the step. Leave it out.
                """
            )
        }
        // If the action has changed the state, the difference says more.
        guard paragraphs.isEmpty else { return }
        // The value of a state that was added since the last step may be stated, even if it is the first one.
        for (state, scope) in idle where before[state, in: scope] != nil {
            paragraphs.append("The stated change of \(name(of: state, in: scope)) changes nothing. Leave it out.")
        }
    }

    /// Compares only what is stated: the stated changes, applied to the states after, must change nothing.
    init(changes: [any AnyStateChange], after: StateSnapshot) {
        var expected = after
        let (stated, _) = apply(changes, to: &expected)
        for scoped in after.states { compare(expected, scoped.state, scoped.scope, stated) }
    }

    private typealias Place = (state: any Relux.State.Type, scope: Relux.Scope?)

    /// Applies the stated changes. Returns the states that they concern, and those of them that stay the same.
    private mutating func apply(
        _ changes: [any AnyStateChange], to snapshot: inout StateSnapshot
    ) -> (stated: [Place], idle: [Place]) {
        var stated: [Place] = []
        var idle: [Place] = []
        for change in changes {
            switch change.apply(to: &snapshot) {
            case .changes(let scope):
                stated.append((change.state, scope))
            case .changesNothing(let scope):
                stated.append((change.state, scope))
                idle.append((change.state, scope))
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
        _ snapshot: StateSnapshot, _ actual: S, _ scope: Relux.Scope?, _ stated: [Place]
    ) {
        guard let expected = snapshot[S.self, in: scope] as? S, expected != actual else { return }
        let isStated = stated.contains { $0.state == S.self && $0.scope == scope }
        if !isStated, S.self is any QueryOwned.Type { return }
        let difference = Difference(expected: expected, actual: actual)?.description
        let name = name(of: S.self, in: scope)
        let head =
            isStated
            ? "\(name) isn't what was stated (- expected, + actual):"
            : "\(name) changed, and no change of it was stated (- expected, + actual):"
        paragraphs.append("\(head)\n\n\(difference ?? "(not equal, though they look the same)")")
    }

    private func name(of state: any Relux.State.Type, in scope: Relux.Scope?) -> String {
        TypeName.short(state) + (scope.map { " in \($0)" } ?? "")
    }
}

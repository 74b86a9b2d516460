import Relux

/// A change of one state, as stated by a test.
struct StateChange {
    let state: any Relux.State.Type
    private let change: (inout StateSnapshot) -> Bool

    init<S: Relux.State>(_ change: @escaping (inout S) -> Void) {
        state = S.self
        self.change = { snapshot in
            guard var state = snapshot[S.self] as? S else { return false }
            change(&state)
            snapshot.replace(state)
            return true
        }
    }

    /// Applies the change, and returns whether the state exists.
    func apply(to snapshot: inout StateSnapshot) -> Bool { change(&snapshot) }
}

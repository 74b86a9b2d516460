import Relux

/// A change of one state, as stated by a test.
struct StateChange {
    /// What a stated change does to a snapshot.
    enum Effect {
        case changes
        case changesNothing
        case missesState
    }

    let state: any Relux.State.Type
    private let change: (inout StateSnapshot) -> Effect

    init<S: Relux.State>(_ change: @escaping (inout S) -> Void) {
        state = S.self
        self.change = { snapshot in
            guard let before = snapshot[S.self] as? S else { return .missesState }
            var state = before
            change(&state)
            snapshot.replace(state)
            return state == before ? .changesNothing : .changes
        }
    }

    /// Applies the change, and returns what it does.
    func apply(to snapshot: inout StateSnapshot) -> Effect { change(&snapshot) }
}

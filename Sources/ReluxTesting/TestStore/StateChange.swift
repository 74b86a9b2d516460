import Relux

/// A change of one state, as stated by a test.
struct StateChange {
    /// What a stated change does to a snapshot.
    enum Effect {
        case changes(InstancePath)
        case changesNothing(InstancePath)
        case missesState
    }

    let state: any Relux.State.Type
    private let change: (inout StateSnapshot) -> Effect

    /// - Parameter path: Where the state is looked up, from there outward.
    init<S: Relux.State>(in path: InstancePath = .root, _ change: @escaping (inout S) -> Void) {
        state = S.self
        self.change = { snapshot in
            guard let entry = snapshot.find(S.self, from: path), let before = entry.state as? S else {
                return .missesState
            }
            var state = before
            change(&state)
            snapshot.replace(state, in: entry.path)
            return state == before ? .changesNothing(entry.path) : .changes(entry.path)
        }
    }

    /// Applies the change, and returns what it does.
    func apply(to snapshot: inout StateSnapshot) -> Effect { change(&snapshot) }
}

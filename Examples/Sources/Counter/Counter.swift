import Relux

/// The smallest feature: a state, the actions that change it, and the module that owns it.
enum Counter {
    struct State: Relux.State, Hashable {
        var count = 0

        enum Action: Relux.Action, Hashable { case incremented, decremented, cleared }

        mutating func reduce(_ action: Action) {
            switch action {
            case .incremented: count += 1
            case .decremented: count = max(count - 1, 0)
            case .cleared: count = 0
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
    }
}

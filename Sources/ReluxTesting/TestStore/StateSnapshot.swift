import Relux

/// The states of a store at one point in its order.
struct StateSnapshot: Sendable {
    private(set) var states: [Relux.ScopedState] = []

    init() {}

    init(_ reader: borrowing Relux.StateReader) {
        states = reader.allStates
    }

    /// The state of a type that a scope itself owns.
    ///
    /// - Parameter scope: The instance; nil for the root.
    subscript(_ type: any Relux.State.Type, in scope: Relux.Scope?) -> (any Relux.State)? {
        states.first { $0.isState(type, in: scope) }?.state
    }

    /// The state of a type in the innermost scope, from the given one outward, that owns it.
    func find(_ type: any Relux.State.Type, from scope: Relux.Scope?) -> Relux.ScopedState? {
        var next = scope
        while let scope = next {
            if let found = states.first(where: { $0.isState(type, in: scope) }) { return found }
            next = scope.enclosing
        }
        return states.first { $0.isState(type, in: nil) }
    }

    mutating func replace(_ state: any Relux.State, in scope: Relux.Scope?) {
        guard let index = states.firstIndex(where: { $0.isState(type(of: state), in: scope) }) else { return }
        states[index] = Relux.ScopedState(scope: scope, state: state)
    }

    /// Returns this snapshot extended by the states that only a later one has, from modules registered since.
    func adopting(newOf later: StateSnapshot) -> StateSnapshot {
        var all = self
        all.states += later.states.filter { self[type(of: $0.state), in: $0.scope] == nil }
        return all
    }
}

extension Relux.ScopedState {
    fileprivate func isState(_ type: any Relux.State.Type, in scope: Relux.Scope?) -> Bool {
        Swift.type(of: state) == type && self.scope == scope
    }
}

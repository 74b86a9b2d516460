import Relux

/// The states of a store at one point of its order.
struct StateSnapshot: Sendable {
    private(set) var states: [any Relux.State] = []

    init() {}

    init(_ reader: borrowing Relux.StateReader) {
        states = reader.allStates
    }

    subscript(_ type: any Relux.State.Type) -> (any Relux.State)? {
        states.first { Swift.type(of: $0) == type }
    }

    mutating func replace(_ state: any Relux.State) {
        guard let index = states.firstIndex(where: { type(of: $0) == type(of: state) }) else { return }
        states[index] = state
    }

    /// The same, with the states of another one that have no counterpart here: of modules that came later.
    func adopting(newOf later: StateSnapshot) -> StateSnapshot {
        var all = self
        all.states += later.states.filter { self[type(of: $0)] == nil }
        return all
    }
}

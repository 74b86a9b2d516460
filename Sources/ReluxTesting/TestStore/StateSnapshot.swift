import Relux

/// The states of a store at one point in its order.
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

    /// Returns this snapshot extended by the states that only a later one has, from modules registered since.
    func adopting(newOf later: StateSnapshot) -> StateSnapshot {
        var all = self
        all.states += later.states.filter { self[type(of: $0)] == nil }
        return all
    }
}

/// The states that a search has visited.
class SeenStates<State> {
    /// Adds a state and returns whether it is new.
    func insert(_ state: State) -> Bool { true }
}

extension SeenStates where State: Equatable {
    /// Creates a hashed set if the states are hashable, otherwise a list.
    static func fitting(_ state: State) -> SeenStates {
        guard let hashable = state as? any Hashable else { return ListedStates() }
        return hashed(hashable) as? SeenStates ?? ListedStates()
    }

    private static func hashed<Value: Hashable>(_ value: Value) -> AnyObject {
        HashedStates<Value>()
    }
}

private final class HashedStates<State: Hashable>: SeenStates<State> {
    private var states: Set<State> = []

    override func insert(_ state: State) -> Bool {
        states.insert(state).inserted
    }
}

private final class ListedStates<State: Equatable>: SeenStates<State> {
    private var states: [State] = []

    override func insert(_ state: State) -> Bool {
        if states.contains(state) { return false }
        states.append(state)
        return true
    }
}

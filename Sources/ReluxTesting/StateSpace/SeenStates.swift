/// The states that a search has met.
class SeenStates<State> {
    /// Remembers a state.
    ///
    /// - Returns: Whether it is a new one.
    func insert(_ state: State) -> Bool { true }
}

extension SeenStates where State: Equatable {
    /// A set where the states can be hashed, else a list.
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

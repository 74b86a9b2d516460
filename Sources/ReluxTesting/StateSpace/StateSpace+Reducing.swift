import Testing

// MARK: - Any reducer

extension StateSpace {
    /// Tries every state that given actions lead to by a reducer of the test's own, and expects invariants to hold in
    /// each.
    ///
    /// - Parameters:
    ///   - start: Where the search begins. Any value will do: several states in one struct, for example.
    ///   - actions: What can happen, in every state.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - invariants: What has to hold. In one state, the first that is broken is recorded.
    ///   - sourceLocation: Where a broken invariant is recorded.
    ///   - reduce: Changes a state as an action demands.
    /// - Returns: What was seen.
    @discardableResult
    public static func explore<State: Equatable, Action>(
        from start: State,
        actions: [Action],
        depth: Int = .max,
        limit: Int = 1_000_000,
        invariants: [Invariant<State>],
        sourceLocation: SourceLocation = #_sourceLocation,
        reduce: (inout State, Action) -> Void
    ) -> Report<State, Action> {
        explore(
            from: start,
            actions: { _ in actions },
            depth: depth,
            limit: limit,
            invariants: invariants,
            sourceLocation: sourceLocation,
            reduce: reduce
        )
    }

    /// Tries every state that the actions possible in each lead to by a reducer of the test's own, and expects
    /// invariants to hold in each.
    ///
    /// - Parameters:
    ///   - start: Where the search begins. Any value will do: several states in one struct, for example.
    ///   - actions: What can happen in a state.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - invariants: What has to hold. In one state, the first that is broken is recorded.
    ///   - sourceLocation: Where a broken invariant is recorded.
    ///   - reduce: Changes a state as an action demands.
    /// - Returns: What was seen.
    @discardableResult
    public static func explore<State: Equatable, Action>(
        from start: State,
        actions: (State) -> [Action],
        depth: Int = .max,
        limit: Int = 1_000_000,
        invariants: [Invariant<State>],
        sourceLocation: SourceLocation = #_sourceLocation,
        reduce: (inout State, Action) -> Void
    ) -> Report<State, Action> {
        search(
            StateSearch(start: start, depth: depth, limit: limit),
            sourceLocation,
            actions: actions,
            reduce: reduce,
            check: { state in invariants.first { !$0.holds(state) }.map { Broken(name: $0.name) } }
        )
    }
}

// MARK: - Searching

extension StateSpace {
    /// An invariant that doesn't hold.
    struct Broken {
        let name: String?
    }

    static func search<State, Action>(
        _ search: StateSearch<State, Action>,
        _ sourceLocation: SourceLocation,
        actions: (State) -> [Action],
        reduce: (inout State, Action) -> Void,
        check: (State) -> Broken?
    ) -> Report<State, Action> {
        var search = search
        let report = search.run(actions: actions, reduce: reduce, check: check)
        if let violation = report.violation {
            Issue.record("\(violation)\n\n\(report)", sourceLocation: sourceLocation)
        }
        return report
    }
}

import Testing

// MARK: - Any reducer

extension StateSpace {
    /// Visits every state that the given actions can reach with a custom reducer, and checks invariants in each.
    ///
    /// - Parameters:
    ///   - start: The state to start from. It can be any value, such as a struct of several states.
    ///   - actions: The actions to try in every state.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariants: The invariants. If a state breaks several, the first one is reported.
    ///   - reduce: The reducer, which applies an action to a state.
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

    /// Visits every state that a custom reducer can reach, with the actions that are possible in each state, and checks
    /// invariants.
    ///
    /// - Parameters:
    ///   - start: The state to start from. It can be any value, such as a struct of several states.
    ///   - actions: Returns the actions to try in a state.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariants: The invariants. If a state breaks several, the first one is reported.
    ///   - reduce: The reducer, which applies an action to a state.
    @_disfavoredOverload
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
    /// A violated invariant.
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
        if let issue = report.issue { Issue.record("\(issue)\n\n\(report)", sourceLocation: sourceLocation) }
        return report
    }
}

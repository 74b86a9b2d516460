import Relux
import Testing

// MARK: - A state with additional reducers

extension StateSpace {
    /// Visits every state that the given actions can reach using additional reducers, and checks invariants in each.
    ///
    /// The actions may be of any type:
    ///
    /// ```swift
    /// StateSpace.explore(
    ///     from: Notes.State(),
    ///     actions: [Notes.Effect.load, Notes.State.Action.loaded([])],
    ///     reducers: Notes.Module(service: service).reducers,
    ///     invariants: [.init("loading ends") { !$0.isStuck }]
    /// )
    /// ```
    ///
    /// As in a store, an action goes to the reducers of its exact type: first the state's own, then the additional ones
    /// in order. Reducers of other states do nothing here.
    ///
    /// - Parameters:
    ///   - actions: The actions to try in every state.
    ///   - reducers: The additional reducers.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariants: The invariants. If a state breaks several, the first one is reported.
    @discardableResult
    public static func explore<S: Relux.State>(
        from start: S,
        actions: [any Relux.Action],
        reducers: [Relux.Reducer],
        depth: Int = .max,
        limit: Int = 1_000_000,
        invariants: [Invariant<S>],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Report<S, any Relux.Action> {
        explore(
            from: start,
            actions: { _ in actions },
            reducers: reducers,
            depth: depth,
            limit: limit,
            invariants: invariants,
            sourceLocation: sourceLocation
        )
    }

    /// Visits every state that can be reached using additional reducers, with the actions that are possible in each
    /// state, and checks invariants.
    ///
    /// The actions may be of any type. As in a store, an action goes to the reducers of its exact type: first the
    /// state's own, then the additional ones in order. Reducers of other states do nothing here.
    ///
    /// - Parameters:
    ///   - actions: Returns the actions to try in a state.
    ///   - reducers: The additional reducers.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariants: The invariants. If a state breaks several, the first one is reported.
    @_disfavoredOverload
    @discardableResult
    public static func explore<S: Relux.State>(
        from start: S,
        actions: (S) -> [any Relux.Action],
        reducers: [Relux.Reducer],
        depth: Int = .max,
        limit: Int = 1_000_000,
        invariants: [Invariant<S>],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Report<S, any Relux.Action> {
        let reduction = Reduction<S>(reducers)
        return explore(
            from: start,
            actions: actions,
            depth: depth,
            limit: limit,
            invariants: invariants,
            sourceLocation: sourceLocation,
            reduce: { reduction.reduce(&$0, $1) }
        )
    }
}

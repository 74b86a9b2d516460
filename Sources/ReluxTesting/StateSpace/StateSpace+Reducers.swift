import Relux
import Testing

// MARK: - A state with additional reducers

extension StateSpace {
    /// Tries every state that given actions of any types lead to, by the state's own reducer and additional ones, and
    /// expects invariants to hold in each.
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
    /// As in a store, an action goes to the reducers of its exact type: the state's own first, then the additional ones
    /// in their order. Reducers of other states do nothing here.
    ///
    /// - Parameters:
    ///   - start: Where the search begins.
    ///   - actions: What can happen, in every state.
    ///   - reducers: The additional reducers.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - invariants: What has to hold. In one state, the first that is broken is recorded.
    ///   - sourceLocation: Where a broken invariant is recorded.
    /// - Returns: What was seen.
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

    /// Tries every state that the actions possible in each lead to, of any types, by the state's own reducer and
    /// additional ones, and expects invariants to hold in each.
    ///
    /// - Parameters:
    ///   - start: Where the search begins.
    ///   - actions: What can happen in a state.
    ///   - reducers: The additional reducers.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - invariants: What has to hold. In one state, the first that is broken is recorded.
    ///   - sourceLocation: Where a broken invariant is recorded.
    /// - Returns: What was seen.
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

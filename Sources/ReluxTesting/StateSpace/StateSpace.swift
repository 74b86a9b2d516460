import Relux
import Testing

/// Tries every state that a reducer can reach.
///
/// ```swift
/// StateSpace.explore(from: Items.State(), actions: [.added("Milk"), .toggled(1), .cleared], depth: 6) { state in
///     state.items.count <= state.capacity
/// }
/// ```
///
/// The search is breadth first, and every state is visited once. So the first state that breaks an invariant is one of
/// the nearest, and no shorter list of actions leads to any. It becomes an issue at the line of the call, with that
/// list; the search ends there.
///
/// - Isolation: It runs where it is called, synchronously. Reducers and invariants are called there only.
/// - Ordering: States are visited by their distance from the start; at one distance in the order of the actions given.
///   The same call gives the same report.
/// - Complexity: One reduction for each action in each state. A state that is `Hashable` is recognised in constant
///   time. One that isn't is compared with every state seen, which makes the search quadratic: a few thousand states
///   are the most that is pleasant. All states seen are held in memory.
public enum StateSpace {
    /// Something that has to hold in every state.
    public struct Invariant<State>: Sendable {
        /// What has to hold, in words; nil if nothing was said.
        public let name: String?

        let holds: @Sendable (State) -> Bool

        /// Makes an invariant.
        ///
        /// - Parameters:
        ///   - name: What has to hold, in words, such as `no completed item above an active one`.
        ///   - holds: Whether it does in a state.
        public init(_ name: String? = nil, _ holds: @escaping @Sendable (State) -> Bool) {
            self.name = name
            self.holds = holds
        }
    }
}

// MARK: - A state's own actions

extension StateSpace {
    /// Tries every state that given actions lead to, and expects an invariant to hold in each.
    ///
    /// - Parameters:
    ///   - start: Where the search begins.
    ///   - actions: What can happen, in every state.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - sourceLocation: Where a broken invariant is recorded.
    ///   - invariant: Whether a state is as it should be.
    /// - Returns: What was seen.
    @discardableResult
    public static func explore<S: Relux.State>(
        from start: S,
        actions: [S.Action],
        depth: Int = .max,
        limit: Int = 1_000_000,
        sourceLocation: SourceLocation = #_sourceLocation,
        invariant: (S) -> Bool
    ) -> Report<S, S.Action> {
        explore(
            from: start,
            actions: { _ in actions },
            depth: depth,
            limit: limit,
            sourceLocation: sourceLocation,
            invariant: invariant
        )
    }

    /// Tries every state that the actions possible in each lead to, and expects an invariant to hold in each.
    ///
    /// - Parameters:
    ///   - start: Where the search begins.
    ///   - actions: What can happen in a state.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - sourceLocation: Where a broken invariant is recorded.
    ///   - invariant: Whether a state is as it should be.
    /// - Returns: What was seen.
    @discardableResult
    public static func explore<S: Relux.State>(
        from start: S,
        actions: (S) -> [S.Action],
        depth: Int = .max,
        limit: Int = 1_000_000,
        sourceLocation: SourceLocation = #_sourceLocation,
        invariant: (S) -> Bool
    ) -> Report<S, S.Action> {
        search(
            StateSearch(start: start, depth: depth, limit: limit),
            sourceLocation,
            actions: actions,
            reduce: { $0.reduce($1) },
            check: { invariant($0) ? nil : Broken(name: nil) }
        )
    }

    /// Tries every state that given actions lead to, and expects several invariants to hold in each.
    ///
    /// - Parameters:
    ///   - start: Where the search begins.
    ///   - actions: What can happen, in every state.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - invariants: What has to hold. In one state, the first that is broken is recorded.
    ///   - sourceLocation: Where a broken invariant is recorded.
    /// - Returns: What was seen.
    @discardableResult
    public static func explore<S: Relux.State>(
        from start: S,
        actions: [S.Action],
        depth: Int = .max,
        limit: Int = 1_000_000,
        invariants: [Invariant<S>],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Report<S, S.Action> {
        explore(
            from: start,
            actions: { _ in actions },
            depth: depth,
            limit: limit,
            invariants: invariants,
            sourceLocation: sourceLocation
        )
    }

    /// Tries every state that the actions possible in each lead to, and expects several invariants to hold in each.
    ///
    /// - Parameters:
    ///   - start: Where the search begins.
    ///   - actions: What can happen in a state.
    ///   - depth: The most actions that lead to a state. States at that distance are checked and not gone on from.
    ///   - limit: The most states to visit.
    ///   - invariants: What has to hold. In one state, the first that is broken is recorded.
    ///   - sourceLocation: Where a broken invariant is recorded.
    /// - Returns: What was seen.
    @discardableResult
    public static func explore<S: Relux.State>(
        from start: S,
        actions: (S) -> [S.Action],
        depth: Int = .max,
        limit: Int = 1_000_000,
        invariants: [Invariant<S>],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Report<S, S.Action> {
        explore(
            from: start,
            actions: actions,
            depth: depth,
            limit: limit,
            invariants: invariants,
            sourceLocation: sourceLocation,
            reduce: { $0.reduce($1) }
        )
    }
}

import Relux
import Testing

/// An exhaustive search of the states that a reducer can reach.
///
/// ```swift
/// StateSpace.explore(from: Items.State(), actions: [.added("Milk"), .toggled(1), .cleared], depth: 6) { state in
///     state.items.count <= state.capacity
/// }
/// ```
///
/// The search is breadth-first and visits every state once. The first state found to break an invariant is therefore
/// one of those nearest to the start, and no shorter list of actions leads to another. The search ends there and
/// records an issue with that list at the line of the call.
///
/// A search that proves nothing also records an issue. This is a search that was cut off by its limit of states, or
/// that visited only the start, because its depth is 0, there are no actions, or none of them changes the start.
///
/// - Isolation: The search runs synchronously where it is called, and calls the reducers and invariants only there.
/// - Ordering: States are visited by their distance from the start, and at the same distance in the order of the given
///   actions. The same call gives the same report.
/// - Complexity: One reduction for each action in each state. If the state is `Hashable`, it is looked up in constant
///   time. Otherwise, it is compared with every state seen, which makes the search quadratic and practical only up to a
///   few thousand states. All states seen are held in memory.
public enum StateSpace {
    /// A condition that must hold in every state.
    public struct Invariant<State>: Sendable {
        /// The condition in words; nil if it wasn't given.
        public let name: String?

        let holds: @Sendable (State) -> Bool

        /// Creates an invariant.
        ///
        /// - Parameters:
        ///   - name: The condition in words, such as `no completed item above an active one`.
        ///   - holds: Whether the condition holds in a state.
        public init(_ name: String? = nil, _ holds: @escaping @Sendable (State) -> Bool) {
            self.name = name
            self.holds = holds
        }
    }
}

// MARK: - A state's own actions

extension StateSpace {
    /// Visits every state that the given actions can reach, and checks an invariant in each.
    ///
    /// - Parameters:
    ///   - actions: The actions to try in every state.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariant: Whether the invariant holds in a state.
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

    /// Visits every state that can be reached with the actions that are possible in each state, and checks an
    /// invariant.
    ///
    /// - Parameters:
    ///   - actions: Returns the actions to try in a state.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariant: Whether the invariant holds in a state.
    @_disfavoredOverload
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

    /// Visits every state that the given actions can reach, and checks several invariants in each.
    ///
    /// - Parameters:
    ///   - actions: The actions to try in every state.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariants: The invariants. If a state breaks several, the first one is reported.
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

    /// Visits every state that can be reached with the actions that are possible in each state, and checks invariants.
    ///
    /// - Parameters:
    ///   - actions: Returns the actions to try in a state.
    ///   - depth: The maximum number of actions from the start. States at that distance are checked but not expanded.
    ///   - limit: The maximum number of states to visit.
    ///   - invariants: The invariants. If a state breaks several, the first one is reported.
    @_disfavoredOverload
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

extension StateSpace {
    /// The result of an exploration.
    public struct Report<State, Action>: CustomStringConvertible {
        /// The number of distinct states visited, including the start.
        public let states: Int

        /// The number of reductions: pairs of a visited state and an action tried in it.
        public let transitions: Int

        /// The distance, in actions, from the start to the farthest state visited.
        ///
        /// If the limit cut the search short, some states at the next distance may have been visited as well.
        public let depth: Int

        /// The reason why the search was cut short; nil if every reachable state was visited and no invariant was
        /// broken.
        public let cut: Cut?

        /// The first broken invariant, with the shortest list of actions that leads to it.
        public let violation: Violation<State, Action>?

        /// Whether every reachable state was visited and every invariant held in each.
        public var isComplete: Bool { cut == nil }

        /// Why the search fails its test: a broken invariant, or a search that proves nothing.
        var issue: String? {
            if let violation { return violation.description }
            if cut == .limit {
                return """
                    The search was cut off by its limit of \(states.counting("state")), and there are others that it \
                    hasn't visited. Raise the `limit`, or choose a `depth`.
                    """
            }
            return states == 1 ? "Only the start was visited, because \(reason)" : nil
        }

        /// Why the search visited only the start, and what to do about it.
        private var reason: String {
            if cut == .depth { return "the `depth` allows no action. Raise it." }
            if transitions == 0 { return "there are no actions to try in it." }
            return "no action changes it. Start elsewhere, or try other actions."
        }

        /// The numbers, such as `12 states, 36 transitions, depth 4; cut short by the depth`.
        public var description: String {
            let end = cut.map { "; \($0)" } ?? "; complete"
            return "\(states.counting("state")), \(transitions.counting("transition")), depth \(depth)\(end)"
        }
    }

    /// A reason for cutting a search short.
    public enum Cut: Sendable, Hashable, CustomStringConvertible {
        /// The search reached states at the maximum depth. Whether there are others beyond them is unknown.
        case depth

        /// The maximum number of states was visited, and there was at least one more.
        case limit

        /// An invariant was broken.
        case violation

        /// The reason in words, such as `cut short by the depth`.
        public var description: String {
            switch self {
            case .depth: "cut short by the depth"
            case .limit: "cut short by the limit of states"
            case .violation: "ended by the broken invariant"
            }
        }
    }

    /// A broken invariant.
    public struct Violation<State, Action>: CustomStringConvertible {
        /// The name of the invariant, if it has one.
        public let invariant: String?

        /// The actions that lead from the start to the state.
        ///
        /// No shorter list leads to a state that breaks an invariant.
        public let actions: [Action]

        /// The state before the last action; nil if the start itself breaks the invariant.
        public let stateBefore: State?

        /// The state that breaks the invariant.
        public let state: State

        /// The invariant, the actions, what the last action changed, and the state.
        public var description: String {
            let name = invariant.map { "The invariant \"\($0)\"" } ?? "The invariant"
            let values = ValueText.lines(state).map { "  \($0)" }.joined(separator: "\n")
            guard let stateBefore else { return "\(name) is broken at the start, in this state:\n\n\(values)" }

            let list = actions.enumerated().map { "  \($0 + 1). \(ValueText.line($1))" }.joined(separator: "\n")
            let change = Difference(expected: stateBefore, actual: state)?.description ?? "  (nothing that shows)"
            return """
                \(name) is broken after \(actions.count.counting("action")):

                \(list)

                What the last action changed (- before, + after):

                \(change)

                The state:

                \(values)
                """
        }
    }
}

extension StateSpace.Report: Sendable where State: Sendable, Action: Sendable {}
extension StateSpace.Violation: Sendable where State: Sendable, Action: Sendable {}

extension Int {
    /// Returns the number with its noun, such as `1 action` or `2 actions`.
    func counting(_ noun: String) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(noun)s"
    }
}

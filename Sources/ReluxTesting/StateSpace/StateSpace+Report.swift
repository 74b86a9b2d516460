extension StateSpace {
    /// What an exploration has seen.
    public struct Report<State, Action>: CustomStringConvertible {
        /// How many different states were visited, the first included.
        public let states: Int

        /// How many times an action was reduced in a state.
        public let transitions: Int

        /// How many actions it took to the farthest state that was visited.
        public let depth: Int

        /// What cut the search short: nil if every state that can be reached was visited, and no invariant was broken.
        public let cut: Cut?

        /// The first broken invariant, with the shortest way to it.
        public let violation: Violation<State, Action>?

        /// Whether every state that can be reached was visited, and every invariant held in each.
        public var isComplete: Bool { cut == nil }

        /// The numbers, such as `12 states, 36 transitions, depth 4; cut short by the depth`.
        public var description: String {
            let end = cut.map { "; \($0)" } ?? "; complete"
            return "\(states.counting("state")), \(transitions.counting("transition")), depth \(depth)\(end)"
        }
    }

    /// What cuts a search short.
    public enum Cut: Sendable, Hashable, CustomStringConvertible {
        /// There are states at the greatest depth allowed. Whether others lie behind them is not known.
        case depth

        /// As many states as allowed were visited, and there was at least one more.
        case limit

        /// An invariant was broken.
        case violation

        /// In words, such as `cut short by the depth`.
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

        /// The actions that lead from the start to the state. No shorter list leads to a state that breaks any.
        public let actions: [Action]

        /// The state before the last action; nil if it is the start itself that breaks the invariant.
        public let stateBefore: State?

        /// The state that breaks it.
        public let state: State

        /// The invariant, the actions, what the last one changed, and the state.
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
    /// A number with its noun: `1 action`, `2 actions`.
    func counting(_ noun: String) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(noun)s"
    }
}

extension Relux {
    /// An action that was reduced, as observers see it.
    public struct ActionRecord: Sendable {
        /// Its place in the store's total order, from 1 and without gaps.
        public let sequence: UInt64

        /// The action as it was reduced, after the middleware.
        public let action: any Action

        /// The line that dispatched, sent, or performed it.
        public let callSite: CallSite

        /// The run that caused it; nil if it came from outside.
        public let cause: RunRecord?

        /// If a rule added this action, the number of the action that the rule responded to; nil if a caller dispatched
        /// it.
        public let follows: UInt64?

        /// When it was reduced, on the store's clock, since the store was created.
        public let time: Duration

        /// The states whose reducers ran, each once, in the order of its first reducer.
        public var states: [any State.Type] { reduced.map(\.type) }

        /// The instance that took it; nil for the root.
        public let scope: Scope?

        /// The same states, with the instances that own them.
        package let reduced: [ReducedState]

        /// The number of the first action of the same step that was reported.
        package let step: UInt64

        /// Whether it was performed, so that a caller awaits what it triggered.
        package let isPerformed: Bool

        /// Whether a caller of `actions { }` awaits what it triggered.
        package let isAwaited: Bool

        /// A state whose reducers ran.
        package struct ReducedState: Sendable {
            package let type: any State.Type
            /// The instance that owns the state; nil for the root.
            let owner: ScopeAddress?
        }
    }
}

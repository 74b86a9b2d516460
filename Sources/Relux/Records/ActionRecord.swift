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
        public var cause: RunRecord? { reduction.source?.record }

        /// When it was reduced, on the store's clock, since the store was created.
        ///
        /// The clock is read when this is first asked for, or when the observers have returned, whichever is earlier.
        public var time: Duration { reduction.time }

        /// The states whose reducers ran, each once, in the order of its first reducer.
        public var states: [any State.Type] { reduction.states }

        /// The instance that took it; nil for the root.
        public var scope: Scope? { reduction.scope }

        /// Whether it was performed, so that a caller awaits what it triggered.
        package var isPerformed: Bool { reduction.isPerformed }

        /// Whether a caller of `actions { }` awaits what it triggered.
        package var isAwaited: Bool { reduction.isAwaited }

        var reduction: Reduction

        init(sequence: UInt64, action: any Action, callSite: CallSite, _ reduction: Reduction) {
            self.sequence = sequence
            self.action = action
            self.callSite = callSite
            self.reduction = reduction
        }
    }
}

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
        public var cause: RunRecord? { source?.record }

        /// When it was reduced, on the store's clock, since the store was created.
        public let time: Duration

        /// The states whose reducers ran, each once, in the order of its first reducer.
        public let states: [any State.Type]

        /// Whether it was performed, so that a caller awaits what it triggered.
        package let isPerformed: Bool

        // The handle instead of its large record, because most actions have no cause.
        private let source: RunHandle?

        init(
            sequence: UInt64, action: any Action, callSite: CallSite, source: RunHandle?, time: Duration,
            states: [any State.Type], isPerformed: Bool
        ) {
            self.sequence = sequence
            self.action = action
            self.callSite = callSite
            self.source = source
            self.time = time
            self.states = states
            self.isPerformed = isPerformed
        }
    }
}

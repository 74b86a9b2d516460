extension Relux {
    /// An action that was reduced, as observers see it.
    public struct ActionRecord: Sendable {
        /// Its place in the store's total order, from 1 and without gaps.
        public let sequence: UInt64

        /// The action, as it was reduced: after the middleware.
        public let action: any Action

        /// The line that dispatched, sent or performed it.
        public let callSite: CallSite

        /// The run that it came from; nil where it came from outside.
        public let cause: RunRecord?

        /// When it was reduced, on the store's clock, since the store was made.
        public let time: Duration

        /// The states whose reducers ran, each once, in the order in which the first of each ran.
        public let states: [any State.Type]

        /// Whether somebody performed it, and so awaits what it set off.
        package internal(set) var isPerformed = false
    }
}

extension Relux {
    /// A receipt for an action or a batch that was dispatched.
    public struct Dispatched: Sendable {
        /// The place of the action in the total order, from 1; for a batch, that of its last action.
        ///
        /// Nil if nothing was reduced: a middleware dropped the action, the batch was empty, the store was shut down,
        /// or the dispatching run had ended.
        public let sequence: UInt64?

        private let completion: Completion?

        init(_ result: DispatchResult) {
            sequence = result.sequence
            completion = result.completion
        }

        /// Waits until what the action triggered has ended or will never start.
        ///
        /// This concerns the runs of the sagas that take the action. What they dispatch in turn, without awaiting it,
        /// is not waited for. In a run that would wait for its own end, it returns immediately, and this is reported.
        ///
        /// - Cancellation: When the waiting task is cancelled, it returns immediately. The runs continue.
        /// - Lifetime: It doesn't keep the store alive, and returns when the store is released.
        public nonisolated(nonsending) func finished() async {
            _ = await completion?.waitUnlessCancelled()
        }
    }
}

extension Relux {
    /// A receipt for what was dispatched: it has been reduced.
    public struct Dispatched: Sendable {
        /// The action's place in the total order, from 1; that of the last action of a batch.
        ///
        /// nil where nothing was reduced: a middleware dropped the action, the batch was empty, the store was shut
        /// down, or the run that dispatched was over.
        public let sequence: UInt64?

        private let completion: Completion?

        init(_ taken: Taken) {
            sequence = taken.sequence
            completion = taken.completion
        }

        init() {
            sequence = nil
            completion = nil
        }

        /// Waits until what the action set off has ended, or will never start.
        ///
        /// What it set off are the runs of the sagas that take it. What these dispatch in turn, without awaiting it, is
        /// not waited for.
        ///
        /// - Cancellation: When the waiting task is cancelled it returns at once; the runs go on.
        /// - Lifetime: It doesn't keep the store alive, and returns when the store goes.
        ///
        /// Called from a run that would wait for its own end, it returns at once and the observers hear of it.
        public nonisolated(nonsending) func finished() async {
            _ = await completion?.waitUnlessCancelled()
        }
    }
}

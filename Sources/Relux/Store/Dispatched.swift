extension Relux {
    /// A receipt for an action or a batch that was dispatched.
    public struct Dispatched: Sendable {
        /// The place of the action in the total order, from 1; for a batch, that of its last action.
        ///
        /// Nil if nothing was reduced: a middleware dropped the action, the batch was empty, there is no such instance
        /// or nothing can dismiss it, the store was shut down, the dispatching run had ended or had been cancelled or
        /// superseded, or a synchronous verb was used inside a store.
        public let sequence: UInt64?

        private let refusal: Relux.EffectError?
        private let group: Group?

        init(_ receipt: Receipt) {
            sequence = receipt.sequence
            refusal = receipt.refusal
            group = receipt.group
        }

        /// Waits until what the action triggered has ended or will never start.
        ///
        /// It waits for the runs of the sagas that take the action, but not for what these dispatch without awaiting
        /// it. In a run that would wait for its own end, it returns immediately, and this is reported.
        ///
        /// - Cancellation: When the waiting task is cancelled, it returns immediately. The runs continue.
        /// - Lifetime: It doesn't keep the store alive, and returns when the store is released.
        public nonisolated(nonsending) func finished() async {
            if let group, let core = group.core { _ = await group.wait(in: core) }
        }

        /// Waits until what the action triggered has ended or will never start, and returns how it ended.
        ///
        /// It waits for the same runs as ``finished()``. An error that a run has thrown also appears in the
        /// store's `failures`, unless a performer or the saga's `actionOnFailure` has received it.
        ///
        /// - Cancellation: When the waiting task is cancelled, it returns `.cancelled` immediately. The runs continue.
        /// - Lifetime: It doesn't keep the store alive. When the store is released, it returns `.cancelled`.
        /// - Returns: `.failure` with every error if anything failed, otherwise `.cancelled` if anything was
        ///   superseded, dropped, or cancelled, otherwise `.success`. An action that nothing handles counts as a
        ///   failure, and so do an instance that doesn't exist and a store that was shut down. This includes each
        ///   action of a batch. In a run that would wait for its own end, it is `.failure` with
        ///   ``EffectError/serialCycle(waiting:on:)``, which is also reported.
        public nonisolated(nonsending) func outcome() async -> ActionResult {
            var tally = ActionTally(refusal)
            if let group, let core = group.core { tally.add(await group.wait(in: core)) }
            return tally.result
        }

        /// Cancels the runs that the action triggered, and what these perform. Never waits.
        ///
        /// A run that others share continues for them. What a run has dispatched without awaiting it continues as well.
        /// If everything has ended, nothing happens.
        ///
        /// - Isolation: Can be called from anywhere, synchronously.
        /// - Ordering: As with `send`: it takes effect before anything that the calling task does next with the store.
        public func cancel() {
            if let group, let core = group.core { group.abandon(in: core) }
        }
    }
}

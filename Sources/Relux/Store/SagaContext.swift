extension Relux {
    /// What a saga may do: dispatch, perform, read, manage modules, and use time.
    ///
    /// It always acts on behalf of its run, in whichever task it is used.
    ///
    /// - Isolation: It may be passed to child tasks, and its verbs can be called from anywhere.
    /// - Ordering: That of the store. The calls of one task of the run take effect in the order in which it makes them.
    /// - Cancellation: Once the run has ended, has been cancelled or superseded, or its module or store is gone,
    ///   nothing that is dispatched, sent, or performed through it is reduced. The store checks this in the step that
    ///   would reduce the action, and reports the refused write. Reading continues to work.
    /// - Lifetime: It doesn't keep the store alive.
    public struct SagaContext: ActionDispatching, StateReading, ModuleManaging {
        let runHandle: RunHandle

        init(_ runHandle: RunHandle) {
            self.runHandle = runHandle
        }

        /// The store, used on behalf of this run.
        public var handle: StoreHandle { StoreHandle(for: runHandle) }

        /// Identifies the run.
        public var run: RunRecord { runHandle.record }
    }
}

extension RunHandle {
    /// The context with which a saga is executed.
    var context: Relux.SagaContext { Relux.SagaContext(self) }
}

extension Relux {
    /// Takes actions in one total order, applies them to pure reducers, and starts sagas.
    ///
    /// - Isolation: A façade for an actor that isolates all states and runs. Every verb can be called from anywhere. A
    ///   nonisolated caller that awaits enters on its own thread if the store is free. Any other caller that awaits
    ///   hops to the store, so reducers don't run on the caller's actor. A synchronous verb, such as `dispatchNow`,
    ///   enters on the calling thread, and reduces there. (So does the first call of a `Task.immediate` that starts
    ///   nonisolated on the main thread.)
    /// - Ordering: Actions are reduced one at a time and numbered 1, 2, 3 … without gaps. The calls of one task take
    ///   effect in the order in which it makes them, whichever verbs it mixes. Waiting callers enter by priority and,
    ///   within a priority, first come, first served. Tasks of one actor with equal priority enter in the order in
    ///   which they leave the actor. A synchronous call enters after all callers that were waiting before it, whatever
    ///   their priorities.
    /// - Reentrancy: None. Nothing waits inside the store, and user code that it executes (reducers, middleware,
    ///   observers, selections, policies) can't call back in, except by `send`.
    /// - Runs: Used in the task of a run, a store acts on behalf of that run while the run lasts. The run is recorded
    ///   as the cause of what it dispatches, and once it was cancelled or superseded, nothing more is reduced for it. A
    ///   task that outlives its run acts on behalf of no run after that, unless it uses the run's ``SagaContext``. User
    ///   code that is executed inside a store never acts on behalf of a run.
    /// - Lifetime: Only this reference keeps a store alive; sagas, streams, contexts, dispatchers, and callbacks don't.
    ///   When it is released, the runs are cancelled, the states dropped, the sequences ended, and all waiters resumed.
    ///   Any number of stores can exist side by side, and they share nothing.
    public final class Store: ActionDispatching, StateReading, ModuleManaging {
        private let core: Core

        /// The store, used on behalf of whichever run's task calls.
        public var handle: StoreHandle { StoreHandle(core) }

        /// Creates an empty store, for code that can't await.
        ///
        /// If the process contains several copies of this library, each registration throws
        /// ``StoreError/loadedTwice(in:)``.
        public init(_ configuration: StoreConfiguration = .init()) {
            core = Core(configuration)
        }

        /// Creates a store with modules.
        ///
        /// - Parameter modules: Lists the modules. Executed once; it may await and throw.
        /// - Throws: Any error that the closure throws, or a ``StoreError`` if the modules don't fit together.
        public convenience init(
            _ configuration: StoreConfiguration = .init(),
            fileID: StaticString = #fileID,
            line: UInt = #line,
            @ModuleBuilder modules: @Sendable () async throws -> [any Module]
        ) async throws {
            self.init(configuration)
            let listed = try await modules()
            try await handle.register(listed, at: CallSite(fileID: fileID, line: line))
        }

        /// Creates a store with modules at once, for code that can't await, such as a preview or the first frame of an
        /// application. Its modules must not have persisted states, because these have to be loaded.
        ///
        /// - Parameter modules: The modules.
        /// - Throws: ``StoreError`` if the modules don't fit together, or if one of them has persisted states;
        ///   ``StoreError/insideStore(at:)`` inside a store.
        public convenience init(
            _ configuration: StoreConfiguration = .init(), modules: [any Module], fileID: StaticString = #fileID,
            line: UInt = #line
        ) throws(StoreError) {
            self.init(configuration)
            try handle.registerNow(modules, at: CallSite(fileID: fileID, line: line))
        }

        deinit {
            core.post { core in core.release() }
        }

        /// The errors of runs that neither a caller of `perform` nor the saga's `actionOnFailure` receives, from now
        /// on.
        ///
        /// Each access creates a stream of its own, which gets every failure.
        public var failures: FailureStream { handle.failures }

        /// Unique in the process, and never 0.
        package var number: UInt64 { core.number }

        /// The number of the store whose run, load, or save the current task belongs to; 0 if there is none.
        package static var currentNumber: UInt64 { CurrentRun.inherited.core }

        /// Ends the store as if its process were killed: at once, and without saving anything.
        package nonisolated(nonsending) func kill() async {
            await core.enter(as: .outside) { core, _ in core.release(killing: true) }
        }

        /// Waits until there is nothing to do: everything that was sent has been reduced, no run is active, queued, or
        /// pending, and nothing is being loaded or saved.
        ///
        /// Watchers and runs in the background don't count, but what watchers perform does. The store may be busy again
        /// when this returns.
        ///
        /// - Parameter limit: The longest wait, on the store's clock; nil for no limit.
        /// - Throws: ``NotIdle`` when the time is up, and when the waiting task is cancelled. A run that would wait for
        ///   its own end gets it too: immediately, or as soon as something is triggered that can only end after the
        ///   run. The error names each busy run and what it waits for.
        public nonisolated(nonsending) func idle(within limit: Duration? = nil) async throws(NotIdle) {
            try await handle.idle(within: limit)
        }

        /// Cancels all runs, removes all modules and states, and ends all sequences, in one step. Then waits until the
        /// runs have ended and unsaved changes have been saved. A save that fails appears only in `failures`. To
        /// receive the error, call ``ModuleManaging/saved(_:fileID:line:)`` first.
        ///
        /// Later actions are refused and reported. Called from inside a run, it ends that run too, but waits neither
        /// for it nor for the runs that await it.
        ///
        /// - Cancellation: Ignored.
        public nonisolated(nonsending) func shutdown() async {
            await handle.shutdown()
        }
    }
}

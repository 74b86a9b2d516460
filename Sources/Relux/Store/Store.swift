extension Relux {
    /// Takes actions in one total order, applies them to pure reducers, and starts sagas.
    ///
    /// - Isolation: A façade of an actor, which isolates all states and runs. Every verb can be called from anywhere. A
    ///   nonisolated caller that awaits enters on its own thread if the store is free; any other caller that awaits
    ///   hops, so that reducers don't run on its actor. A synchronous verb, such as `dispatchNow`, enters on the
    ///   calling thread, and reduces there. (So does a `Task.immediate` that starts nonisolated on the main thread,
    ///   when it first calls the store.)
    /// - Ordering: Actions are reduced one at a time and numbered 1, 2, 3 … without gaps. What one task does is ordered
    ///   as it does it, whichever verbs it mixes. Callers that have to wait get in by priority, and first come, first
    ///   served within a priority. Tasks of one actor and one priority get in in the order in which they leave it. A
    ///   synchronous call comes after all callers that were waiting before it, whatever their priorities.
    /// - Reentrancy: None. Nothing waits inside the store, and user code that it executes (reducers, middleware,
    ///   observers, selections, policies) can't call back in, except by `send`.
    /// - Runs: Used in the task of a run, a store acts on behalf of that run while it lasts: the run is the cause of
    ///   what it dispatches, and nothing more is reduced once the run was cancelled or superseded. A task that a run
    ///   leaves behind acts on nobody's behalf once the run has ended, unless it uses the run's ``SagaContext``. User
    ///   code that is executed inside a store acts on nobody's behalf.
    /// - Lifetime: Only this reference keeps a store alive; sagas, streams, contexts, dispatchers, and callbacks don't.
    ///   When it is released, the runs are cancelled, the states dropped, the sequences ended, and all waiters resumed.
    ///   Any number of stores can exist side by side, and they share nothing.
    public final class Store: ActionDispatching, StateReading, ModuleManaging {
        private let core: Core

        /// The store, used on behalf of whichever run's task calls.
        public var handle: StoreHandle { StoreHandle(core) }

        /// Creates an empty store, for code that can't await.
        public init(_ configuration: StoreConfiguration = .init()) {
            core = Core(configuration.core)
        }

        /// Creates a store with modules.
        ///
        /// - Parameter modules: Lists the modules. Executed once; it may await and throw.
        /// - Throws: What the closure throws, or a ``StoreError`` if the modules don't fit together.
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

        /// A handle with the verbs that bring actions in. It doesn't keep the store alive.
        public var dispatcher: Dispatcher { Dispatcher(core) }

        /// The errors of runs that no caller of `perform` received, from now on.
        ///
        /// Each access creates a stream of its own, which gets every failure.
        public var failures: FailureStream { handle.failures }

        /// Unique in the process, and never 0.
        package var number: UInt64 { core.number }

        /// The number of the store whose run, load, or save the current task belongs to; 0 if there is none.
        package static var currentNumber: UInt64 { CurrentRun.inherited.core }

        /// Ends the store as if its process were killed: at once, and without saving anything.
        package nonisolated(nonsending) func kill() async {
            await core.enter(as: .outside) { core, _ in core.kill() }
        }

        /// Waits until there is nothing to do: no mail, and no run that is active, queued, or pending.
        ///
        /// Watchers don't count, but what they perform does. The store may be busy again when this returns.
        ///
        /// - Parameter limit: The longest wait, on the store's clock; nil for no limit.
        /// - Throws: ``NotIdle`` when the time is up, when the waiting task is cancelled, and in a run that would wait
        ///   for its own end: immediately, or as soon as something is triggered that can only end after the run. It
        ///   names each busy run and what it waits for.
        public nonisolated(nonsending) func idle(within limit: Duration? = nil) async throws(NotIdle) {
            try await handle.idle(within: limit)
        }

        /// Cancels all runs, removes all modules and states, and ends all sequences, in one step. Then waits until the
        /// runs have ended and what was unsaved has been saved. A save that fails appears in `failures` only: call
        /// ``ModuleManaging/saved(_:fileID:line:)`` before if the caller has to know.
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

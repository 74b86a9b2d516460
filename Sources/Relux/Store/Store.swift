extension Relux {
    /// Takes actions in one total order, applies them to pure reducers, and starts sagas.
    ///
    /// - Isolation: One caller at a time is inside; the others wait, and block no thread. Every verb can be called from
    ///   anywhere, main-actor code included. A task that belongs to no actor goes in as it is, any other away from its
    ///   actor: reducers never run on the main actor. Closures of builders are run where the caller is isolated,
    ///   closures that get a ``StateReader`` inside the store.
    /// - Ordering: One action at a time, numbered 1, 2, 3 … without gaps. What one task does comes in the order in
    ///   which it does so, whichever verbs it mixes. Those who wait are let in in the order of their coming, tasks of
    ///   one actor in the order in which they leave it; what was sent is taken with the next one who is let in.
    /// - Reentrancy: None. Nothing waits inside the store, and reducers, middleware and observers can't come back into
    ///   it but by `send`.
    /// - Runs: Used in the task of a run, a store speaks for that run while it lasts: the run is the cause of what it
    ///   takes, and it takes nothing more once the run was cancelled or superseded. What a run leaves behind in a task
    ///   of its own speaks for nobody once the run has ended, unless it uses the run's ``SagaContext``.
    /// - Lifetime: Only this reference keeps a store alive. Sagas, streams, contexts, dispatchers and callbacks don't.
    ///   When the last one goes, the runs are cancelled, the states dropped and the sequences ended, and whoever waits
    ///   is let go. Any number of stores live side by side and share nothing.
    public actor Store {
        nonisolated let engine: Engine

        /// Makes an empty store, where nothing can be awaited.
        ///
        /// - Parameter configuration: Clock, executor, given states, middleware and observers.
        public init(_ configuration: StoreConfiguration = .init()) {
            engine = Engine(configuration)
        }

        /// Makes a store with modules.
        ///
        /// - Parameters:
        ///   - configuration: Clock, executor, given states, middleware and observers.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - modules: Lists the modules. Run once; it may await and throw.
        /// - Throws: What the closure throws, or a ``StoreError`` if the modules don't fit together.
        public init(
            _ configuration: StoreConfiguration = .init(),
            fileID: StaticString = #fileID,
            line: UInt = #line,
            @ModuleBuilder modules: @Sendable () async throws -> [any Module]
        ) async throws {
            self.init(configuration)
            let listed = try await modules()
            try await entrance.register(listed, at: CallSite(fileID: fileID, line: line))
        }

        deinit {
            engine.post { core in core.release() }
        }

        @usableFromInline
        nonisolated var entrance: Entrance { Entrance(engine) }

        /// A handle with the verbs that bring actions in. It doesn't keep the store alive.
        public nonisolated var dispatcher: Dispatcher { Dispatcher(engine) }

        // MARK: Actions in

        /// Takes an action, and returns when it has been reduced and its runs have been started, queued or set pending.
        ///
        /// - Parameters:
        ///   - action: The action, routed by its exact concrete type.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The action's number, and a way to await what it set off.
        /// - Complexity: That of the reducers, sagas and waiting readers of this very type of action. How many others
        ///   the store has makes no difference.
        @discardableResult
        public nonisolated(nonsending) func dispatch(
            _ action: some Action, fileID: StaticString = #fileID, line: UInt = #line
        ) async -> Dispatched {
            await engine.dispatch(action, by: nil, at: CallSite(fileID: fileID, line: line))
        }

        /// Takes actions of one type in one step: readers see only its end.
        ///
        /// - Parameters:
        ///   - batch: The actions, in order.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The number of the last one, and a way to await what all of them set off.
        /// - Complexity: O(n) in the number of actions, apart from their reducers and sagas.
        @discardableResult
        public nonisolated(nonsending) func dispatch(
            contentsOf batch: some Collection<some Action> & Sendable, fileID: StaticString = #fileID,
            line: UInt = #line
        ) async -> Dispatched {
            await entrance.dispatch(contentsOf: batch, at: CallSite(fileID: fileID, line: line))
        }
    }
}

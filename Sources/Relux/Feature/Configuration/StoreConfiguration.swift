extension Relux {
    /// The settings of a store, apart from its modules.
    public struct StoreConfiguration: Sendable {
        /// The clock of every delay, debounce, throttle, retry, time limit, and timestamp.
        public var clock: any Clock<Duration>

        /// The preferred executor of every task that the store starts; nil for the global pool.
        public var executor: (any TaskExecutor)?

        /// The values that states start with when their types are first registered, now or later, for restoring,
        /// previews, and tests. If several values have the same type, the last one counts. A reset restores the initial
        /// values that the modules list.
        ///
        /// Each value is given out once: of several instances that have such a state, the one that is registered first
        /// starts with it. The others start with the initial values of their modules, which know their ids.
        public var states: [any State]

        /// The middleware, in the order in which it sees actions before their reducers run. It costs nothing if there
        /// is none.
        public var middleware: [any Middleware]

        /// The observers, in the order in which they are called. Records are built only if there are any observers.
        public var observers: [any StoreObserver]

        /// The seed of the jitter of retries; nil for a different one each time. The same seed gives the same runs the
        /// same delays.
        public var randomSeed: UInt64?

        /// Wraps the body of each run, in the run's own task; nil for no wrapper. Task-local values that it binds, such
        /// as the span of a trace or a logger with metadata, reach the services that the run calls.
        ///
        /// ```swift
        /// configuration.aroundRun = { run, body in
        ///     try await Log.$current.withValue(Log(label: run.description)) { try await body() }
        /// }
        /// ```
        ///
        /// - Isolation: Executed in the task of the run, once for each run that starts, including watchers and the
        ///   bodies of timeouts.
        /// - Ordering: The run starts before the wrapper is called, and ends after it returns.
        /// - Cancellation: Cancelling the run cancels the wrapper too.
        /// - Errors: A wrapper can't change the result of the body. An error of the body is the run's error even if the
        ///   wrapper catches it, and only the first call of the body has an effect. An error of the wrapper itself
        ///   fails the run. A wrapper that returns without having called the body cancels the run.
        public var aroundRun: RunWrapper?

        /// Whether actions that are addressed to instances are taken where they are dispatched, as if they were
        /// ordinary ones. For stores that test a saga alone, and have no instances.
        package var takesAddressedActions = false

        /// Where view states are updated: on the main actor, or on the substitute that a simulation provides.
        package var mainActor = MainActorContext.mainActor

        /// Whether states are neither loaded nor saved. For stores that test modules without their saved data.
        package var ignoresPersistence = false

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - clock: The clock of all delays, limits, and timestamps.
        ///   - executor: The preferred executor of the store's tasks; nil for the global pool. With an executor, each
        ///     call into the store is a point at which another task may continue.
        ///   - states: The values that states start with when their types are first registered.
        ///   - middleware: Sees actions before their reducers run, in this order.
        ///   - observers: Called for everything that the store does, in this order.
        ///   - randomSeed: The seed of the jitter of retries; nil for a different one each time.
        ///   - aroundRun: Wraps the body of each run, in the run's own task.
        public init(
            clock: any Clock<Duration> = ContinuousClock(),
            executor: (any TaskExecutor)? = nil,
            states: [any State] = [],
            middleware: [any Middleware] = [],
            observers: [any StoreObserver] = [],
            randomSeed: UInt64? = nil,
            aroundRun: RunWrapper? = nil
        ) {
            self.clock = clock
            self.executor = executor
            self.states = states
            self.middleware = middleware
            self.observers = observers
            self.randomSeed = randomSeed
            self.aroundRun = aroundRun
        }
    }
}

extension Relux {
    /// A function around the body of a run, in the task of the run.
    public typealias RunWrapper =
        @Sendable (RunRecord, _ body: @Sendable () async throws -> Void) async throws -> Void
}

extension Relux {
    /// What a store is made with, apart from its modules.
    public struct StoreConfiguration: Sendable {
        /// Measures every delay, debounce, throttle, retry, limit and time stamp.
        public var clock: any Clock<Duration>

        /// Carries every task that the store starts; nil for the global pool.
        public var executor: (any TaskExecutor)?

        /// Replace the initial values of states, by type: for restoring, previews and tests. The last one of a type
        /// counts; a reset goes back to these values.
        public var states: [any State]

        /// See, replace or drop actions before their reducers, in this order. None costs nothing.
        public var middleware: [any Middleware]

        /// Hear of everything, in this order. What is told is built only if there are any.
        public var observers: [any StoreObserver]

        /// What the jitter of retries is drawn from; nil for another one each time. The same seed gives the same delays
        /// to the same runs.
        public var randomSeed: UInt64?

        /// Makes a configuration.
        ///
        /// - Parameters:
        ///   - clock: Measures all times.
        ///   - executor: Carries the store's tasks; nil for the global pool. With one, each way into the store is a
        ///     point at which another task may go on.
        ///   - states: Replace initial values, by type.
        ///   - middleware: See actions before their reducers.
        ///   - observers: Hear of everything.
        ///   - randomSeed: What the jitter of retries is drawn from; nil for another one each time.
        public init(
            clock: any Clock<Duration> = ContinuousClock(),
            executor: (any TaskExecutor)? = nil,
            states: [any State] = [],
            middleware: [any Middleware] = [],
            observers: [any StoreObserver] = [],
            randomSeed: UInt64? = nil
        ) {
            self.clock = clock
            self.executor = executor
            self.states = states
            self.middleware = middleware
            self.observers = observers
            self.randomSeed = randomSeed
        }
    }
}

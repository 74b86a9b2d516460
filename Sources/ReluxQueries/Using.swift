public import Relux

extension Relux {
    /// Uses values for as long as its module or instance lives: they are fetched when they are missing or stale,
    /// fetched again when they are invalidated, and kept.
    ///
    /// ```swift
    /// var watchers: [any Relux.Watcher] {
    ///     [
    ///         Relux.Using(Listing.self, .all),
    ///         Relux.Using(Recipes.self, fetching: false) { $0.query(Listing.self, .all).value?.elements.ids ?? [] },
    ///     ]
    /// }
    /// ```
    ///
    /// A failure is stored, and shown by ``Fetched/failure``; it isn't reported. A store that only has uses is idle
    /// once they have been answered. To let the receipt of the action that opens a page wait for its value, list a
    /// ``Prefetch`` of the same key in the page's `openingActions`.
    ///
    /// - Lifetime: The step that closes the instance ends the use, and the request with it, unless somebody else waits
    ///   for it or ``Query/cancelsUnused`` is false. A reset, or a replacement of the query, begins the use again.
    public struct Using<Q: Query>: Watcher {
        private let keys: @Sendable (borrowing StateReader) -> [Q.Key]
        private let interval: Duration?
        private let isFetching: Bool

        /// Uses the keys that a selection gives.
        ///
        /// - Parameters:
        ///   - interval: The age at which a value is fetched again, whatever its staleness; nil for no polling. Has no
        ///     effect if nothing is fetched.
        ///   - isFetching: Whether values are fetched, and not only kept, as those that the rows of a list show.
        ///   - keys: Selects the keys. Called inside the store, and again when a state that it has read changes. An
        ///     empty selection, as while an app is in the background, uses nothing.
        public init(
            _ query: Q.Type = Q.self, every interval: Duration? = nil, fetching isFetching: Bool = true,
            _ keys: @escaping @Sendable (borrowing StateReader) -> [Q.Key]
        ) {
            self.keys = keys
            self.interval = interval
            self.isFetching = isFetching
        }

        /// Uses one key.
        ///
        /// - Parameters:
        ///   - interval: The age at which the value is fetched again, whatever its staleness; nil for no polling.
        ///   - isFetching: Whether the value is fetched, and not only kept.
        public init(_ key: Q.Key, every interval: Duration? = nil, fetching isFetching: Bool = true) {
            self.init(every: interval, fetching: isFetching) { _ in [key] }
        }

        /// Uses one key of a query.
        ///
        /// - Parameters:
        ///   - interval: The age at which the value is fetched again, whatever its staleness; nil for no polling.
        ///   - isFetching: Whether the value is fetched, and not only kept.
        public init(
            _ query: Q.Type, _ key: Q.Key, every interval: Duration? = nil, fetching isFetching: Bool = true
        ) {
            self.init(key, every: interval, fetching: isFetching)
        }

        /// Uses the keys until it is cancelled.
        public func watch(in context: SagaContext) async throws {
            try await withThrowingDiscardingTaskGroup { group in
                var ends: [Q.Key: AsyncStream<Never>.Continuation] = [:]
                for await wanted in context.values({ keys($0) }) {
                    // New ones first, so that a request that two selections have in common is never unused.
                    for key in wanted where ends[key] == nil {
                        let (end, finish) = AsyncStream.makeStream(of: Never.self)
                        ends[key] = finish
                        group.addTask {
                            await perform(until: end) { try await use(key, in: context) }
                        }
                        guard let interval, isFetching else { continue }
                        let (pollEnd, pollFinish) = AsyncStream.makeStream(of: Never.self)
                        finish.onTermination = { _ in pollFinish.finish() }
                        group.addTask {
                            await perform(until: pollEnd) { try await poll(key, every: interval, in: context) }
                        }
                    }
                    let kept = Set(wanted)
                    for key in ends.keys where !kept.contains(key) { ends.removeValue(forKey: key)?.finish() }
                }
            }
        }

        /// Performs the use again when something other than its user has ended it, such as a reset of the query.
        private func use(_ key: Q.Key, in context: SagaContext) async throws {
            // Asks only whether the run has ended: that step precedes the cancellation of its task.
            while await context.finish(unless: { _, _ in true }) != nil, !Task.isCancelled {
                do throws(EffectError) {
                    try await context.perform(QueryUse<Q>(Q.self, key, isFetching: isFetching))
                } catch {
                    guard case .cancelled = error else { throw error }
                }
            }
        }

        private func poll(_ key: Q.Key, every interval: Duration, in context: SagaContext) async throws {
            // A value may have an age already.
            var last = try await context.state(of: QueryState<Q>.self).records[id: key]?.fetchedAt ?? context.now
            while true {
                let fetchedAt = try await context.state(of: QueryState<Q>.self).records[id: key]?.fetchedAt
                last = max(last, fetchedAt ?? .zero)
                try await context.sleep(for: max(last + interval - context.now, .zero))
                let state = try await context.state(of: QueryState<Q>.self)
                if let newest = state.records[id: key]?.fetchedAt, context.now - newest < interval { continue }
                last = context.now
                try await context.loadForUse(of: Q.self, key, since: state)
            }
        }
    }
}

/// Executes a body until it ends or a stream does.
func perform(until end: AsyncStream<Never>, _ body: @escaping @Sendable () async throws -> Void) async {
    await withTaskGroup { group in
        group.addTask { try? await body() }
        group.addTask { for await _ in end {} }
        await group.next()
        group.cancelAll()
    }
}

/// Lives as long as somebody performs a use. The step in which the last one goes marks the key as unused.
struct Keeper<Q: Relux.Query>: Relux.Saga {
    func policy(for use: Relux.QueryUse<Q>) -> Relux.Policy { .shared(id: use).background }

    func actionOnCancel(_ use: Relux.QueryUse<Q>) -> (any Relux.Action)? {
        Relux.QueryEvent<Q>.released(use.key, isFetching: use.isFetching)
    }

    func run(_ use: Relux.QueryUse<Q>, in context: Relux.SagaContext) async throws {
        for await _ in AsyncStream(Never.self, { _ in }) {}
    }
}

/// Fetches what a use finds missing or stale. It isn't in the background, because `idle` waits for what it fetches.
struct Starter<Q: Relux.Query>: Relux.Saga {
    let query: Q

    func run(_ use: Relux.QueryUse<Q>, in context: Relux.SagaContext) async throws {
        guard use.isFetching else { return }
        let key = use.key
        let activity = try await context.state(of: Relux.QueryActivity<Q>.self)
        let isPrefetched = activity.statuses[id: key]?.isPrefetched == true
        if isPrefetched {
            await context.dispatch(Relux.QueryEvent<Q>.prefetchTaken(key))
            // The prefetch makes the request, for as long as the key is used.
            try await context.wait(for: key, of: Q.self) { $0?.turn == nil }
        }
        let state = try await context.state(of: Relux.QueryState<Q>.self)
        if isPrefetched, state.isValid(key) || state.records[id: key]?.failure != nil { return }
        if state.isFresh(key, at: context.now, for: query) { return }
        try await context.loadForUse(of: Q.self, key, since: state)
    }
}

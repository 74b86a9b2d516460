public import Relux

extension Relux {
    /// The knowledge about one key: what a screen shows.
    public struct Fetched<Value: Sendable, Failure: Error>: Sendable {
        /// The newest value, with the mutations that are under way; nil if there is none yet.
        public var value: Value?

        /// The reason why the last request failed; nil after a success. A value from before stays.
        public var failure: Failure?

        /// Whether a request is under way.
        public var isFetching = false

        /// The number of attempts of the present request that have failed.
        public var failedAttempts = 0

        /// Whether the value is known to be out of date, whatever its age.
        public var isInvalid = true

        /// Whether a mutation is under way.
        public var isChanging = false

        /// The time of the answer, on the store's clock; nil if the value is from an earlier process or another source.
        public var fetchedAt: Duration?

        /// Whether somebody uses the key, so that its value is kept.
        public var isUsed = false

        /// Whether the next or previous page of a ``PagedQuery`` is wanted and under way.
        public var isFetchingMore = false

        /// The reason why the last page failed; nil after a success, and as soon as another page is wanted.
        public var moreFailure: Failure?

        var isAwaited = false
        var staleAfter = Duration.zero

        /// Creates the knowledge of a value that nobody has asked for, for previews and as a placeholder.
        public init(_ value: Value? = nil) {
            self.value = value
        }

        /// Whether there is nothing to show yet, but an answer is expected.
        public var isLoading: Bool { value == nil && failure == nil && (isFetching || isAwaited) }

        /// Whether a new use would ask again.
        ///
        /// - Parameter now: The present time on the store's clock.
        public func isStale(at now: Duration) -> Bool {
            guard !isInvalid, failure == nil, let fetchedAt else { return true }
            return now - fetchedAt >= staleAfter
        }
    }
}

extension Relux.Fetched: Equatable where Value: Equatable, Failure: Equatable {}

extension Relux.StateReader {
    /// The knowledge about a key, in the innermost scope that has the query. Without the query, nothing is known.
    ///
    /// A selection that reads it is made again only for what happens to this key.
    ///
    /// - Complexity: O(log *n*) for *n* keys, and one application of each mutation of the key that is under way.
    public func query<Q: Relux.Query>(_ query: Q.Type, _ key: Q.Key) -> Relux.Fetched<Q.Value, Q.Failure> {
        let paths = QueryPaths.paths(of: query)
        var fetched = Relux.Fetched<Q.Value, Q.Failure>(self[Relux.QueryState<Q>.self, paths.kept, id: key]?.value)
        if let record = self[Relux.QueryState<Q>.self, paths.records, id: key] { fetched.take(record) }
        if let status = self[Relux.QueryActivity<Q>.self, paths.statuses, id: key] { fetched.take(status) }
        return fetched
    }
}

extension Relux.Fetched {
    fileprivate mutating func take<Q: Relux.Query>(_ record: Relux.QueryState<Q>.Record) where Q.Failure == Failure {
        (failure, moreFailure) = (record.failure, record.moreFailure)
        (fetchedAt, staleAfter, isInvalid) = (record.fetchedAt, record.staleAfter, !record.isValid)
    }

    fileprivate mutating func take<Q: Relux.Query>(_ status: Relux.QueryActivity<Q>.Status) where Q.Value == Value {
        isFetching = status.turn != nil
        failedAttempts = status.failedAttempts
        isUsed = !status.uses.isEmpty
        isFetchingMore = !status.more.isEmpty
        isAwaited = status.isAwaited && !status.isGivenUp
        isChanging = !status.pending.isEmpty
        guard isChanging, var shown = value else { return }
        for pending in status.pending { pending.mutation.apply(to: &shown) }
        value = shown
    }
}

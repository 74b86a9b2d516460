public import Relux

extension Relux {
    /// Gets a value: the present one if it is fresh; otherwise the answer to a request that began after the last
    /// invalidation or write of the key, shared by everybody who wants it.
    ///
    /// ```swift
    /// let recipe = try await context.perform(Relux.Fetch(Recipes.self, id))
    /// ```
    ///
    /// - Ordering: An answer is never older than the last invalidation or write that preceded the effect.
    /// - Cancellation: A cancelled performer withdraws. The last one takes the request along.
    /// - Throws: `EffectError.failed` with the query's `Failure`. `call` throws the failure itself.
    public struct Fetch<Q: Query>: Effect, Hashable {
        /// The value, with the mutations that are under way.
        public typealias Output = Q.Value

        /// The condition under which the server is asked.
        public enum Mode: Sendable, Hashable {
            /// If the value is missing, stale or invalid, or the last request has failed.
            case ifStale
            /// Whatever its age, as for pull to refresh. A request that is under way, and not outdated, is joined.
            case anew
        }

        /// The key of the value.
        public let key: Q.Key
        /// The condition under which the server is asked.
        public let mode: Mode

        /// Creates the effect.
        public init(_ key: Q.Key, _ mode: Mode = .ifStale) {
            self.key = key
            self.mode = mode
        }

        /// Creates the effect for a query.
        public init(_ query: Q.Type, _ key: Q.Key, _ mode: Mode = .ifStale) {
            self.init(key, mode)
        }
    }

    /// Fetches what is missing or stale, without a use.
    ///
    /// A failure is stored, not thrown. The next use of the key takes the answer without asking again, whatever its
    /// age. List it in a page's `openingActions`, beside a ``Using`` of the same key: the receipt of the action that
    /// opens the page then waits for the value, the first frame knows that it is being loaded, and there is one
    /// request. It ends if the last user leaves, or the key is forgotten, before its answer.
    ///
    /// - Cancellation: A cancelled caller withdraws. The last one takes the request along, unless there is a use.
    public struct Prefetch<Q: Query>: Effect, Hashable {
        /// The key of the value.
        public let key: Q.Key

        /// Creates the effect.
        public init(_ key: Q.Key) {
            self.key = key
        }

        /// Creates the effect for a query.
        public init(_ query: Q.Type, _ key: Q.Key) {
            self.init(key)
        }
    }

    /// Declares values to be out of date, whatever their age.
    ///
    /// They stay visible. What is used is asked for again, and the receipt's `finished()` waits for it; the rest is
    /// asked for with its next use. A key with mutations under way is asked for after the last of them, for which only
    /// the receipt of that mutation waits. Requests that are under way are outdated: they are cancelled, and the
    /// callers that wait for them get the answer to a new one.
    public struct Invalidate<Q: Query>: Action {
        enum Subject: Sendable {
            case all
            case keys(Set<Q.Key>)
            case matching(@Sendable (Q.Key) -> Bool)
        }

        let subject: Subject

        /// Declares all values of a query to be out of date.
        ///
        /// - Complexity: O(*n* log *n*) for *n* known keys, apart from the requests that follow.
        public init(_ query: Q.Type = Q.self) {
            subject = .all
        }

        /// Declares the values of some keys to be out of date. Keys of which nothing is known are ignored.
        ///
        /// - Complexity: O(log *n*) for each key, apart from the requests that follow.
        public init(_ key: Q.Key, _ others: Q.Key...) {
            subject = .keys(Set([key] + others))
        }

        /// Declares the values of some keys of a query to be out of date. Keys of which nothing is known are ignored.
        ///
        /// - Complexity: O(log *n*) for each key, apart from the requests that follow.
        public init(_ query: Q.Type, _ key: Q.Key, _ others: Q.Key...) {
            subject = .keys(Set([key] + others))
        }

        /// Declares the values of all keys that satisfy a predicate to be out of date.
        ///
        /// - Complexity: O(*n* log *n*) for *n* known keys, apart from the requests that follow.
        ///
        /// - Parameter isMeant: Called inside the store, for each known key.
        public init(_ query: Q.Type = Q.self, where isMeant: @escaping @Sendable (Q.Key) -> Bool) {
            subject = .matching(isMeant)
        }

        /// The keys that it names; nil if any may be meant.
        var keys: [Q.Key]? { if case .keys(let keys) = subject { Array(keys) } else { nil } }
    }

    /// Fetches what is used and stale, as when an app becomes active, or the connection is back.
    public struct Recheck<Q: Query>: Action, Hashable {
        /// Creates the action.
        public init(_ query: Q.Type = Q.self) {}
    }

    /// Stores a value from elsewhere, such as a push message or the answer to something else.
    ///
    /// It is newer than everything that was asked for before: late answers don't replace it. Mutations that are under
    /// way stay visible on top.
    public struct Provide<Q: Query>: Action, Equatable {
        let values: [QueryState<Q>.Kept]
        let start: QueryStart?
        let time: Duration?

        /// Creates the action for a value.
        ///
        /// - Parameters:
        ///   - value: Combined with the present value by ``Query/merge(_:into:)``.
        ///   - key: The key of the value.
        ///   - time: The time on the store's clock from which on the value is fresh; nil if its age stays what it was.
        public init(_ value: Q.Value, for key: Q.Key, at time: Duration? = nil) {
            values = [.init(id: key, value: value)]
            start = nil
            self.time = time
        }

        /// Creates the action for a value of a query.
        ///
        /// - Parameters:
        ///   - value: Combined with the present value by ``Query/merge(_:into:)``.
        ///   - key: The key of the value.
        ///   - time: The time on the store's clock from which on the value is fresh; nil if its age stays what it was.
        public init(_ query: Q.Type, _ value: Q.Value, for key: Q.Key, at time: Duration? = nil) {
            self.init(value, for: key, at: time)
        }

        /// The values, for tests.
        package var rows: [QueryState<Q>.Kept] { values }

        init(_ values: [QueryState<Q>.Kept], since start: QueryStart) {
            self.values = values
            self.start = start
            time = nil
        }
    }

    /// Removes a value that no longer exists. No request or mutation from before brings it back.
    ///
    /// If it is used, it is asked for again, and fails as the server says.
    public struct Forget<Q: Query>: Action, Hashable {
        /// The key of the value.
        public let key: Q.Key

        /// Creates the action.
        public init(_ key: Q.Key) {
            self.key = key
        }

        /// Creates the action for a query.
        public init(_ query: Q.Type, _ key: Q.Key) {
            self.init(key)
        }
    }

    /// Removes everything that is unused, at once, for example when memory is short.
    public struct Evict<Q: Query>: Action, Hashable {
        /// A key, and the number of uses and requests after which it is due.
        struct Due: Sendable, Hashable {
            let key: Q.Key
            let touches: Int
        }

        /// The keys that are due; nil for all.
        let due: [Due]?

        /// Creates the action.
        public init(_ query: Q.Type = Q.self) {
            due = nil
        }

        init(due: [Due]) {
            self.due = due
        }
    }

    /// Changes a value before the server has confirmed it.
    ///
    /// The change is shown from the same step on, until the server has confirmed or rejected it, whatever arrives
    /// meanwhile. The receipt's `finished()` waits for the server, and for the value that is then asked for again;
    /// its `cancel()` takes the change back.
    public struct Mutate<Q: Query>: Action, Equatable {
        /// The key of the value.
        public let key: Q.Key
        /// The change.
        public let mutation: Q.Mutation

        /// Creates the action.
        public init(_ mutation: Q.Mutation, of key: Q.Key) {
            self.key = key
            self.mutation = mutation
        }

        /// Creates the action for a query.
        public init(_ query: Q.Type, _ mutation: Q.Mutation, of key: Q.Key) {
            self.init(mutation, of: key)
        }
    }
}

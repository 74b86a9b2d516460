public import Relux

extension Relux {
    /// One kind of data that a server owns: how it is asked for, by key, and for how long an answer is good.
    ///
    /// ```swift
    /// struct Recipes: Relux.Query {
    ///     let service: any RecipeService
    ///     let staleAfter = Duration.seconds(60)
    ///
    ///     func fetch(_ id: Int, in request: Relux.QueryRequest) async throws -> Recipe {
    ///         try await service.recipe(id)
    ///     }
    /// }
    /// ```
    ///
    /// A query becomes part of a store with its module, ``Queries``. Screens read its values by
    /// ``StateReader/query(_:_:)``, keep them up to date by ``Using``, and change them by ``Mutate``.
    ///
    /// - Isolation: ``fetch(_:in:)`` and ``send(_:to:in:)`` run in tasks of their own, off the store. The other
    ///   requirements may be called inside the store; they must be quick and pure.
    /// - Ordering: One request at a time counts for each key. Mutations of one key are sent one after the other.
    /// - Cancellation: A request is cancelled with the last of those who wait for it, and as soon as an invalidation or
    ///   a write makes it outdated.
    public protocol Query: Sendable {
        /// Identifies a value, such as an article's slug, or the terms of a search.
        associatedtype Key: Hashable & Sendable
        /// An answer. Compared, so that an equal answer changes nothing.
        associatedtype Value: Equatable & Sendable
        /// The reason that a screen shows if there is no answer. The default is any error, compared by its text.
        associatedtype Failure: Error & Equatable = QueryFailure
        /// Changes that are shown before the server has confirmed them. The default has none.
        associatedtype Mutation: Relux.Mutation<Value> & Equatable = NoMutation<Value>

        /// The time for which an answer is fresh, on the store's clock. With zero, the default, each new use asks
        /// again, and the old answer is shown meanwhile. After a `replace`, that of the new query counts.
        var staleAfter: Duration { get }

        /// The time for which a value is kept after its last use. The default is five minutes.
        var keptFor: Duration { get }

        /// The number of unused keys that are kept at most. The least recently used are removed first. The default
        /// is no limit.
        var unusedLimit: Int { get }

        /// The schedule by which failed attempts are repeated, for requests and pages. With nil, the default, they
        /// aren't.
        var retry: RetrySchedule? { get }

        /// Whether a request ends when its last user has gone. The default is true. With false, it completes, and its
        /// answer is kept for the next use.
        var cancelsUnused: Bool { get }

        /// The order of mutations of one key. The default is ``MutationOrder/each``.
        static var mutationOrder: MutationOrder { get }

        /// The queries for which answers have values, by ``QueryRequest/provide(_:_:)``. The default is none.
        static var provides: [any Query.Type] { get }

        /// Asks the server, once.
        ///
        /// - Parameters:
        ///   - key: The value that is wanted.
        ///   - request: Takes what else the answer contains, and gives access to the store.
        /// - Throws: Any error, which ``failure(for:)`` translates. A `CancellationError` is no failure: the request
        ///   ends, and the value stays as it was. What is used isn't asked for again before somebody refreshes it,
        ///   invalidates it, or begins another use.
        func fetch(_ key: Key, in request: QueryRequest) async throws -> Value

        /// Translates an error for screens. Needed only with a `Failure` of your own.
        func failure(for error: any Error) -> Failure

        /// Combines a value from elsewhere, such as the row of a list, with the present one. The default returns the
        /// new value.
        ///
        /// - Parameters:
        ///   - provided: A value of ``Provide``, of ``QueryRequest/provide(_:_:)``, or of a confirmed mutation. It may
        ///     lack parts, such as an article's text.
        ///   - present: The confirmed value, without mutations.
        static func merge(_ provided: Value, into present: Value) -> Value

        /// Sends a mutation.
        ///
        /// - Parameter context: The run's access to the store.
        /// - Returns: The server's value; nil to ask for it again.
        /// - Throws: Any error. The mutation is then rejected: it is no longer shown, and the value is asked for again,
        ///   because the server may have applied the mutation all the same.
        func send(_ mutation: Mutation, to key: Key, in context: SagaContext) async throws -> Value?

        /// Actions that a confirmation causes, such as the invalidation of lists. Reduced in the same step. The default
        /// is none.
        func actions(confirming mutation: Mutation, of key: Key) -> [any Action]

        /// Actions that a rejection causes, such as a notice. Reduced in the same step.
        ///
        /// - Returns: The actions. With nil, the default, the error of ``send(_:to:in:)`` appears in
        ///   ``Store/failures``. A cancellation isn't passed to this function.
        func actions(rejecting mutation: Mutation, of key: Key, because failure: Failure) -> [any Action]?
    }

    /// The order of mutations of one key. Only one at a time is sent.
    public enum MutationOrder: Sendable, Hashable {
        /// All are sent, one after the other.
        case each
        /// Of those that wait, only the newest is sent and shown. For switches, such as a heart.
        case newest
    }

    /// The mutation of a query that has none. It has no values.
    public enum NoMutation<Value>: Mutation, Equatable {
        /// Never called.
        public func apply(to value: inout Value) {}
    }

    /// Any error, compared by its text.
    public struct QueryFailure: Error, Hashable, CustomStringConvertible {
        /// The error that was thrown.
        public let error: any Error

        /// Wraps an error.
        public init(_ error: any Error) {
            self.error = error
        }

        /// The error's text.
        public var description: String { "\(error)" }

        /// Whether both errors have the same text.
        public static func == (lhs: QueryFailure, rhs: QueryFailure) -> Bool { lhs.description == rhs.description }

        /// Hashes the error's text.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}

extension Relux.Query {
    /// Zero: each new use asks again.
    public var staleAfter: Duration { .zero }

    /// Five minutes.
    public var keptFor: Duration { .seconds(300) }

    /// No limit.
    public var unusedLimit: Int { .max }

    /// Nil: a failed attempt isn't repeated.
    public var retry: Relux.RetrySchedule? { nil }

    /// True: a request is cancelled when its last user leaves.
    public var cancelsUnused: Bool { true }

    /// All mutations are sent.
    public static var mutationOrder: Relux.MutationOrder { .each }

    /// None.
    public static var provides: [any Relux.Query.Type] { [] }

    /// Returns the provided value.
    public static func merge(_ provided: Value, into present: Value) -> Value { provided }

    /// Returns no actions.
    public func actions(confirming mutation: Mutation, of key: Key) -> [any Relux.Action] { [] }

    /// Returns nil: the error appears in `failures`.
    public func actions(
        rejecting mutation: Mutation, of key: Key, because failure: Failure
    ) -> [any Relux.Action]? { nil }
}

extension Relux.Query where Failure == Relux.QueryFailure {
    /// Wraps the error.
    public func failure(for error: any Error) -> Relux.QueryFailure { .init(error) }
}

extension Relux.Query where Mutation == Relux.NoMutation<Value> {
    /// Never called.
    public func send(_ mutation: Mutation, to key: Key, in context: Relux.SagaContext) async throws -> Value? {}
}

import Relux

extension Relux {
    /// An event in the life of a request, a use, or a mutation.
    package enum QueryEvent<Q: Query>: Action, Equatable {
        /// A request was answered.
        case fetched(Q.Key, Q.Value, QueryStamp)
        case failed(Q.Key, Q.Failure, turn: Int)
        /// An attempt failed; another one follows.
        case setback(Q.Key, turn: Int)
        /// A request ended without an answer.
        case stopped(Q.Key, turn: Int)
        /// A request ended itself without an answer and without a failure.
        case givenUp(Q.Key, turn: Int)
        /// The last user of a kind has gone.
        case released(Q.Key, isFetching: Bool)
        case evicted([Q.Key])
        /// The answer to a mutation, when that was sent, as the state counts, and when the answer arrived.
        case confirmed(Q.Key, Q.Mutation, number: Int, Q.Value?, began: Int, at: Duration)
        case rejected(Q.Key, Q.Mutation, number: Int)
        /// A newer mutation has taken the place of one that waited.
        case skipped(Q.Key, Q.Mutation, number: Int)
        /// A use has taken the answer to a prefetch, or there is none that one could take.
        case prefetchTaken(Q.Key)
        /// A prefetch was cancelled. Others of the key go on.
        case prefetchLeft(Q.Key)
        case moreWanted(Q.Key, PageEdge)
        case moreFailed(Q.Key, PageEdge, Q.Failure)
        case moreStopped(Q.Key, PageEdge)

        /// The keys that the event concerns.
        var keys: [Q.Key] {
            switch self {
            case .fetched(let key, _, _), .failed(let key, _, _), .setback(let key, _), .stopped(let key, _),
                .givenUp(let key, _), .released(let key, _), .confirmed(let key, _, _, _, _, _),
                .rejected(let key, _, _), .skipped(let key, _, _), .prefetchTaken(let key), .prefetchLeft(let key),
                .moreWanted(let key, _), .moreFailed(let key, _, _), .moreStopped(let key, _):
                [key]
            case .evicted(let keys): keys
            }
        }
    }

    /// The request that an answer belongs to, when it began, as the state counts, and when the answer arrived.
    package struct QueryStamp: Sendable, Hashable {
        package let turn: Int
        package let began: Int
        package let time: Duration
    }

    /// A request for the answer of a turn. It is started, or joined.
    package struct QueryDemand<Q: Query>: Effect, Hashable {
        package typealias Output = Q.Value

        package let key: Q.Key
        package let turn: Int
    }

    /// A use. It lasts as long as somebody performs this.
    package struct QueryUse<Q: Query>: Effect, Hashable {
        package let key: Q.Key
        /// Whether the value is fetched, and not only kept.
        package let isFetching: Bool

        package init(_ query: Q.Type, _ key: Q.Key, isFetching: Bool) {
            self.key = key
            self.isFetching = isFetching
        }
    }

    /// A request that nobody uses, and that nothing but its end ends.
    struct QueryLoad<Q: Query>: Effect, Hashable {
        let key: Q.Key
        let since: QueryMoment
    }

    /// What separates the requests of a key, when it was decided to ask.
    struct QueryMoment: Sendable, Hashable {
        let turn: Int
        let floor: Int
    }

    /// Ends outdated requests, and makes those again that are needed.
    package struct QueryRefresh<Q: Query>: Effect, Hashable {
        package let keys: [Q.Key]
        /// The requests of these keys that are outdated.
        let outdated: [QueryDemand<Q>]
        /// Whether the keys are asked for that are stale, and not only those that are invalid.
        package let includesStale: Bool
    }

    /// A mutation that is sent. Its number is decided in the step in which it is shown.
    package struct QuerySending<Q: Query>: Effect, Equatable {
        package let key: Q.Key
        package let mutation: Q.Mutation
        package let number: Int
    }
}

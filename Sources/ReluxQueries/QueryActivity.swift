import Relux

extension Relux {
    /// The present activity of a query's keys. Keys without any aren't in it.
    ///
    /// It is a state beside ``QueryState``, so that no reset leaves a request behind: whatever is kept, this isn't.
    struct QueryActivity<Q: Query>: State {
        typealias Action = Never

        struct Uses: OptionSet, Sendable, Hashable {
            let rawValue: UInt8
            static var fetching: Uses { Uses(rawValue: 1) }
            static var holding: Uses { Uses(rawValue: 2) }
        }

        struct Pending: Sendable, Equatable {
            let number: Int
            let mutation: Q.Mutation
        }

        struct Status: Identifiable, Sendable, Equatable {
            let id: Q.Key
            /// The turn of the newest request under way.
            var turn: Int?
            var failedAttempts = 0
            var uses: Uses = []
            /// The mutations under way, in their order.
            var pending: [Pending] = []
            /// The ends of the list at which a page is wanted, and the turn of the request that this has to wait for,
            /// or `Int.max`.
            var more: [PageEdge: Int] = [:]
            /// The number of prefetches whose answer no use has taken yet, and that weren't cancelled.
            var prefetches = 0
            /// Whether the next use takes the answer of a ``Prefetch``.
            var isPrefetched: Bool { prefetches > 0 }

            /// Whether the last request gave up, so that nothing asks again by itself.
            var isGivenUp = false

            /// Whether somebody wants an answer, even if no request is under way.
            var isAwaited: Bool { isPrefetched || uses.contains(.fetching) }

            /// Whether nobody uses, asks for or changes the key.
            var isIdle: Bool { turn == nil && uses.isEmpty && pending.isEmpty && more.isEmpty }
        }

        private(set) var statuses = Entities<Status>()

        private mutating func change(_ key: Q.Key, _ body: (inout Status) -> Void) {
            let present = statuses[id: key]
            var status = present ?? Status(id: key)
            body(&status)
            if status.isIdle, !status.isPrefetched {
                if present != nil { statuses.remove(id: key) }
            } else if status != present {
                statuses.upsert(status)
            }
        }

        mutating func reduce(_ event: QueryEvent<Q>) {
            switch event {
            case .fetched(let key, _, let stamp): end(stamp.turn, of: key)
            case .failed(let key, _, let turn), .stopped(let key, let turn): end(turn, of: key)
            case .givenUp(let key, let turn):
                change(key) { if $0.turn == turn { $0.isGivenUp = true } }
                end(turn, of: key)
            case .setback(let key, let turn): change(key) { if $0.turn == turn { $0.failedAttempts += 1 } }
            case .released(let key, let isFetching):
                change(key) { status in
                    status.uses.remove(isFetching ? .fetching : .holding)
                    // The last user takes the request along, also that of a prefetch.
                    if isFetching, status.turn != nil { status.prefetches = 0 }
                }
            case .confirmed(let key, _, let number, _, _, _), .rejected(let key, _, let number),
                .skipped(let key, _, let number):
                change(key) { $0.pending.removeAll { $0.number == number } }
            case .moreWanted(let key, let edge): change(key) { $0.more[edge] = $0.turn ?? .max }
            case .moreFailed(let key, let edge, _), .moreStopped(let key, let edge):
                change(key) { $0.more[edge] = nil }
            case .prefetchTaken(let key): change(key) { $0.prefetches = 0 }
            case .prefetchLeft(let key): change(key) { $0.prefetches = max($0.prefetches - 1, 0) }
            case .evicted(let keys): for key in keys { change(key) { $0.prefetches = 0 } }
            }
        }

        private mutating func end(_ turn: Int, of key: Q.Key) {
            change(key) { if $0.turn == turn { ($0.turn, $0.failedAttempts) = (nil, 0) } }
        }

        mutating func begin(_ demand: QueryDemand<Q>) {
            change(demand.key) { status in
                if status.turn.map({ $0 < demand.turn }) ?? true {
                    (status.turn, status.failedAttempts, status.isGivenUp) = (demand.turn, 0, false)
                }
            }
        }

        mutating func begin(_ prefetch: Prefetch<Q>) { change(prefetch.key) { $0.prefetches += 1 } }

        mutating func begin(_ use: QueryUse<Q>) {
            change(use.key) { $0.uses.insert(use.isFetching ? .fetching : .holding) }
        }

        mutating func begin(_ sending: QuerySending<Q>) {
            change(sending.key) { $0.pending.append(Pending(number: sending.number, mutation: sending.mutation)) }
        }

        mutating func forget(_ key: Q.Key) {
            change(key) { ($0.pending, $0.more, $0.prefetches) = ([], [:], 0) }
        }
    }
}

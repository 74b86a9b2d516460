import Relux

extension Relux.QueryRefresh {
    /// The refresh of the keys whose requests are outdated, and of those that are used and invalid.
    ///
    /// - Parameter keys: The keys that may be concerned; nil for all.
    static func needed(of keys: [Q.Key]?, in reader: borrowing Relux.StateReader) -> [any Relux.Action] {
        guard let activity = reader[Relux.QueryActivity<Q>.self], let state = reader[Relux.QueryState<Q>.self]
        else { return [] }
        let statuses = (keys?.compactMap { activity.statuses[id: $0] } ?? Array(activity.statuses))
            .filter { $0.outdated(in: state) != nil || $0.isMissing(in: state) }
        return made(of: statuses, outdated: statuses.compactMap { $0.outdated(in: state) })
    }

    /// The refresh after the end of a mutation.
    static func needed(
        by event: Relux.QueryEvent<Q>, in reader: borrowing Relux.StateReader
    ) -> [any Relux.Action] {
        switch event {
        case .confirmed(let key, _, _, _, _, _), .rejected(let key, _, _): needed(of: [key], in: reader)
        default: []
        }
    }

    /// The refresh of all that is used, if it is stale.
    static func ofStale(in reader: borrowing Relux.StateReader) -> [any Relux.Action] {
        let used = reader[Relux.QueryActivity<Q>.self]?.statuses.filter { $0.uses.contains(.fetching) } ?? []
        return made(of: used, includesStale: true)
    }

    private static func made(
        of statuses: [Relux.QueryActivity<Q>.Status], outdated: [Relux.QueryDemand<Q>] = [],
        includesStale: Bool = false
    ) -> [any Relux.Action] {
        statuses.isEmpty ? [] : [Self(keys: statuses.map(\.id), outdated: outdated, includesStale: includesStale)]
    }
}

extension Relux.QueryActivity.Status {
    /// The request under way, if something has outdated it. Those before it were outdated when it began.
    func outdated(in state: Relux.QueryState<Q>) -> Relux.QueryDemand<Q>? {
        turn.flatMap { $0 < state.floor(of: id) ? .init(key: id, turn: $0) : nil }
    }

    /// Whether a use waits for an answer that nobody may have asked for. While mutations are under way, the last of
    /// them decides.
    func isMissing(in state: Relux.QueryState<Q>) -> Bool {
        uses.contains(.fetching) && pending.isEmpty && !state.isValid(id)
    }

    /// Whether nothing has answered the key since something has outdated its value, or the request before.
    func isUnanswered(in state: Relux.QueryState<Q>) -> Bool {
        !isGivenUp && !state.isValid(id) && state.turn(of: id) == state.floor(of: id)
    }

    /// Whether a use is about to ask, although no request is under way.
    func isAboutToBeAsked(in state: Relux.QueryState<Q>) -> Bool { isMissing(in: state) && isUnanswered(in: state) }
}

/// Ends outdated requests, and makes those again that uses need.
struct Refresher<Q: Relux.Query>: Relux.Saga {
    let query: Q

    func run(_ refresh: Relux.QueryRefresh<Q>, in context: Relux.SagaContext) async throws {
        let state = try await context.state(of: Relux.QueryState<Q>.self)
        // A key that has been evicted meanwhile counts again from the beginning.
        for demand in refresh.outdated where demand.turn < state.floor(of: demand.key) {
            // One by one: a search for them would look at the requests of all keys.
            await context.cancel(Requester<Q>.self, id: demand)
        }
        try await context.refresh(query, refresh.keys, includesStale: refresh.includesStale)
    }
}

extension Relux.SagaContext {
    /// Asks for the keys that are used and invalid, or stale, until they are no longer used.
    nonisolated(nonsending) func refresh<Q: Relux.Query>(
        _ query: Q, _ keys: [Q.Key], includesStale: Bool = false
    ) async throws {
        let now = now
        let (state, needed) = try await read { reader in
            let state = try reader.state(of: Relux.QueryState<Q>.self)
            let activity = try reader.state(of: Relux.QueryActivity<Q>.self)
            let needed = keys.filter { key in
                guard let status = activity.statuses[id: key], status.uses.contains(.fetching) else { return false }
                return includesStale ? !state.isFresh(key, at: now, for: query) : status.isMissing(in: state)
            }
            return (state, needed)
        }
        try await withThrowingDiscardingTaskGroup { group in
            for key in needed {
                group.addTask {
                    try await whileAwaited(Q.self, key) { try await loadForUse(of: Q.self, key, since: state) }
                }
            }
        }
    }
}

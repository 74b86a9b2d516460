import Relux

/// A request that an invalidation, a write, or an answer has preceded. The performer looks again.
struct Outdated: Error {}

func isCancellation(_ error: any Error) -> Bool {
    if error is CancellationError { return true }
    if case .cancelled = error as? Relux.EffectError { return true }
    return false
}

/// Makes one request at a time for each key and turn, for all who want it.
struct Requester<Q: Relux.Query>: Relux.Flow {
    typealias Event = Relux.QueryEvent<Q>

    let query: Q

    func policy(for demand: Relux.QueryDemand<Q>) -> Relux.Policy { .shared(id: demand) }

    func actionOnCancel(_ demand: Relux.QueryDemand<Q>) -> (any Relux.Action)? {
        Event.stopped(demand.key, turn: demand.turn)
    }

    func actionOnFailure(_ demand: Relux.QueryDemand<Q>, _ error: any Error) -> (any Relux.Action)? {
        guard let failure = error as? Q.Failure else { return Event.stopped(demand.key, turn: demand.turn) }
        return Event.failed(demand.key, failure, turn: demand.turn)
    }

    func run(_ demand: Relux.QueryDemand<Q>, in context: Relux.SagaContext) async throws -> Q.Value {
        let (key, turn) = (demand.key, demand.turn)
        while true {
            let before = try await context.state(of: Relux.QueryState<Q>.self)
            guard before.turn(of: key) == turn else { throw Outdated() }
            let answer: Answer<Q>
            do {
                answer = try await context.retry(query.retry ?? .once) { _ in
                    await context.dispatch(Event.setback(key, turn: turn))
                } _: {
                    try await context.attempt(Q.self) { try await query.fetch(key, in: $0) }
                }
            } catch {
                guard isCancellation(error) else { throw query.failure(for: error) }
                if !Task.isCancelled { await context.finish(with: Event.givenUp(key, turn: turn)) }
                throw error
            }
            try Task.checkCancellation()
            let stamp = Relux.QueryStamp(turn: turn, began: answer.began, time: context.now)
            // The step of the answer ends the run, so that later callers start a new request.
            let lacksPage = await context.finish { reader, last in
                if let state = reader[Relux.QueryState<Q>.self],
                    query.lacksPage(answer.value, of: key, since: before, in: state)
                {
                    return true
                }
                last = [Event.fetched(key, answer.value, stamp)] + answer.actions
                return nil
            }
            if lacksPage == nil { return answer.value }
        }
    }
}

/// An answer, and when its request began.
struct Answer<Q: Relux.Query>: Sendable {
    let value: Q.Value
    let began: Int
    let actions: [any Relux.Action]
}

extension Relux.RetrySchedule {
    static var once: Self { .constant(.zero, attempts: 1) }
}

extension Relux.SagaContext {
    /// Asks once, and notes when.
    nonisolated(nonsending) func attempt<Q: Relux.Query>(
        _ query: Q.Type, _ ask: nonisolated(nonsending) (Relux.QueryRequest) async throws -> Q.Value
    ) async throws -> Answer<Q> {
        let (began, start) = try await read { reader in
            var start = Relux.QueryStart()
            for query in Q.provides { start.note(query, in: reader) }
            return (try reader.state(of: Relux.QueryState<Q>.self).time, start)
        }
        try Task.checkCancellation()
        let request = Relux.QueryRequest(self, start)
        return Answer(value: try await ask(request), began: began, actions: request.actions)
    }

    /// Requests a key until there is an answer that nothing has outdated, or a request fails.
    ///
    /// - Parameter decision: The moment in which this was found to be necessary. An answer that has arrived since is
    ///   taken.
    nonisolated(nonsending) func request<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, since decision: Relux.QueryMoment
    ) async throws -> Q.Value {
        var before = decision
        while true {
            try Task.checkCancellation()
            var failure: Relux.EffectError?
            var answer: Q.Value?
            do {
                answer = try await perform(Relux.QueryDemand<Q>(key: key, turn: before.turn))
            } catch {
                failure = error
            }
            let (now, value) = try await read { reader in
                (try reader.state(of: Relux.QueryState<Q>.self), reader.query(Q.self, key).value)
            }
            // The answer of an outdated request isn't what was asked for, whatever it is.
            let isOutdated = now.floor(of: key) > before.floor
            switch failure {
            case nil:
                // It may have been evicted already.
                if !isOutdated, let answer { return value ?? answer }
            case .failed(_ as Outdated):
                // The request that this one would have joined has just ended.
                if !isOutdated, let failure = now.records[id: key]?.failure { throw failure }
            case .failed(let error) where !isOutdated: throw error
            case .cancelled where now.turn(of: key) == before.turn: throw CancellationError()
            case .failed, .cancelled: break
            case .some(let error): throw error
            }
            // A write from meanwhile is an answer, too.
            if now.isAnswered(key), let value = value ?? answer { return value }
            before = now.moment(of: key)
        }
    }

    /// Fetches what isn't fresh. A failure is stored.
    nonisolated(nonsending) func keepFresh<Q: Relux.Query>(_ query: Q, _ key: Q.Key) async throws {
        let state = try await state(of: Relux.QueryState<Q>.self)
        if !state.isFresh(key, at: now, for: query) { try await load(Q.self, key, since: state.moment(of: key)) }
    }

    /// Fetches for a use: in a run that outlives it, if requests aren't cancelled with their users.
    nonisolated(nonsending) func loadForUse<Q: Relux.Query>(
        of query: Q.Type, _ key: Q.Key, since decision: Relux.QueryState<Q>
    ) async throws {
        let moment = decision.moment(of: key)
        if decision.cancelsUnused { return try await load(Q.self, key, since: moment) }
        await dispatch(Relux.QueryLoad<Q>(key: key, since: moment)).finished()
    }

    /// Fetches. A failure is stored.
    nonisolated(nonsending) func load<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, since decision: Relux.QueryMoment
    ) async throws {
        do {
            _ = try await request(Q.self, key, since: decision)
        } catch is Q.Failure {
            // It is in the state.
        } catch is CancellationError {
            try Task.checkCancellation()
        }
    }

    /// Does something for as long as a use or a prefetch awaits the answer of a key.
    nonisolated(nonsending) func whileAwaited<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask(operation: work)
            group.addTask { try await wait(for: key, of: query) { $0?.isAwaited != true } }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Waits until the activity of a key meets a condition, which isn't looked at for what happens to other keys.
    nonisolated(nonsending) func wait<Q: Relux.Query>(
        for key: Q.Key, of query: Q.Type, until isMet: @escaping @Sendable (Relux.QueryActivity<Q>.Status?) -> Bool
    ) async throws {
        let statuses = QueryPaths.paths(of: query).statuses
        for await isMet in values({ isMet($0[Relux.QueryActivity<Q>.self, statuses, id: key]) }) where isMet { return }
        throw CancellationError()
    }
}

struct Fetcher<Q: Relux.Query>: Relux.Flow {
    let query: Q

    func run(_ fetch: Relux.Fetch<Q>, in context: Relux.SagaContext) async throws -> Q.Value {
        let now = context.now
        let (state, value) = try await context.read { reader in
            (try reader.state(of: Relux.QueryState<Q>.self), reader.query(Q.self, fetch.key).value)
        }
        if fetch.mode == .ifStale, state.isFresh(fetch.key, at: now, for: query), let value { return value }
        return try await context.request(Q.self, fetch.key, since: state.moment(of: fetch.key))
    }
}

/// Fetches in advance, until the last user leaves, or the key is forgotten.
struct Prefetcher<Q: Relux.Query>: Relux.Saga {
    let query: Q

    func actionOnCancel(_ prefetch: Relux.Prefetch<Q>) -> (any Relux.Action)? {
        Relux.QueryEvent<Q>.prefetchLeft(prefetch.key)
    }

    func run(_ prefetch: Relux.Prefetch<Q>, in context: Relux.SagaContext) async throws {
        let key = prefetch.key
        if query.cancelsUnused {
            try await context.whileAwaited(Q.self, key) { try await context.keepFresh(query, key) }
        } else {
            try await context.keepFresh(query, key)
        }
        // A request that was cancelled has left nothing that a use could take.
        let isFruitless = try await context.read { reader in
            let status = try reader.state(of: Relux.QueryActivity<Q>.self).statuses[id: key]
            let hasAnswer = try reader.state(of: Relux.QueryState<Q>.self).hasAnswer(key)
            return status?.isPrefetched == true && status?.turn == nil && !hasAnswer
        }
        if isFruitless { await context.dispatch(Relux.QueryEvent<Q>.prefetchTaken(key)) }
    }
}

/// Makes requests that outlive their users.
struct Loader<Q: Relux.Query>: Relux.Saga {
    func run(_ load: Relux.QueryLoad<Q>, in context: Relux.SagaContext) async throws {
        try await context.load(Q.self, load.key, since: load.since)
    }
}

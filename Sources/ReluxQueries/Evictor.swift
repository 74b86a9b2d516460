import Relux

extension Relux.Evict {
    /// The eviction of the keys that nobody uses.
    func evictions(in reader: borrowing Relux.StateReader) -> [any Relux.Action] {
        guard let state = reader[Relux.QueryState<Q>.self], let activity = reader[Relux.QueryActivity<Q>.self]
        else { return [] }
        let keys =
            due.map { due in due.filter { state.records[id: $0.key]?.touches ?? 0 == $0.touches }.map(\.key) }
            ?? state.knownKeys
        let unused = keys.filter { state.isUnused($0, in: activity) }
        return unused.isEmpty ? [] : [Relux.QueryEvent<Q>.evicted(unused)]
    }
}

extension Relux.QueryState {
    func knows(_ key: Q.Key) -> Bool { kept.contains(id: key) || records.contains(id: key) }

    /// Whether a request of the key has been answered, or has failed.
    func hasAnswer(_ key: Q.Key) -> Bool { records[id: key].map { $0.fetchedAt != nil || $0.failure != nil } ?? false }

    /// Whether the key may be removed. A prefetch that is about to ask still needs it.
    func isUnused(_ key: Q.Key, in activity: Relux.QueryActivity<Q>) -> Bool {
        guard knows(key), let status = activity.statuses[id: key] else { return knows(key) }
        return status.isIdle && (!status.isPrefetched || hasAnswer(key))
    }

    /// The keys of all values and records: those of the values first, in the order in which they arrived.
    var knownKeys: [Q.Key] { kept.ids + records.ids.filter { !kept.contains(id: $0) } }
}

/// Removes what hasn't been used for a while: with one timer, which runs only while something is unused.
struct Evictor<Q: Relux.Query>: Relux.Watcher {
    let query: Q

    var listens: [any Relux.Action.Type] {
        [
            Relux.QueryEvent<Q>.self, Relux.QueryUse<Q>.self, Relux.QueryDemand<Q>.self, Relux.Provide<Q>.self,
            Relux.Forget<Q>.self, Relux.Prefetch<Q>.self,
        ]
    }

    func watch(in context: Relux.SagaContext) async throws {
        let actions = context.actionStream(
            ofAny: Relux.QueryEvent<Q>.self, Relux.QueryUse<Q>.self, Relux.QueryDemand<Q>.self, Relux.Provide<Q>.self,
            Relux.Forget<Q>.self, Relux.Prefetch<Q>.self)
        let line = UnusedLine<Q>()
        let known = try await context.state(of: Relux.QueryState<Q>.self)
        try await note(known.knownKeys, in: line, context)
        try await withThrowingDiscardingTaskGroup { group in
            var timer: AsyncStream<Never>.Continuation?
            func followLine() {
                switch line.changeTimer() {
                case .start:
                    let (end, finish) = AsyncStream.makeStream(of: Never.self)
                    timer = finish
                    group.addTask { await perform(until: end) { try await evict(from: line, in: context) } }
                case .stop: timer?.finish()
                case .none: break
                }
            }
            func evictExcess() async {
                let excess = line.removeAll(beyond: query.unusedLimit)
                if !excess.isEmpty { await context.dispatch(Relux.Evict<Q>(due: excess)) }
            }
            await evictExcess()
            followLine()
            for await action in actions {
                try await note(Self.keys(of: action), in: line, context)
                await evictExcess()
                followLine()
            }
            timer?.finish()
        }
    }

    /// Notes which of some keys are unused from now on, and which are used.
    private func note(_ keys: [Q.Key], in line: UnusedLine<Q>, _ context: Relux.SagaContext) async throws {
        guard !keys.isEmpty else { return }
        let now = context.now
        let found = try await context.read { reader in
            let state = try reader.state(of: Relux.QueryState<Q>.self)
            let activity = try reader.state(of: Relux.QueryActivity<Q>.self)
            return keys.map { key in
                (key, state.isUnused(key, in: activity) ? state.records[id: key]?.touches ?? 0 : nil)
            }
        }
        for (key, touches) in found { line.note(key, touches, at: now) }
    }

    private func evict(from line: UnusedLine<Q>, in context: Relux.SagaContext) async throws {
        while let time = line.firstTimeOrEnd() {
            try await context.sleep(for: max(time + query.keptFor - context.now, .zero))
            let due = line.removeAll(until: context.now - query.keptFor)
            if !due.isEmpty { await context.dispatch(Relux.Evict<Q>(due: due)) }
        }
    }

    private static func keys(of action: any Relux.Action) -> [Q.Key] {
        switch action {
        case let event as Relux.QueryEvent<Q>: event.keys
        case let use as Relux.QueryUse<Q>: [use.key]
        case let demand as Relux.QueryDemand<Q>: [demand.key]
        case let provide as Relux.Provide<Q>: provide.values.map(\.id)
        case let forget as Relux.Forget<Q>: [forget.key]
        case let prefetch as Relux.Prefetch<Q>: [prefetch.key]
        default: []
        }
    }
}

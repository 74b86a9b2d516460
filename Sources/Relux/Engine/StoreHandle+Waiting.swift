/// Waiting for one action or for a condition of a state.
extension Relux.StoreHandle {
    /// The next action of a type that matches.
    nonisolated(nonsending) func first<A: Relux.Action>(
        of type: A.Type, where matches: nonisolated(nonsending) (A) async -> Bool
    ) async throws -> A {
        try Task.checkCancellation()
        if let inbox = run?.inbox, inbox.keeps(type) {
            // In a watcher that listens to the type. What comes after the action stays for the next stream.
            while let action = await inbox.next(type) {
                if await matches(action) { return action }
            }
            throw CancellationError()
        }
        let buffer = StreamBuffer<A>()
        let origin = origin
        await core.enter(as: origin) { core, origin in
            guard run.map({ core.runs.addWait(buffer, of: $0.record.id) }) ?? true else { return buffer.finish() }
            core.subscribe(buffer, as: origin)
        }
        defer {
            core.post { [run] core in
                core.unsubscribe(buffer, as: origin)
                if let run { core.runs.removeWait(buffer, of: run.record.id) }
            }
        }
        while let action = await buffer.next() {
            if await matches(action) { return action }
        }
        throw CancellationError()
    }

    /// The value of a state as soon as it meets a condition.
    @usableFromInline
    nonisolated(nonsending) func wait<S: Relux.State>(
        for selection: StateSelection<S, Bool>, at site: Relux.CallSite
    ) async throws -> S {
        let query = ConditionQuery(selection: selection, site: site)
        let cursor = StateCursor<S>()
        while true {
            try Task.checkCancellation()
            let found = await core.enter(as: origin) { core, origin in
                find(query, cursor, in: core, as: origin)
            }
            switch try found.get() {
            case .value(let value):
                return value
            case .end:
                throw CancellationError()
            case .wait(let signal, let reads):
                let wasCancelled = await !signal.waitUnlessCancelled()
                core.post { [run, origin] core in
                    if wasCancelled { core.forget(signal, reads: reads, of: origin) }
                    if let run { core.runs.removeWait(signal, of: run.record.id) }
                }
            }
        }
    }

    /// Looks for the value.
    ///
    /// - Returns: The value, or what to wait for; `.end` if the store, the run, or the state has ended.
    private func find<S: Relux.State>(
        _ query: ConditionQuery<S>, _ cursor: StateCursor<S>, in core: isolated Core, as origin: Origin
    ) -> Result<StatePull<S>, Relux.StoreError> {
        guard run.map({ core.runs.isLive($0.record.id) }) ?? true else { return .success(.end) }
        if let met = cursor.last { return .success(.value(met)) }
        let isFirst = cursor.reads == nil
        switch core.place(of: origin) {
        case .missing(let missing):
            guard isFirst, core.phase == .open else { return .success(.end) }
            core.reporter.refused(.noInstance(missing), at: query.site)
            return .failure(.noInstance(missing, at: query.site))
        case .scope(let scope):
            let pull = query.pull(from: core, in: scope, cursor)
            switch pull {
            case .wait(let signal, _):
                if let run { core.runs.addWait(signal, of: run.record.id) }
            case .end where isFirst && core.phase == .open:
                return .failure(.stateNotOwned(S.self, at: query.site))
            case .value, .end:
                break
            }
            return .success(pull)
        }
    }
}

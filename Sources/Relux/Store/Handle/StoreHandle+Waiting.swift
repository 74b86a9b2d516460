/// Waiting for one action or for a condition of a state.
extension Relux.StoreHandle {
    /// The next action of a type that matches.
    nonisolated(nonsending) func first<A: Relux.Action>(
        of type: A.Type, where matches: nonisolated(nonsending) (A) async -> Bool
    ) async throws -> A {
        try Task.checkCancellation()
        let buffer = StreamBuffer<A>()
        let wait = await core.enter(as: origin) { core, origin in core.waitForActions(in: buffer, as: origin) }
        defer { core.post { [run] core in core.stopWaiting(wait, for: buffer, through: run) } }
        // In a watcher that listens to the type, what comes after the action stays for the next stream.
        while let action = await (wait.kept ?? buffer).next() {
            if await matches(action) { return action }
        }
        throw CancellationError()
    }

    /// The value of a state as soon as it meets a condition.
    nonisolated(nonsending) func wait<S: Relux.State>(
        until isMet: @escaping @Sendable (S) -> Bool, at site: Relux.CallSite
    ) async throws -> S {
        let cursor = StateCursor<S>(.condition(isMet, at: site))
        defer { core.post { [run] core in core.forget(cursor, in: run) } }
        while !Task.isCancelled {
            switch await core.enter(as: origin, { core, origin in core.pull(cursor, as: origin, endingWithRun: true) })
            {
            case .value(let value): return value
            case .end: throw CancellationError()
            case .missing(let error):
                if case .storeShutDown = error { throw CancellationError() }
                throw error
            case .wait(let signal):
                _ = await signal.waitUnlessCancelled()
            }
        }
        throw CancellationError()
    }
}

extension Core {
    /// What a task needs while it waits for actions.
    struct ActionWait<A: Relux.Action>: Sendable {
        /// A watcher's unclaimed stream of the type, which is read instead of a new one.
        var kept: StreamBuffer<A>?
        /// The number of the wait among those that end with the run.
        var ending: UInt64?
    }

    fileprivate func waitForActions<A: Relux.Action>(
        in buffer: StreamBuffer<A>, as origin: Origin
    ) -> ActionWait<A> {
        var wait = ActionWait<A>()
        if let run = origin.handle {
            if let kept = inboxes[run.id]?.stream(of: A.self) { return ActionWait(kept: kept) }
            wait.ending = runs.addWait(of: run.id) { _ in buffer.finish() }
            guard wait.ending != nil else {
                buffer.finish()
                return wait
            }
        }
        subscribe(buffer, to: [A.self], as: origin)
        return wait
    }

    fileprivate func stopWaiting<A: Relux.Action>(
        _ wait: ActionWait<A>, for buffer: StreamBuffer<A>, through run: RunHandle?
    ) {
        unsubscribe(buffer)
        if let run, let ending = wait.ending { runs.removeWait(ending, of: run.id) }
    }
}

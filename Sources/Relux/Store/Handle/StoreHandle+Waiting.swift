/// Waiting for one action or for a condition of a state.
extension Relux.StoreHandle {
    /// The next action of a type that matches.
    nonisolated(nonsending) func first<A: Relux.Action>(
        of type: A.Type, where matches: nonisolated(nonsending) (A) async -> Bool
    ) async throws -> A {
        try Task.checkCancellation()
        let buffer = StreamBuffer<A>()
        let wait = await core.enter(as: caller) { core, caller in core.waitForActions(in: buffer, as: caller) }
        defer {
            core.post { [run] core in
                core.dispatch.streams.unsubscribe(buffer)
                if let run, let ending = wait.ending { core.runs.removeWait(ending, of: run.id) }
            }
        }
        while let (number, action) = await buffer.nextNumbered() {
            // In a run that listens to the type, what comes after the action stays for the next stream.
            wait.kept?.removeElements(through: number)
            if await matches(action) { return action }
        }
        throw CancellationError()
    }

    /// The value of a state as soon as it meets a condition.
    nonisolated(nonsending) func wait<S: Relux.State>(
        until isMet: @escaping @Sendable (S) -> Bool, at site: Relux.CallSite
    ) async throws -> S {
        let cursor = StateCursor<S>(.condition(isMet, at: site), for: caller)
        defer { core.post { core in core.forget(cursor) } }
        while !Task.isCancelled {
            switch await core.enter(as: caller, { core, _ in core.pull(cursor) }) {
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

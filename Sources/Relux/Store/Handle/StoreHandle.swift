extension Relux {
    /// Identifies a store, a scope in it, and the run on whose behalf it is used. The verbs of ``ActionDispatching``,
    /// ``StateReading``, and ``ModuleManaging`` go through it.
    ///
    /// A type of your own conforms to these protocols by returning the handle of a store, a dispatcher, or a context.
    ///
    /// - Lifetime: It does not keep the store alive.
    public struct StoreHandle: Sendable {
        let core: Core
        /// The run whose context this is; nil for stores, scopes, and dispatchers.
        let run: RunHandle?
        /// The instance in which it is used; nil for the root.
        let scope: ScopeAddress?

        /// A store, a scope, or a dispatcher.
        init(_ core: Core, in scope: ScopeAddress? = nil) {
            (self.core, self.scope, run) = (core, scope, nil)
        }

        /// The context of a run.
        init(for run: RunHandle) {
            (core, scope, self.run) = (run.core, run.scope, run)
        }

        /// On whose behalf a call is made, and in which scope.
        var origin: Origin { run.map { Origin($0) } ?? Origin(in: scope, of: core) }
    }
}

// MARK: - Actions

extension Relux.StoreHandle {
    func send(_ action: some Relux.Action, at site: Relux.CallSite) {
        core.post { [origin] core in core.step(as: origin, at: site) { $0.take(action, in: &$1) } }
    }

    @inline(__always)
    nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: origin) { core, origin in core.step(as: origin, at: site) { $0.take(action, in: &$1) } }
        )
    }

    nonisolated(nonsending) func dispatch(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: origin) { core, origin in
                core.step(as: origin, at: site) { core, step in
                    for action in batch { core.take(action, in: &step) }
                }
            }
        )
    }

    nonisolated(nonsending) func dispatch(
        batch: [any Relux.Action], at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: origin) { core, origin in
                core.step(as: origin, at: site) { core, step in
                    for action in batch { core.take(action, in: &step) }
                }
            }
        )
    }
}

// MARK: - Effects

extension Relux.StoreHandle {
    /// Performs an effect and awaits what it triggers.
    ///
    /// A cancellation before the entry is noticed inside, and a later one by the handler, so none is lost. The handler
    /// is installed only after the entry, because its closure leaves the caller's actor: callers of one actor would
    /// then overtake each other on their way in, and fired callbacks would lose their order.
    nonisolated(nonsending) func perform<E: Relux.Effect>(
        _ effect: E, at site: Relux.CallSite
    ) async throws(Relux.EffectError) -> E.Output {
        let end = await core.enter(as: origin) { core, origin in core.perform(effect, as: origin, at: site) }
        let summary = await withTaskCancellationHandler {
            await end.wait()
        } onCancel: {
            end.abandon()
        }
        return try summary.output(of: E.Output.self)
    }
}

// MARK: - Now

extension Relux.StoreHandle {
    func dispatchNow(_ action: some Relux.Action, at site: Relux.CallSite) -> Relux.Dispatched {
        var receipt = Receipt(.insideStore)
        let isMade = enterNow { core, origin in
            receipt = core.step(as: origin, at: site) { $0.take(action, in: &$1) }
        }
        if !isMade { refuseInside(action, at: site) }
        return Relux.Dispatched(receipt)
    }

    func dispatchNow<A: Relux.Action>(
        contentsOf batch: some Collection<A> & Sendable, at site: Relux.CallSite
    ) -> Relux.Dispatched {
        var receipt = Receipt(.insideStore)
        let isMade = enterNow { core, origin in
            receipt = core.step(as: origin, at: site) { core, step in
                for action in batch { core.take(action, in: &step) }
            }
        }
        if !isMade { for action in batch { refuseInside(action, at: site) } }
        return Relux.Dispatched(receipt)
    }

    /// Whether the caller is on the main actor and not inside a store, so that a synchronous verb changes view states.
    var isOnMainActor: Bool { !StoreExecutor.currentThreadIsInside && core.mainActor.isCurrent() }

    /// Makes one call into the core. On the main actor, view states are up to date when this returns.
    ///
    /// - Returns: Whether the call was made: not if the thread is inside a store.
    func enterNow(_ body: (isolated Core, Origin) -> Void) -> Bool {
        let host = core.followerHost.withLock { $0.host }.flatMap { $0.isCurrent ? $0 : nil }
        guard let host else { return core.enterNow(as: origin, body) }
        // nonisolated(unsafe): called on this thread, before this returns.
        nonisolated(unsafe) let body = body
        let isMade = core.enterNow(as: origin) { core, origin in
            body(core, origin)
            // The host is updated below, and needs no turn of its own.
            core.leftovers.hasTouchedFollowers = false
        }
        if isMade { host.updateNow() }
        return isMade
    }

    /// Reports an action that was dispatched synchronously inside a store, when that store can be entered again.
    func refuseInside(_ action: some Relux.Action, at site: Relux.CallSite) {
        core.post { core in core.reporter.refused(.insideStore, action: action, at: site) }
    }

    func readNow<Value, Failure: Error>(
        _ body: (borrowing Relux.StateReader) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // nonisolated(unsafe), twice: executed on this thread, before this returns.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result<Value, Failure>?
        func read(_ reader: borrowing Relux.StateReader) {
            do throws(Failure) { result = .success(try body(reader)) } catch { result = .failure(error) }
        }
        if !core.enterNow(as: origin, { core, origin in read(core.reader(as: origin)) }) { read(Relux.StateReader()) }
        guard let result else { preconditionFailure("A reader has been lent.") }
        return try result.get()
    }

    func stateNow<S: Relux.State>(at site: Relux.CallSite) throws(Relux.StoreError) -> S {
        var state: S?
        var error = Relux.StoreError.insideStore(at: site)
        _ = core.enterNow(as: origin) { core, origin in
            let reader = core.reader(as: origin)
            state = reader[S.self]
            if state == nil { error = reader.reportMissing(S.self, at: site) }
        }
        guard let state else { throw error }
        return state
    }
}

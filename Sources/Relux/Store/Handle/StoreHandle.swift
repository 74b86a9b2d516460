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
        let run: Run?
        /// The instance in which it is used; nil for the root.
        let scope: ScopeAddress?

        /// A store, a scope, or a dispatcher.
        init(_ core: Core, in scope: ScopeAddress? = nil) {
            (self.core, self.scope, run) = (core, scope, nil)
        }

        /// The context of a run.
        init(for run: Run) {
            (core, scope, self.run) = (run.core, run.scope, run)
        }

        /// On whose behalf a call is made, and in which scope.
        var caller: Caller { run.map { Caller($0, in: scope, of: core) } ?? Caller(in: scope, of: core) }
    }
}

// MARK: - Actions

extension Relux.StoreHandle {
    func send(_ action: some Relux.Action, at site: Relux.CallSite) {
        core.post { [caller] core in core.step(of: action, as: caller, at: site) }
    }

    @inline(__always)
    nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: caller) { core, caller in core.step(of: action, as: caller, at: site) }
        )
    }

    nonisolated(nonsending) func dispatch(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: caller) { core, caller in
                var step = core.begin(as: caller, at: site)
                for action in batch { core.take(action, in: &step) }
                return core.end(&step)
            }
        )
    }

    /// - Parameter finishing: Whether these are the last actions of the run, which ends in the same step.
    nonisolated(nonsending) func dispatch(
        batch: [any Relux.Action], finishing: Bool = false, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: caller) { core, caller in
                // Without actions, nothing else would report a run that can't finish.
                guard !finishing || !batch.isEmpty || core.mayWrite(caller, at: site) else {
                    return Receipt(refusal: .cancelled)
                }
                return core.step(ofAll: batch, as: caller, at: site, for: finishing ? .finishing : .dispatching)
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
        let end = await core.enter(as: caller) { core, caller in core.perform(effect, as: caller, at: site) }
        let summary = await withTaskCancellationHandler {
            await end.wait()
        } onCancel: {
            end.abandon(in: core)
        }
        return try summary.output(of: E.Output.self)
    }
}

// MARK: - Now

extension Relux.StoreHandle {
    func dispatchNow(_ action: some Relux.Action, at site: Relux.CallSite) -> Relux.Dispatched {
        var receipt = Receipt(refusal: .cancelled)
        let isMade = enterNow { core, caller in
            receipt = core.step(of: action, as: caller, at: site)
        }
        if !isMade { refuseInside(action, at: site) }
        return Relux.Dispatched(receipt)
    }

    func dispatchNow<A: Relux.Action>(
        contentsOf batch: some Collection<A> & Sendable, at site: Relux.CallSite
    ) -> Relux.Dispatched {
        var receipt = Receipt(refusal: .cancelled)
        let isMade = enterNow { core, caller in
            var step = core.begin(as: caller, at: site)
            for action in batch { core.take(action, in: &step) }
            receipt = core.end(&step)
        }
        if !isMade { for action in batch { refuseInside(action, at: site) } }
        return Relux.Dispatched(receipt)
    }

    /// Whether the caller is on the main actor and not inside a store, so that a synchronous verb changes view states.
    var isOnMainActor: Bool { !StoreExecutor.currentThreadIsInside && core.mainActor.isCurrent() }

    /// Makes one call into the core. On the main actor, view states are up to date when this returns.
    ///
    /// - Returns: Whether the call was made: not if the thread is inside a store.
    func enterNow(_ body: (isolated Core, Caller) -> Void) -> Bool {
        let host = core.followerHost.withLock { $0.host }.flatMap { $0.isCurrent ? $0 : nil }
        guard let host else { return core.enterNow(as: caller, body) }
        // nonisolated(unsafe): called on this thread, before this returns.
        nonisolated(unsafe) let body = body
        let isMade = core.enterNow(as: caller) { core, caller in
            body(core, caller)
            // The host is updated below, and needs no turn of its own.
            core.followUp()
            core.readers.hostKnows()
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
        if !core.enterNow(as: caller, { core, caller in read(core.readers.reader(for: caller)) }) {
            read(Relux.StateReader())
        }
        guard let result else { preconditionFailure("A reader has been lent.") }
        return try result.get()
    }

    func stateNow<S: Relux.State>(at site: Relux.CallSite) throws(Relux.StoreError) -> S {
        var state: S?
        var error = Relux.StoreError.insideStore(at: site)
        _ = core.enterNow(as: caller) { core, caller in
            let reader = core.readers.reader(for: caller)
            state = reader[S.self]
            if state == nil { error = reader.reportMissing(S.self, at: site) }
        }
        guard let state else { throw error }
        return state
    }
}

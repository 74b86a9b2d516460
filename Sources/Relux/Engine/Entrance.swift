/// A way into a store, with whoever speaks: what stores, dispatchers and contexts have in common.
///
/// Builders and readers' closures are called where the caller is isolated, so that they may read what belongs to it.
@usableFromInline
struct Entrance: Sendable {
    let engine: Engine
    /// The run that speaks through its context; nil for stores and dispatchers.
    let handle: RunHandle?

    init(_ engine: Engine, for handle: RunHandle? = nil) {
        self.engine = engine
        self.handle = handle
    }

    var speaker: Speaker {
        if let handle { return Speaker(handle) }
        return engine.hasRuns.load(ordering: .acquiring) ? Speaker.ofCurrentTask(in: engine) : .outside
    }

    // MARK: Actions in

    @inline(__always)
    func send(_ action: some Relux.Action, at site: Relux.CallSite) {
        engine.post(Mailbox.Mail(action: action, speaker: speaker, site: site))
    }

    nonisolated(nonsending) func dispatch(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            engine.enter { [handle] core in core.dispatch(contentsOf: batch, by: core.speaker(handle), at: site) }
        )
    }

    nonisolated(nonsending) func dispatch(batch: [any Relux.Action], at site: Relux.CallSite) async
        -> Relux.Dispatched
    {
        await Relux.Dispatched(
            engine.enter { [handle] core in
                core.accept(batch: batch, Intake(speaker: core.speaker(handle), site: site))
            }
        )
    }

    /// Performs an effect and awaits what it set off.
    ///
    /// The completion exists, and hears of a cancellation, before the store is entered: so no cancellation in between
    /// is lost. It is posted, so it comes after what the cancelling task had sent before.
    @inline(__always)
    nonisolated(nonsending) func perform<E: Relux.Effect>(
        _ effect: E, at site: Relux.CallSite
    ) async throws(Relux.EffectError) -> E.Output {
        let isolation = #isolation
        let completion = Completion(group: engine.nextGroup(), engine)
        // The run begins here, in this thread, unless the caller is isolated or the store's executor has to decide.
        let mayBeginHere = isolation == nil && engine.executor == nil
        if mayBeginHere && engine.yields.isDue(at: completion.group) { await Task.yield() }
        let depth = mayBeginHere ? depthOfRuns() : 0
        // The closure below runs away from the caller's actor, which must not be left before there is a place.
        let turn = isolation == nil ? nil : engine.turn()
        await withTaskCancellationHandler {
            let beginning = await engine.enter(at: turn) { [handle] core in
                core.perform(effect, completion, depth: depth, by: core.speaker(handle), at: site)
            }
            if let beginning {
                // unsafeDowncast: a run that the caller begins was set off by the effect itself.
                unsafeDowncast(beginning.responder, to: Responder<E>.self).begin(beginning.run, for: effect)
                if completion.hasEnded { return }
            }
            _ = await withUnsafeContinuation { completion.enlist($0) }
        } onCancel: {
            completion.abandon()
        }
        return try completion.result()
    }

    /// How deep in this thread a run would stand that the caller begins, or 0 if so many have begun in each other that
    /// the stack might not last.
    private func depthOfRuns() -> Int {
        guard engine.hasRuns.load(ordering: .acquiring) else { return 1 }
        let depth = (CurrentRun.handle?.depth ?? 0) + 1
        return depth <= 8 ? depth : 0
    }

    // MARK: States out

    nonisolated(nonsending) func state<S: Relux.State>(of type: S.Type, at site: Relux.CallSite)
        async
        throws(Relux.StoreError) -> S
    {
        try await engine.enter { core throws(Relux.StoreError) in try core.state(of: type, at: site) }
    }

    nonisolated(nonsending) func read<Value: Sendable, Failure: Error>(
        _ body: @Sendable (borrowing Relux.StateReader) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await engine.enter { core throws(Failure) in try body(Relux.StateReader(core)) }
    }

    func values<S: Relux.State>(of type: S.Type, at site: Relux.CallSite) -> Relux.StateValues<S> {
        Relux.StateValues(engine, WholeStateQuery<S>(site: site))
    }

    @usableFromInline
    func values<S: Relux.State, Value: Equatable & Sendable>(
        _ selection: StateSelection<S, Value>, at site: Relux.CallSite
    ) -> Relux.StateValues<Value> {
        Relux.StateValues(engine, StateSelectionQuery(selection: selection, site: site))
    }

    func values<Value: Equatable & Sendable>(
        _ select: @escaping @Sendable (borrowing Relux.StateReader) throws -> Value
    ) -> Relux.StateValues<Value> {
        Relux.StateValues(engine, ReaderSelectionQuery(select: select))
    }

    // MARK: Modules and lifetime

    nonisolated(nonsending) func register(_ modules: [any Relux.Module], at site: Relux.CallSite)
        async
        throws(Relux.StoreError)
    {
        let speaker = speaker
        try await engine.enter { core throws(Relux.StoreError) in
            _ = try core.register(modules, as: .name, by: speaker, at: site)
        }
    }

    nonisolated(nonsending) func unregister(_ module: any Relux.Module.Type, at site: Relux.CallSite) async {
        let speaker = speaker
        await end(await engine.enter { core in core.unregister(module, by: speaker, at: site) })
    }

    nonisolated(nonsending) func attach(_ module: any Relux.Module, at site: Relux.CallSite)
        async
        throws(Relux.StoreError) -> Relux.Lease
    {
        let speaker = speaker
        let held = try await engine.enter { core throws(Relux.StoreError) in
            try core.register([module], as: .lease, by: speaker, at: site)
        }
        return Relux.Lease(on: type(of: module), lease: held.lease, generation: held.generation, engine)
    }

    nonisolated(nonsending) func reset(except kept: [any Relux.State.Type], at site: Relux.CallSite) async {
        let speaker = speaker
        await end(await engine.enter { core in core.reset(except: kept, by: speaker, at: site) })
    }

    nonisolated(nonsending) func cancel(_ saga: Any.Type, id: AnySendableHashable?) async {
        await engine.enter { [handle] core in
            guard core.mayWrite(core.speaker(handle), at: nil) else { return }
            core.cancel(saga, id: id)
        }
    }

    nonisolated(nonsending) func shutdown() async {
        let speaker = speaker
        await end(await engine.enter { core in core.shutDown(by: speaker) })
    }

    /// Awaits the end of runs that were cancelled; it isn't cut short, so that nothing of theirs is left afterwards.
    private nonisolated(nonsending) func end(_ completion: Completion?) async {
        await completion?.wait()
    }

    nonisolated(nonsending) func idle(within limit: Duration?) async throws(Relux.NotIdle) {
        let speaker = speaker
        let engine = engine
        let deadline = limit.map { engine.clock.now() + $0 }
        let rested = Signal()
        switch await engine.enter({ core in core.rest(for: speaker, rested) }) {
        case .idle: return
        case .never(let error): throw error
        case .busy: break
        }
        let timer = deadline.map { deadline in
            Task(executorPreference: engine.executor) {
                if (try? await engine.clock.sleep(deadline)) != nil { rested.fire() }
            }
        }
        let wasCancelled = await !rested.waitUnlessCancelled()
        timer?.cancel()
        let reason: Relux.NotIdle.Reason = wasCancelled ? .cancelled : .limitReached(limit ?? .zero)
        if let error = await engine.enter({ core in core.leave(rested, because: reason) }) { throw error }
    }
}

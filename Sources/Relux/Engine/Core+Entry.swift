/// The ways into the core.
extension Core {
    /// What a visit returns.
    // Not copyable, so that its output is handed on instead of being copied.
    struct Visit<Output: Sendable>: ~Copyable, Sendable {
        let output: Output
        let departures: Departures

        /// Cancels the departures on the caller's thread.
        @inline(__always)
        consuming func finish(isInRun: Bool?) -> Output {
            departures.cancel(isInRun: isInRun)
            return output
        }
    }

    /// Runs whose tasks are to be cancelled outside, because that executes cancellation handlers.
    struct Departures: Sendable {
        var runs = TinyList<RunHandle>()

        /// - Parameter isInRun: Whether the current task is a run's, of any store; nil if the caller hasn't looked.
        @inline(__always)
        func cancel(isInRun: Bool? = nil) {
            if !runs.isEmpty { cancelTasks(isInRun: isInRun) }
        }

        @inline(never)
        private func cancelTasks(isInRun: Bool?) {
            // Cancellation handlers act on nobody's behalf, whichever run's task cancels.
            guard isInRun ?? CurrentRun.isPresent else { return runs.forEach { $0.cancel() } }
            CurrentRun.$identity.withValue(.none) { runs.forEach { $0.cancel() } }
        }

        /// Cancels on the pool, and waits for it.
        @inline(never)
        func cancelElsewhere(carrier: (any TaskExecutor)?) async {
            await Task.detached(executorPreference: carrier) { cancel() }.value
        }
    }

    /// Makes one call into the core, after everything that was posted before.
    ///
    /// A caller that belongs to no actor enters on its own thread if the core is free. Any other caller becomes a job
    /// of the core's executor, in the order in which the callers leave their actor.
    ///
    /// - Parameters:
    ///   - origin: On whose behalf the call is made.
    ///   - body: What to do inside. It must not capture anything that it would be wrong to access away from the
    ///     caller's actor, which `@Sendable` ensures.
    nonisolated(nonsending) func enter<Output: Sendable>(
        as origin: Origin, _ body: @escaping @Sendable (isolated Core, Origin) -> Output
    ) async -> Output {
        // nonisolated(unsafe): the core makes the call once, and this reads the result after that. Here rather than in
        // the call, where the type isn't known, and each access to an optional would cost a metadata lookup.
        nonisolated(unsafe) var output: Output!
        await enter(as: origin, CoreCall { core, origin in output = body(core, origin) })
        return output
    }

    // inline(never): this would otherwise be copied into each verb.
    @inline(never)
    private nonisolated(nonsending) func enter(as origin: Origin, _ call: CoreCall) async {
        await enterInline(as: origin) { core, origin in call.body(core, origin) }
    }

    /// The same for the most frequent calls, which save an asynchronous call and two allocations.
    ///
    /// - Parameter isInRun: Whether the calling task is a run's, of any store; nil if the caller hasn't looked.
    @inline(__always)
    nonisolated(nonsending) func enterInline<Output: Sendable>(
        as origin: Origin, isInRun: Bool? = nil, _ body: @Sendable (isolated Core, Origin) -> Output
    ) async -> Output {
        if let visit = visitNow(from: #isolation, as: origin, isInRun: isInRun, body) {
            return visit.finish(isInRun: isInRun)
        }
        return await visitInTurn(as: origin, isInRun: isInRun, body)
    }

    /// Makes one call into the core on the caller's thread, if it is free and the caller belongs to no actor.
    @inline(__always)
    private nonisolated func visitNow<Output: Sendable>(
        from isolation: (any Actor)?, as origin: Origin, isInRun: Bool? = nil,
        _ body: @Sendable (isolated Core, Origin) -> Output
    ) -> Visit<Output>? {
        guard executor.tryOccupy(from: isolation) else { return nil }
        var visit: Visit<Output>?
        inside { core in visit = core.visit(as: origin, isInRun: isInRun, body) }
        executor.leave()
        return visit
    }

    /// Reports the end of a run. Called by the run's own task, outside its task-local values.
    // A method of its own because it is called once for each run: trying synchronously first saves an asynchronous
    // call.
    @inline(__always)
    nonisolated(nonsending) func end(_ run: RunHandle, _ result: RunResult) async {
        guard executor.tryOccupy(from: nil) else { return await endInTurn(run, result) }
        var departures = Departures()
        inside { core in departures = core.visitToEnd(run, result) }
        executor.leave()
        departures.cancel()
    }

    // inline(never): what this needs briefly would otherwise take memory for as long as the run lasts.
    @inline(never)
    private func endInTurn(_ run: RunHandle, _ result: RunResult) async {
        let departures = visitToEnd(run, result)
        if !departures.runs.isEmpty { await departures.cancelElsewhere(carrier: carrier) }
    }

    /// Takes an action: the fast path if possible.
    ///
    /// - Parameters:
    ///   - run: The run whose context is used; nil for stores, scopes, and dispatchers.
    ///   - scope: The instance in which the action is dispatched; nil for the root.
    // inline: the way of an action that concerns nothing but reducers is then one function in each verb.
    @inline(__always)
    nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, by run: RunHandle?, in scope: ScopeAddress?, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        if executor.tryOccupy(from: #isolation) {
            var sequence: UInt64 = 0
            inside { core in sequence = core.dispatchFast(action, of: run?.record.id ?? 0, in: scope, at: site) }
            executor.leave()
            if sequence != 0 { return Relux.Dispatched(DispatchResult(sequence: sequence)) }
        }
        return await dispatchSlow(action, by: run, in: scope, at: site)
    }

    @inline(never)
    private nonisolated(nonsending) func dispatchSlow(
        _ action: some Relux.Action, by run: RunHandle?, in scope: ScopeAddress?, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        // Looked up once, because that costs as much as the rest of a dispatch.
        let current = CurrentRun.inAnyStore
        let origin =
            if let run { Origin(run) } else { Origin(taskOf: CurrentRun.identity(current, in: self), in: scope) }
        return await Relux.Dispatched(
            enterInline(as: origin, isInRun: current.run != 0) { core, origin in
                core.dispatch(action, of: origin, at: site)
            }
        )
    }

    // MARK: Inside

    /// Calls into the core on a thread that occupies its executor.
    @inline(__always)
    private nonisolated func inside(_ body: (isolated Core) -> Void) {
        // unsafeBitCast: removes the isolation from the function's type, as `assumeIsolated` does after its check.
        // Here, occupying the executor is the check.
        unsafeBitCast(IsolatedCall { core, body in body(core) }, to: NonisolatedCall.self).function(self, body)
    }

    /// The visit of a caller that has become a job.
    ///
    /// The departures are cancelled before the caller's own executor is needed again: if that is busy, it must not hold
    /// up the cancellation of runs that may have nothing to do with the caller.
    private func visitInTurn<Output: Sendable>(
        as origin: Origin, isInRun: Bool? = nil, _ body: @Sendable (isolated Core, Origin) -> Output
    ) async -> Output {
        let visit = visit(as: origin, isInRun: isInRun, body)
        let departures = visit.departures
        if !departures.runs.isEmpty { await departures.cancelElsewhere(carrier: carrier) }
        return visit.output
    }

    @inline(never)
    private func visit<Output: Sendable>(
        as origin: Origin, isInRun: Bool?, _ body: @Sendable (isolated Core, Origin) -> Output
    ) -> Visit<Output> {
        var departures = TinyList<RunHandle>()
        guard isInRun ?? CurrentRun.isPresent else {
            let output = visitAsNobody(as: origin, body, &departures)
            return Visit(output: output, departures: Departures(runs: departures))
        }
        // User code that is executed inside acts on nobody's behalf, and neither do the tasks that it creates.
        let output = CurrentRun.$identity.withValue(.none) { visitAsNobody(as: origin, body, &departures) }
        return Visit(output: output, departures: Departures(runs: departures))
    }

    @inline(__always)
    private func visitAsNobody<Output: Sendable>(
        as origin: Origin, _ body: @Sendable (isolated Core, Origin) -> Output, _ departures: inout TinyList<RunHandle>
    ) -> Output {
        if mailbox.isOccupied { deliverMail() }
        let output = body(self, origin)
        departures = settle()
        return output
    }

    /// The visit of a run that ends, by its own task.
    @inline(never)
    private func visitToEnd(_ run: RunHandle, _ result: RunResult) -> Departures {
        var departures = Departures()
        // The task of a run that was started inside the store, or by a task that belongs to no run, has inherited none.
        if run.depth > 1, CurrentRun.isPresent {
            CurrentRun.$identity.withValue(.none) { departures = end(run, result) }
        } else {
            departures = end(run, result)
        }
        return departures
    }

    @inline(__always)
    private func end(_ run: RunHandle, _ result: RunResult) -> Departures {
        if mailbox.isOccupied { deliverMail() }
        runs.end(run, result)
        return Departures(runs: settle())
    }

    /// Ends every visit: reduces what cancelled runs clean up, and wakes those who wait for idleness.
    ///
    /// - Returns: The runs whose tasks are to be cancelled outside.
    // inline(never): this would otherwise be copied into each verb.
    @inline(never)
    private func settle() -> TinyList<RunHandle> {
        if runs.hasCleanups { cleanUp() }
        if runs.hasIdlers, runs.isIdle, !mailbox.isOccupied { runs.wakeIdlers() }
        if phase == .released { releaseUserCodeIfDone() }
        return runs.takeDepartures()
    }

    /// Reduces the `actionOnCancel` of the runs that were cancelled. A loop, because a cleanup may cancel further runs.
    func cleanUp() {
        while let cleanup = runs.nextCleanup() {
            guard phase == .open else { continue }
            // In the scope of the run. If that is gone, there is nothing left to clean up.
            guard case .scope(let scope) = place(of: Origin(in: cleanup.run.scope)) else { continue }
            dispatch(
                cleanup.action, Submission(.outside, in: scope, at: cleanup.run.record.callSite, cause: cleanup.run)
            )
        }
    }
}

// Two functions that differ only in their isolation. The compiler passes a function through a generic `unsafeBitCast`
// in its most general form, which would allocate two contexts for each call. Wrapped in a struct, it is passed as it
// is.
private struct IsolatedCall {
    let function: (isolated Core, (isolated Core) -> Void) -> Void

    init(_ function: @escaping (isolated Core, (isolated Core) -> Void) -> Void) {
        self.function = function
    }
}

private struct NonisolatedCall {
    let function: (Core, (isolated Core) -> Void) -> Void
}

/// Modules and the life of a store.
extension Relux.StoreHandle {
    nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], at site: Relux.CallSite
    ) async throws(Relux.StoreError) {
        _ = try await register(modules, isLease: false, at: site)
    }

    func registerNow(_ modules: [any Relux.Module], at site: Relux.CallSite) throws(Relux.StoreError) {
        try LibraryCopies.check()
        var result = Result<Void, Relux.StoreError>.failure(.insideStore(at: site))
        _ = core.enterNow(as: caller) { core, _ in
            do throws(Relux.StoreError) {
                result = .success(try core.registerNow(modules, at: site))
            } catch {
                result = .failure(error)
            }
        }
        try result.get()
    }

    nonisolated(nonsending) func attach(
        _ module: any Relux.Module, at site: Relux.CallSite
    ) async throws(Relux.StoreError) -> Relux.Lease {
        let held = try await register([module], isLease: true, at: site)
        return Relux.Lease(held.number, on: type(of: module), id: held.id, in: self)
    }

    /// - Parameter isLease: Whether a lease holds the modules, and not their names.
    /// - Returns: The number of the lease, and the id of the module that it holds.
    private nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], isLease: Bool, at site: Relux.CallSite
    ) async throws(Relux.StoreError) -> (number: UInt64, id: AnySendableHashable?) {
        try LibraryCopies.check()
        let (end, number, id) = await core.enter(as: caller) { core, caller in
            let (end, number, blueprints) = (Group(), core.modules.nextSerial(), modules.map { ModuleBlueprint($0) })
            let registration = PendingRegistration(
                number: number, modules: blueprints, holder: isLease ? number : nil, site: site,
                scope: { () throws(Relux.StoreError) in try core.scopeToChange(as: caller, at: site) },
                whenOver: { result in
                    if case .failure(let error) = result { end.note { $0.note(.failed(error)) } }
                    end.sealAlone()
                }
            )
            core.register(registration)
            return (end, number, blueprints.first?.id)
        }
        let summary = await withTaskCancellationHandler {
            await end.wait()
        } onCancel: {
            core.post { core in core.modules.cancelLoad(number) }
        }
        if let error = summary.failures.first as? Relux.StoreError { throw error }
        return (number, id)
    }

    nonisolated(nonsending) func replace(
        with module: any Relux.Module, at site: Relux.CallSite
    ) async throws(Relux.StoreError) {
        try await end { core, caller throws(Relux.StoreError) in
            try core.replace(with: module, as: caller, at: site)
        }
    }

    nonisolated(nonsending) func unregister(
        _ module: any Relux.Module.Type, id: AnySendableHashable?, at site: Relux.CallSite
    ) async {
        await end { core, caller in core.unregister(module, id: id, as: caller, at: site) }
    }

    nonisolated(nonsending) func reset(
        only modules: [any Relux.Module.Type]? = nil, except kept: [any Relux.State.Type] = [],
        sparing: Relux.ResetSparing, then action: (any Relux.Action)?, at site: Relux.CallSite
    ) async {
        await end { core, caller in
            core.reset(only: modules, except: kept, sparing: sparing, then: action, as: caller, at: site)
        }
    }

    nonisolated(nonsending) func cancel(_ saga: any Relux.Runnable.Type, _ ids: PolicyIDs, at site: Relux.CallSite)
        async
    {
        await core.enter(as: caller) { core, caller in
            let found = core.triggers(of: saga, ids, as: caller, at: site, orReport: .cancelledNothing(saga))
            core.cancel(found)
        }
    }

    nonisolated(nonsending) func cancel(_ lane: Relux.Lane, at site: Relux.CallSite) async {
        await core.enter(as: caller) { core, caller in core.cancel(lane, as: caller, at: site) }
    }

    nonisolated(nonsending) func flush(_ saga: any Relux.Runnable.Type, _ ids: PolicyIDs, at site: Relux.CallSite) async
    {
        await core.enter(as: caller) { core, caller in
            let found = core.triggers(of: saga, ids, as: caller, at: site, orReport: .flushedNothing(saga))
            core.carryOut(core.runs.startPending(found, now: core.clock.now()))
        }
    }

    nonisolated(nonsending) func shutdown() async {
        await end { core, _ in core.shutDown() }
    }

    /// Ends runs and states, and waits until these runs, and the last saves of these states, have ended.
    ///
    /// - Parameter body: Ends them, and returns the runs.
    nonisolated(nonsending) func end<Failure: Error>(
        _ body: @Sendable (isolated Core, Caller) throws(Failure) -> [Run]
    ) async throws(Failure) {
        let (runs, saves) = try await core.enter(as: caller) {
            core, caller -> Result<(Group?, Group), Failure> in
            do throws(Failure) {
                return .success((core.drain(try body(core, caller), for: caller), core.lastSaves()))
            } catch {
                return .failure(error)
            }
        }.get()
        _ = await runs?.wait()
        _ = await saves.wait()
    }

    // MARK: Saving

    nonisolated(nonsending) func saved(_ states: [any Relux.State.Type], at site: Relux.CallSite) async throws {
        try await waitForSaves(at: site) { core, caller in try core.save(states, as: caller, at: site) }
    }

    nonisolated(nonsending) func discardSaved(_ state: any Relux.State.Type, at site: Relux.CallSite) async throws {
        try await waitForSaves(at: site) { core, caller in try core.discardSaved(state, as: caller, at: site) }
    }

    private nonisolated(nonsending) func waitForSaves(
        at site: Relux.CallSite,
        _ body: @Sendable (isolated Core, Caller) throws -> (end: Group, runWait: UInt64?)
    ) async throws {
        let wait = try await core.enter(as: caller) { core, caller in Result { try body(core, caller) } }.get()
        let summary = await wait.end.waitUnlessCancelled()
        if let run, let runWait = wait.runWait { core.post { core in core.runs.removeWait(runWait, of: run.id) } }
        guard let summary else {
            core.post { core in core.abandon(saves: wait.end) }
            throw CancellationError()
        }
        switch summary.refusal {
        case nil: break
        case .storeShutDown: throw Relux.StoreError.storeShutDown(at: site)
        default: throw CancellationError()
        }
        if let error = summary.failures.first { throw error }
    }

    nonisolated(nonsending) func idle(within limit: Duration?) async throws(Relux.NotIdle) {
        let deadline = limit.map { core.clock.deadline(after: $0) }
        let waiter = caller.waiter
        guard let end = await core.enter(as: caller, { core, _ in core.rest(for: waiter) }) else { return }
        let timer = deadline.map { [core] deadline in
            Task(executorPreference: core.taskExecutor) {
                guard (try? await core.clock.sleep(until: deadline)) != nil else { return }
                await core.enter(as: .outside) { core, _ in
                    core.carryOut(core.runs.abandon(end) { $0.isExpired = true })
                }
            }
        }
        let summary = await end.wait(as: waiter, in: core)
        timer?.cancel()
        let reason: Relux.NotIdle.Reason
        switch summary.refusal {
        case _ where summary.isExpired: reason = .limitReached(limit ?? .zero)
        case nil: return
        case .cancelled: reason = .cancelled
        default: reason = .calledFromRun(waiter)
        }
        let error = await core.enter(as: .outside) { core, _ in core.stopResting(end, because: reason) }
        if let error { throw error }
    }
}

/// Modules and the life of a store.
extension Relux.StoreHandle {
    nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], at site: Relux.CallSite
    ) async throws(Relux.StoreError) {
        _ = try await register(modules, isLease: false, at: site)
    }

    func registerNow(_ modules: [any Relux.Module], at site: Relux.CallSite) throws(Relux.StoreError) {
        var result = Result<Void, Relux.StoreError>.failure(.insideStore(at: site))
        _ = core.enterNow(as: origin) { core, _ in
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
        let (step, number) = await core.enter(as: origin) { core, origin in
            let number = core.nextSerial()
            let registration = PendingRegistration(
                number: number, modules: modules.map { ModuleBlueprint($0) },
                holder: isLease ? .init(kind: .lease, number: number) : .name, site: site,
                scope: { () throws(Relux.StoreError) in try core.scopeToChange(as: origin, at: site) }
            )
            return (core.register(registration), number)
        }
        return try await (number, core.finish(step).get())
    }

    nonisolated(nonsending) func replace(
        with module: any Relux.Module, at site: Relux.CallSite
    ) async throws(Relux.StoreError) {
        try await end { core, origin throws(Relux.StoreError) in
            try core.replace(with: module, as: origin, at: site)
        }
    }

    nonisolated(nonsending) func unregister(
        _ module: any Relux.Module.Type, id: AnySendableHashable?, at site: Relux.CallSite
    ) async {
        await end { core, origin in core.unregister(module, id: id, as: origin, at: site) }
    }

    nonisolated(nonsending) func reset(
        except kept: [any Relux.State.Type], sparing: Relux.ResetSparing, at site: Relux.CallSite
    ) async {
        await end { core, origin in core.reset(except: kept, sparing: sparing, as: origin, at: site) }
    }

    nonisolated(nonsending) func cancel(_ saga: Any.Type, _ ids: PolicyIDs, at site: Relux.CallSite) async {
        await core.enter(as: origin) { core, origin in core.cancel(saga, ids, as: origin, at: site) }
    }

    nonisolated(nonsending) func cancel(_ lane: Relux.Lane, at site: Relux.CallSite) async {
        await core.enter(as: origin) { core, origin in core.cancel(lane, as: origin, at: site) }
    }

    nonisolated(nonsending) func shutdown() async {
        await end { core, origin in core.shutDown(as: origin) }
    }

    /// Ends runs and states, and waits until these runs, and the last saves of these states, have ended.
    ///
    /// - Parameter body: Ends them, and returns the end of the runs.
    nonisolated(nonsending) func end<Failure: Error>(
        _ body: @Sendable (isolated Core, Origin) throws(Failure) -> Completion?
    ) async throws(Failure) {
        let (runs, saves) = try await core.enter(as: origin) {
            core, origin -> Result<(Completion?, Completion?), Failure> in
            do throws(Failure) { return .success((try body(core, origin), core.lastSaves())) } catch {
                return .failure(error)
            }
        }.get()
        _ = await runs?.wait()
        _ = await saves?.wait()
    }

    // MARK: Saving

    nonisolated(nonsending) func saved(_ states: [any Relux.State.Type], at site: Relux.CallSite) async throws {
        try await waitForSaves(at: site) { core, origin in try core.save(states, as: origin, at: site) }
    }

    nonisolated(nonsending) func discardSaved(_ state: any Relux.State.Type, at site: Relux.CallSite) async throws {
        try await waitForSaves(at: site) { core, origin in try core.discardSaved(state, as: origin, at: site) }
    }

    private nonisolated(nonsending) func waitForSaves(
        at site: Relux.CallSite,
        _ body: @Sendable (isolated Core, Origin) throws -> (end: Completion, runWait: UInt64?)?
    ) async throws {
        let wait = try await core.enter(as: origin) { core, origin in Result { try body(core, origin) } }.get()
        guard let wait else { return }
        let waited = await wait.end.waitUnlessCancelled(as: 0)
        if let run, let runWait = wait.runWait { core.post { core in core.runs.removeWait(runWait, of: run.id) } }
        guard case .ended(let summary) = waited else {
            core.post { core in core.carryOut(core.runs.abandon(wait.end.group) { _ in }) }
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
        let waiter = origin.waiter
        guard let end = await core.enter(as: origin, { core, _ in core.rest(for: waiter) }) else { return }
        let timer = deadline.map { [core] deadline in
            Task(executorPreference: core.carrier) {
                guard (try? await core.clock.sleep(until: deadline)) != nil else { return }
                await core.enter(as: .outside) { core, _ in core.expire(end) }
            }
        }
        let waited = await end.waitUnlessCancelled(as: waiter)
        timer?.cancel()
        let reason: Relux.NotIdle.Reason
        switch waited {
        case .ended(let summary) where summary.isExpired: reason = .limitReached(limit ?? .zero)
        case .ended(let summary) where summary.refusal != nil: reason = .calledFromRun(waiter)
        case .ended: return
        case .cancelled, .never: reason = .cancelled
        }
        let error = await core.enter(as: .outside) { core, _ in core.stopResting(end, because: reason) }
        if let error { throw error }
    }
}

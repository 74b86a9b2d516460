/// Modules and the life of a store.
extension Relux.StoreHandle {
    nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], at site: Relux.CallSite
    ) async throws(Relux.StoreError) {
        _ = try await register(modules, holding: .name, at: site)
    }

    nonisolated(nonsending) func attach(
        _ module: any Relux.Module, at site: Relux.CallSite
    ) async throws(Relux.StoreError) -> Relux.Lease {
        Relux.Lease(try await register([module], holding: .lease, at: site), on: type(of: module), in: core)
    }

    private nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], holding hold: Core.Hold, at site: Relux.CallSite
    ) async throws(Relux.StoreError) -> Core.LeaseNumber {
        try await core.enter(as: core.origin(of: run)) {
            core, origin -> Result<Core.LeaseNumber, Relux.StoreError> in
            do throws(Relux.StoreError) {
                return .success(try core.register(modules, holding: hold, as: origin, at: site))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    nonisolated(nonsending) func unregister(_ module: any Relux.Module.Type, at site: Relux.CallSite) async {
        let halted = await core.enter(as: core.origin(of: run)) { core, origin in
            core.unregister(module, as: origin, at: site)
        }
        await halted?.wait()
    }

    nonisolated(nonsending) func reset(except kept: [any Relux.State.Type], at site: Relux.CallSite) async {
        let halted = await core.enter(as: core.origin(of: run)) { core, origin in
            core.reset(except: kept, as: origin, at: site)
        }
        await halted?.wait()
    }

    nonisolated(nonsending) func cancel(_ saga: Any.Type, id: AnySendableHashable?, at site: Relux.CallSite) async {
        await core.enter(as: core.origin(of: run)) { core, origin in
            guard core.mayWrite(origin, at: site) else { return }
            core.cancel(saga, id: id, at: site)
        }
    }

    nonisolated(nonsending) func cancel(_ lane: Relux.Lane, at site: Relux.CallSite) async {
        await core.enter(as: core.origin(of: run)) { core, origin in
            guard core.mayWrite(origin, at: site) else { return }
            core.cancel(lane)
        }
    }

    nonisolated(nonsending) func shutdown() async {
        let halted = await core.enter(as: core.origin(of: run)) { core, origin in core.shutDown(as: origin) }
        await halted?.wait()
    }

    nonisolated(nonsending) func idle(within limit: Duration?) async throws(Relux.NotIdle) {
        let waiter = CurrentRun.waiter(in: core)
        let deadline = limit.map { core.clock.deadline(after: $0) }
        let rested = Signal()
        switch await core.enter(as: .outside, { core, _ in core.rest(for: waiter, rested) }) {
        case .idle: return
        case .never(let error): throw error
        case .busy: break
        }
        let timer = deadline.map { [core] deadline in
            Task(executorPreference: core.carrier) {
                if (try? await core.clock.sleep(until: deadline)) != nil { rested.fire() }
            }
        }
        let wasCancelled = await !rested.waitUnlessCancelled()
        timer?.cancel()
        let reason: Relux.NotIdle.Reason = wasCancelled ? .cancelled : .limitReached(limit ?? .zero)
        let error = await core.enter(as: .outside) { core, _ in core.stopResting(rested, because: reason) }
        if let error { throw error }
    }
}

/// Modules and the life of a store.
extension Relux.StoreHandle {
    nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], at site: Relux.CallSite
    ) async throws(Relux.StoreError) {
        _ = try await register(modules, isLease: false, at: site)
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
        try await core.enter(as: origin) {
            core, origin -> Result<(number: UInt64, id: AnySendableHashable?), Relux.StoreError> in
            let number = isLease ? core.nextSerial() : 0
            do throws(Relux.StoreError) {
                let listed = try core.register(
                    modules, heldBy: isLease ? .lease(number) : .name, as: origin, at: site
                )
                return .success((number, listed.first?.id))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    nonisolated(nonsending) func replace(
        with module: any Relux.Module, at site: Relux.CallSite
    ) async throws(Relux.StoreError) {
        let halted = try await core.enter(as: origin) { core, origin -> Result<Completion?, Relux.StoreError> in
            do throws(Relux.StoreError) {
                return .success(try core.replace(with: module, as: origin, at: site))
            } catch {
                return .failure(error)
            }
        }.get()
        _ = await halted?.wait()
    }

    nonisolated(nonsending) func unregister(
        _ module: any Relux.Module.Type, id: AnySendableHashable?, at site: Relux.CallSite
    ) async {
        let halted = await core.enter(as: origin) { core, origin in
            core.unregister(module, id: id, as: origin, at: site)
        }
        _ = await halted?.wait()
    }

    nonisolated(nonsending) func reset(
        except kept: [any Relux.State.Type], sparing: Relux.ResetSparing, at site: Relux.CallSite
    ) async {
        let halted = await core.enter(as: origin) { core, origin in
            core.reset(except: kept, sparing: sparing, as: origin, at: site)
        }
        _ = await halted?.wait()
    }

    nonisolated(nonsending) func cancel(_ saga: Any.Type, _ ids: PolicyIDs, at site: Relux.CallSite) async {
        await core.enter(as: origin) { core, origin in core.cancel(saga, ids, as: origin, at: site) }
    }

    nonisolated(nonsending) func cancel(_ lane: Relux.Lane, at site: Relux.CallSite) async {
        await core.enter(as: origin) { core, origin in core.cancel(lane, as: origin, at: site) }
    }

    nonisolated(nonsending) func shutdown() async {
        let halted = await core.enter(as: origin) { core, origin in core.shutDown(as: origin) }
        _ = await halted?.wait()
    }

    nonisolated(nonsending) func idle(within limit: Duration?) async throws(Relux.NotIdle) {
        let deadline = limit.map { core.clock.deadline(after: $0) }
        let signal: Signal
        let place: UInt64
        switch await core.enter(as: origin, { core, origin in core.rest(for: origin.waiter) }) {
        case .isIdle: return
        case .never(let error): throw error
        case .wait(let found, let foundPlace): (signal, place) = (found, foundPlace)
        }
        let timer = deadline.map { [core] deadline in
            Task(executorPreference: core.carrier) {
                if (try? await core.clock.sleep(until: deadline)) != nil { signal.fire() }
            }
        }
        let wasCancelled = await !signal.waitUnlessCancelled()
        timer?.cancel()
        let reason: Relux.NotIdle.Reason = wasCancelled ? .cancelled : .limitReached(limit ?? .zero)
        let error = await core.enter(as: .outside) { core, _ in core.stopResting(place, because: reason) }
        if let error { throw error }
    }
}

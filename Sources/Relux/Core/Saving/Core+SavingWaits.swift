/// Waiting for saves: `saved()`, `discardSaved`, removals, and idleness.
extension Core {
    /// Saves states without waiting for their pace.
    ///
    /// - Returns: The end of these saves; nil if there is nothing to wait for. Its refusals and failures are those of
    ///   the call.
    func save(
        _ states: [any Relux.State.Type], as origin: Origin, at site: Relux.CallSite
    ) throws -> (end: Completion, runWait: UInt64?)? {
        let scope = try savedScope(as: origin, at: site)
        let keys = Set(states.map { ObjectIdentifier($0) })
        let around = keys.compactMap { scope.cell(of: $0)?.saving }
        let inside = scope.registrations.flatMap(\.savings)
        let ending = savings.inOrder.filter { saving in
            saving.isEnding && (scope.isRoot || saving.scope?.address?.path.contains { $0 == scope.address } == true)
        }
        let concerned = around + (inside + ending).filter { keys.isEmpty || keys.contains(ObjectIdentifier($0.state)) }
        for saving in concerned { saving.plan.hurry(at: clock.now()) }
        return try wait(for: concerned, as: origin)
    }

    /// Gives up what was saved of a state and could not be loaded, and saves the present value.
    func discardSaved(
        _ state: any Relux.State.Type, as origin: Origin, at site: Relux.CallSite
    ) throws -> (end: Completion, runWait: UInt64?)? {
        let scope = try savedScope(as: origin, at: site)
        guard let cell = scope.cell(of: ObjectIdentifier(state)) else {
            throw Relux.StoreError.stateNotOwned(state, at: site)
        }
        guard let saving = cell.saving else { return nil }
        if saving.failure.take() != nil { follow(saving) }
        saving.plan.noteErasure(at: clock.now())
        saving.plan.noteChange(by: clock.now(), savingAnything: true)
        return try wait(for: [saving], as: origin)
    }

    private func savedScope(as origin: Origin, at site: Relux.CallSite) throws -> ScopeNode {
        // Read on the caller's task, which executes this.
        guard !Task.isCancelled, phase != .open || staleRun(of: origin) == nil else { throw CancellationError() }
        return try openScope(of: origin, at: site)
    }

    private func wait(
        for concerned: [Saving], as origin: Origin
    ) throws -> (end: Completion, runWait: UInt64?)? {
        let end = end(of: concerned)
        leftovers.savings += concerned
        if let summary = end.summary {
            if let failure = summary.failures.first { throw failure }
            return nil
        }
        let runWait = origin.handle.flatMap { run in
            runs.addWait(of: run.id) { core in core.carryOut(core.runs.abandon(end.group) { $0.refusal = .cancelled }) }
        }
        return (end, runWait)
    }

    /// The end of everything that has been requested of some savings, with the failures of those that may not save.
    func end(of concerned: [Saving]) -> Completion {
        let end = runs.openGroup(self)
        for saving in concerned {
            if let failure = saving.failure {
                let error = Relux.StoreError.notLoaded(saving.state, failure)
                runs.updateSummary(of: end.group) { $0.note(.failed(error)) }
            }
            if saving.plan.add(end.group) { runs.add(saving.number, to: end.group) }
        }
        carryOut(runs.seal(end.group))
        return end
    }

    /// The end of the saves and erasures that a removal, a reset, a replacement, or the end of the store has caused.
    func lastSaves() -> Completion? {
        let concerned = phase == .open ? leftovers.savings.filter(\.isAwaited) : savings.inOrder
        let end = end(of: concerned)
        return end.summary == nil ? end : nil
    }

    /// The store was released: the callers that wait for saves are resumed at once.
    func abandonSavingWaits() {
        for saving in savings.inOrder {
            for group in saving.plan.takeAllWaits() { carryOut(runs.abandon(group) { $0.refusal = .storeShutDown }) }
        }
    }

    /// The loads and saves that keep the store from being idle.
    var busySaves: [Relux.NotIdle.BusyRun] {
        let saves = savings.busy.compactMap { savings.all[$0] }.map { saving in
            Relux.NotIdle.BusyRun(run: saving.record, phase: saving.plan.isRunning ? .active : .pending, waitsFor: [])
        }
        let loads = savings.registrations.values.flatMap { registration in
            registration.records.map { Relux.NotIdle.BusyRun(run: $0, phase: .active, waitsFor: []) }
        }
        return (saves + loads).sorted { $0.run.id < $1.run.id }
    }
}

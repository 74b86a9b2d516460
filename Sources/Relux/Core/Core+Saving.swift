/// Saving the states that modules persist: carrying out what ``Savings`` orders, and waiting for it.
extension Core {
    // MARK: Orders

    /// Carries out what has come due for the states to which something has happened in this visit.
    func save() {
        while savings.hasWork {
            for order in savings.advance() { carryOut(order) }
        }
        // After a shutdown, the failures of the last saves are still to come.
        if phase == .released || phase == .shutDown && savings.isEmpty { reporter.finishStreams() }
    }

    private func carryOut(_ order: Savings.Order) {
        switch order {
        case .start(let saving, let work): start(work, of: saving)
        case .wake(let saving, let due):
            let task = Task.detached(executorPreference: taskExecutor) { [weak self, clock, number = saving.number] in
                guard (try? await clock.sleep(until: due)) != nil else { return }
                await self?.enter(as: .outside) { core, _ in core.savings.noteTime(due, for: number) }
            }
            saving.timer = (due, task)
        case .follow(let saving): follow(saving, saving.persistence)
        case .endWaits(let groups, let saving): endWaits(groups, for: saving)
        }
    }

    private func start(_ work: @escaping @Sendable () async throws -> Void, of saving: Saving) {
        Task.detached(executorPreference: taskExecutor) { [number = saving.number] in
            var failure: (any Error)?
            do {
                try await CurrentRun.$inherited.withValue(.noRun(of: self)) { try await work() }
            } catch {
                failure = error
            }
            await self.enter(as: .outside) { [failure] core, _ in core.endOperation(of: number, failure) }
        }
    }

    private func endOperation(of number: UInt64, _ failure: (any Error)?) {
        guard let saving = savings[number] else { return }
        if let failure { reporter.failed(saving.record, failure) }
        endWaits(savings.endOperation(of: saving, failed: failure != nil), for: saving, failure)
    }

    private func endWaits(_ groups: [Group], for saving: Saving, _ failure: (any Error)? = nil) {
        for group in groups { carryOut(runs.endMember(of: group, failure)) }
        savings.resume(saving)
    }

    // MARK: Changes by others

    /// Takes in what others save from now on.
    private func follow<P: Relux.StatePersistence>(_ saving: Saving, _ persistence: P) {
        // What was noted twice in this visit was ordered twice.
        guard saving.follower == nil else { return }
        saving.followers += 1
        let (number, follower) = (saving.number, saving.followers)
        // Taken out, so that the task doesn't keep a value that has long been replaced.
        let first = Lock(saving.cell.typed(as: P.S.self)?.value)
        saving.follower = Task.detached(executorPreference: taskExecutor) { [weak self, clock] in
            let report: @Sendable (any Error, Int) async -> Void = { [weak self] error, attempt in
                await self?.enter(as: .outside) { core, _ in
                    guard let saving = core.savings[number], !saving.isEnding else { return }
                    core.reporter.failed(saving.record, error)
                }
                try? await clock.sleep(until: clock.deadline(after: .seconds(min(60, 1 << min(attempt - 1, 6)))))
            }
            guard let changes = first.withLock({ $0.take() }).map({ persistence.changes(since: $0, onFailure: report) })
            else { return }
            for await action in changes {
                while let end = await self?.enter(
                    as: .outside, { core, _ in core.takeIn(action, for: number, from: follower) }
                ) {
                    guard await end.waitUnlessCancelled() != nil else { return }
                }
            }
        }
    }

    /// Reduces what others have saved. If the state then has it, it counts as saved; what else the step changes
    /// doesn't.
    ///
    /// Only if nothing is unsaved or being saved, which would know nothing of it.
    ///
    /// - Returns: The end of the saves to wait for before trying again; nil if it is done.
    private func takeIn(_ action: some Relux.Action, for number: UInt64, from follower: Int) -> Group? {
        // An earlier follower may still wait with what it has read for a persistence that was replaced since.
        guard let saving = savings[number], !saving.isEnding, saving.followers == follower else { return nil }
        guard saving.plan.isDone else {
            // A failed operation still waits for another request.
            if saving.plan.isBusy { savings.hurry(saving) }
            return savings.end(of: [saving])
        }
        guard saving.persistence.willTakeIn() else { return nil }
        let before = saving.cell.anyValue
        var step = begin(as: .nobody(in: saving.scope?.address), at: saving.site)
        // Before rules change more.
        take(action, in: &step) { saving.noteTakenIn(action, since: before) }
        _ = end(&step)
        return nil
    }

    // MARK: Waiting

    /// Saves states without waiting for their pace.
    ///
    /// - Returns: The end of these saves, whose refusals and failures are those of the call; and the number of what
    ///   ends the wait with the caller's run.
    func save(
        _ states: [any Relux.State.Type], as caller: Caller, at site: Relux.CallSite
    ) throws -> (end: Group, runWait: UInt64?) {
        let scope = try savedScope(as: caller, at: site)
        let around = states.compactMap { scope.cell(of: $0) }.compactMap { savings.saving(of: $0) }
        let others = states.isEmpty || scope.hasInstances ? savings.inOrder : []
        let inside = others.filter { saving in
            scope.isRoot || saving.scope?.address?.path.contains { $0 == scope.address } == true
        }
        let concerned = around + inside.filter { saving in states.isEmpty || states.contains { $0 == saving.state } }
        for saving in concerned { savings.hurry(saving) }
        return wait(for: concerned, as: caller)
    }

    /// Gives up what was saved of a state and could not be loaded, and saves the present value.
    func discardSaved(
        _ state: any Relux.State.Type, as caller: Caller, at site: Relux.CallSite
    ) throws -> (end: Group, runWait: UInt64?) {
        let scope = try savedScope(as: caller, at: site)
        guard let cell = scope.cell(of: state) else {
            throw Relux.StoreError.stateNotOwned(state, at: site)
        }
        let saving = savings.saving(of: cell)
        if let saving { savings.discardSaved(saving) }
        return wait(for: saving.map { [$0] } ?? [], as: caller)
    }

    private func savedScope(as caller: Caller, at site: Relux.CallSite) throws -> ScopeNode {
        // Read on the caller's task, which executes this.
        guard !Task.isCancelled, phase != .open || staleRun(of: caller) == nil else { throw CancellationError() }
        return try openScope(of: caller, at: site)
    }

    private func wait(for concerned: [Saving], as caller: Caller) -> (end: Group, runWait: UInt64?) {
        let end = savings.end(of: concerned)
        let run = end.isComplete ? nil : caller.context?.id
        let runWait = run.flatMap { runs.addWait(of: $0) { self.abandon(saves: end) } }
        return (end, runWait)
    }

    /// Gives up a wait for saves.
    func abandon(saves end: Group) {
        carryOut(runs.abandon(end) { $0.refusal = .cancelled })
        savings.forget(end)
    }

    /// The end of the saves and erasures that a removal, a reset, a replacement, or the end of the store has caused.
    func lastSaves() -> Group { savings.end(of: phase == .open ? savings.awaited : savings.inOrder) }
}

/// Saving the states that modules persist.
///
/// A state is followed like any reader follows it: a wait for the next change, which ends when a value is worth saving,
/// and begins again when that is being saved. In between, a change costs nothing. What happens is noted in the
/// ``SavingPlan``, and carried out at the end of the visit.
extension Core {
    // MARK: Connecting

    /// Saves a state of a module that has just been connected.
    ///
    /// - Parameters:
    ///   - scope: Where the module's states are.
    ///   - isGiven: Whether the state started with a value of the configuration.
    ///   - loaded: What was found when it was loaded.
    func connect(
        _ persistence: any Relux.StatePersistence, of cell: AnyStateCell, in scope: ScopeNode, isGiven: Bool,
        _ loaded: Loaded?, at site: Relux.CallSite
    ) {
        let saving = Saving(
            runs.nextRun(), persistence, at: SavingPlace(of: persistence, in: scope.address), of: cell,
            in: scope.name(in: self), at: site, run: runs.nextRun()
        )
        cell.saving = saving
        savings.add(saving)
        if let failure = loaded?.failure {
            if persistence.unreadable.kind == .startUnsaved { saving.failure = failure }
            reporter.refused(.notLoaded(failure), of: cell.state, at: site)
        }
        if isGiven { saving.plan.noteChange(by: deadline(of: saving), savingAnything: true) }
        if saving.failure == nil { follow(saving) }
        leftovers.savings.append(saving)
    }

    /// Takes in what others save from now on.
    func follow(_ saving: Saving) {
        if let earlier = saving.follower { leftovers.cancellations.append(earlier) }
        let following = saving.persistence.following(saving.cell, for: saving.number, in: self)
        saving.follower = Task.detached(executorPreference: carrier, operation: following)
    }

    /// Reduces what others have saved. The result counts as saved.
    ///
    /// Only if nothing is unsaved or being saved, which would know nothing of it.
    ///
    /// - Returns: The end of the saves to wait for before trying again; nil if it is done.
    func takeIn(_ action: some Relux.Action, for number: UInt64) -> Completion? {
        guard let saving = savings.all[number], !saving.isEnding else { return nil }
        guard saving.plan.isDone else {
            saving.plan.hurryUnlessFailed(at: clock.now())
            leftovers.savings.append(saving)
            return end(of: [saving])
        }
        guard saving.persistence.willTakeIn() else { return nil }
        saving.isTakingIn = true
        step(as: .nobody(in: saving.scope?.address), at: saving.site) { $0.take(action, in: &$1) }
        saving.isTakingIn = false
        return nil
    }

    /// The persistences of a module continue with those of the module that replaces it.
    func replaceSavings(of registration: ModuleRegistration, with new: ModuleBlueprint) {
        for saving in registration.savings {
            guard let persistence = new.persistence(of: saving.state) else { continue }
            let place = SavingPlace(of: persistence, in: registration.content.address)
            if let earlier = saving.replacement?.place, earlier != saving.place { savings.places[earlier] = nil }
            savings.places[place] = saving.number
            saving.isAwaited = true
            saving.plan.hurry(at: clock.now())
            saving.replacement = (persistence, place, due: end(of: [saving]))
            continueReplaced(saving)
            leftovers.savings.append(saving)
        }
    }

    /// Checks that a replacement saves the same states, each where no other one is saved, and that nothing has to be
    /// loaded for it.
    func checkSavings(
        of new: ModulePlan.Entry, adding added: ArraySlice<ModulePlan.Entry>
    ) throws(Relux.StoreError) {
        guard !ignoresPersistence else { return }
        let persisted = Set(new.blueprint.persistence.map { ObjectIdentifier($0.state) })
        guard persisted == Set(new.registration.savings.map { ObjectIdentifier($0.state) }) else {
            throw .otherStates(of: new.registration.module)
        }
        var states: [SavingPlace: any Relux.State.Type] = [:]
        for persistence in new.blueprint.persistence {
            let (state, place) = (persistence.state, SavingPlace(of: persistence, in: new.registration.content.address))
            if let other = states.updateValue(state, forKey: place) { throw .savedTwice(other, and: state) }
            let own = new.registration.savings.first { $0.state == state }
            if let other = savings.saving(at: place), other !== own { throw .savedTwice(other.state, and: state) }
            if savings.loading[place] != nil { throw .savedTwice(state, and: state) }
        }
        // What it newly depends on is connected at once.
        for entry in added where !entry.blueprint.persistence.isEmpty {
            throw .needsLoading(entry.blueprint.module)
        }
    }

    private func continueReplaced(_ saving: Saving) {
        guard let old = saving.replaceIfDue() else { return }
        if old != saving.place { savings.places[old] = nil }
        if saving.failure == nil, !saving.isEnding { follow(saving) }
        // What the old one has failed to save.
        saving.plan.hurry(at: clock.now())
    }

    // MARK: Changes

    private func deadline(of saving: Saving) -> Duration {
        saving.persistence.pace.limit.map { clock.deadline(after: $0) } ?? clock.now()
    }

    /// Lets a saving wait for the next change that is worth saving.
    private func awaitChange(_ saving: Saving) {
        guard !saving.plan.isUnsaved, saving.failure == nil, !saving.isEnding else { return }
        saving.follow([saving.cell.source])
    }

    /// A state has changed whose next change is awaited. Once it has to be saved, further changes don't matter.
    func noteChange(of saving: Saving) {
        if saving.isTakingIn { return saving.notePresentValue() }
        guard saving.isWorthSaving else { return }
        saving.stopFollowing()
        saving.plan.noteChange(by: deadline(of: saving))
        leftovers.savings.append(saving)
    }

    /// A state has returned to its initial value, and its readers have not been told yet.
    func noteReset(of cell: AnyStateCell) {
        guard let saving = cell.saving, saving.failure == nil else { return }
        switch saving.persistence.onReset.kind {
        case .save: return
        case .keep:
            let vain = saving.plan.forgetChange()
            for group in vain { runs.updateSummary(of: group) { $0.refusal = .cancelled } }
            endWaits(vain, for: saving)
        case .erase:
            saving.plan.noteErasure(at: clock.now())
            saving.isAwaited = true
        }
        saving.notePresentValue()
        leftovers.savings.append(saving)
    }

    /// The module of a state is gone, or the store has ended.
    func endSaving(of cell: AnyStateCell) {
        // Each refers to the other.
        guard let saving = cell.saving.take() else { return }
        (saving.isEnding, saving.isAwaited) = (true, true)
        if let follower = saving.follower.take() { leftovers.cancellations.append(follower) }
        if !saving.places.isEmpty {
            saving.stopFollowing()
            // The step that ends it may have changed it first.
            if saving.isWorthSaving { saving.plan.noteChange(by: clock.now()) }
        }
        if phase == .open, saving.failure == nil, saving.persistence.onRemoval.kind == .erase {
            saving.plan.noteErasure(at: clock.now())
        }
        saving.plan.hurry(at: clock.now())
        leftovers.savings.append(saving)
    }

    /// What is left of a state whose module has gone is done now, or given up.
    func tryOnceMore(_ saving: Saving) {
        saving.isLastTry = true
        saving.plan.hurry(at: clock.now())
        leftovers.savings.append(saving)
    }

    // MARK: Operations

    /// Carries out what has come due for the states to which something has happened in this visit.
    func advanceSavings() {
        while let saving = leftovers.savings.popLast() {
            saving.isAwaited = false
            advance(saving)
            if saving.plan.isBusy { savings.busy.insert(saving.number) } else { savings.busy.remove(saving.number) }
            // What has failed stays, and is tried again by `saved()`, or at the end.
            if saving.isEnding, !saving.plan.isBusy, saving.plan.isDone || saving.isLastTry || saving.failure != nil {
                savings.remove(saving)
            }
        }
        if phase != .open, savings.all.isEmpty { reporter.finishStreams() }
    }

    private func advance(_ saving: Saving) {
        var step = saving.plan.next(at: clock.now())
        if step == .start(.save), !saving.plan.savesAnything, !saving.isWorthSaving {
            endWaits(saving.plan.forgetChange(), for: saving)
            step = .rest
        }
        switch step {
        case .start(let operation):
            stopTimer(of: saving)
            saving.plan.start(operation)
            start(saving.work(of: operation), of: saving.number)
        case .wake(let due):
            guard saving.timer?.due != due else { break }
            stopTimer(of: saving)
            let task = Task.detached(executorPreference: carrier) { [weak self, clock, number = saving.number] in
                guard (try? await clock.sleep(until: due)) != nil else { return }
                await self?.enter(as: .outside) { core, _ in
                    if let saving = core.savings.all[number] { core.leftovers.savings.append(saving) }
                }
            }
            saving.timer = (due, task)
        case .rest:
            stopTimer(of: saving)
            continueReplaced(saving)
        }
        awaitChange(saving)
    }

    private func stopTimer(of saving: Saving) {
        if let timer = saving.timer.take() { leftovers.cancellations.append(timer.task) }
    }

    private func start(_ work: @escaping @Sendable () async throws -> Void, of number: UInt64) {
        Task.detached(executorPreference: carrier) {
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
        guard let saving = savings.all[number] else { return }
        let ended = saving.plan.end(failed: failure != nil)
        if let failure { reporter.failed(saving.record, failure) }
        saving.run = runs.nextRun()
        endWaits(ended, for: saving, failure)
        continueReplaced(saving)
        leftovers.savings.append(saving)
    }

    private func endWaits(_ groups: [GroupID], for saving: Saving, _ failure: (any Error)? = nil) {
        for group in groups { carryOut(runs.end(saving.number, in: group, failure)) }
    }
}

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
    ///   - isGiven: Whether the state started with a value of the configuration.
    ///   - loaded: What was found when it was loaded.
    func connect<P: Relux.StatePersistence>(
        _ persistence: P, _ registration: ModuleRegistration, isGiven: Bool, _ loaded: Loaded?, at site: Relux.CallSite
    ) {
        let scope = registration.content
        guard let cell = scope.cells[ObjectIdentifier(P.S.self)]?.typed(as: P.S.self) else { return }
        let saving = Saving(
            nextSerial(), persistence, at: SavingPlace(of: persistence, in: scope.address), of: cell,
            in: scope.name(in: self), at: site
        )
        saving.run = runs.nextRun()
        cell.saving = saving
        savings.add(saving)
        if let failure = loaded?.failure {
            if persistence.unreadable.kind == .startUnsaved { saving.failure = failure }
            reporter.refused(.notLoaded(failure), of: P.S.self, at: site)
        }
        if isGiven { saving.plan.noteChange(by: deadline(of: saving), savingAnything: true) }
        if saving.failure == nil { follow(saving) }
        savings.touched.append(saving)
    }

    /// Takes in what others save from now on.
    private func follow(_ saving: AnySaving) {
        if let earlier = saving.follower { leftovers.tasks.append(earlier) }
        saving.follower = Task.detached(executorPreference: carrier, operation: saving.following(in: self))
    }

    /// Reduces what others have saved. The result counts as saved.
    ///
    /// Only if nothing is unsaved or being saved, which would know nothing of it.
    ///
    /// - Returns: The end of the operation to wait for before trying again; nil if it is done.
    func takeIn(_ action: some Relux.Action, for number: UInt64) -> Signal? {
        guard let saving = savings.all[number], !saving.isEnding else { return nil }
        guard saving.plan.isDone else {
            saving.plan.hurryUnlessFailed(at: clock.now())
            savings.touched.append(saving)
            let end = saving.operationEnd ?? Signal()
            saving.operationEnd = end
            return end
        }
        guard saving.willTakeIn() else { return nil }
        saving.isTakingIn = true
        step(as: .nobody(in: saving.scope?.address), at: saving.site) { $0.take(action, in: &$1) }
        saving.isTakingIn = false
        return nil
    }

    /// The persistences of a module continue with those of the module that replaces it.
    func replaceSavings(of registration: ModuleRegistration, with new: ModuleBlueprint) {
        for saving in registration.savings {
            guard let persistence = new.persistence.first(where: { $0.state == saving.state }) else { continue }
            let place = SavingPlace(of: persistence, in: registration.content.address)
            saving.replace(with: persistence, at: place)
            savings.places[place] = saving.number
            saving.isAwaited = true
            saving.plan.hurry(at: clock.now())
            continueReplaced(saving, hasFailed: false)
            savings.touched.append(saving)
        }
    }

    /// Checks that no other state is saved where a replacement would save.
    func checkPlaces(of new: ModulePlan.Entry, _ plan: borrowing ModulePlan) throws(Relux.StoreError) {
        for persistence in new.blueprint.persistence {
            let (state, place) = (persistence.state, SavingPlace(of: persistence, in: new.registration.content.address))
            if let other = savings.saving(at: place), !new.registration.savings.contains(where: { $0 === other }) {
                throw .savedTwice(other.state, and: state)
            }
            if savings.loading[place] != nil { throw .savedTwice(state, and: state) }
        }
        // What it newly depends on is connected at once.
        for entry in plan.entries where !ignoresPersistence && !entry.blueprint.persistence.isEmpty {
            throw .needsLoading(entry.blueprint.module)
        }
    }

    private func continueReplaced(_ saving: AnySaving, hasFailed: Bool) {
        guard let old = saving.replaceIfDue(hasFailed) else { return }
        if old != saving.place { savings.places[old] = nil }
        if saving.failure == nil, !saving.isEnding { follow(saving) }
        if hasFailed { saving.plan.hurry(at: clock.now()) }
    }

    // MARK: Changes

    private func deadline(of saving: AnySaving) -> Duration {
        saving.pace.limit.map { clock.deadline(after: $0) } ?? clock.now()
    }

    /// Lets a saving wait for the next change that is worth saving.
    private func awaitChange(_ saving: AnySaving) {
        guard saving.wait == nil, !saving.plan.isUnsaved, saving.failure == nil, !saving.isEnding else { return }
        saving.wait =
            readers.wait(for: [saving.cell.source]) { [number = saving.number] core in
                core.savings.all[number].map { core.noteChange(of: $0) } ?? true
            }.number
    }

    /// - Returns: Whether the value has to be saved, so that further changes don't matter.
    private func noteChange(of saving: AnySaving) -> Bool {
        if saving.isTakingIn {
            saving.notePresentValue()
            return false
        }
        guard saving.isWorthSaving else { return false }
        saving.wait = nil
        saving.plan.noteChange(by: deadline(of: saving))
        savings.touched.append(saving)
        return true
    }

    /// A state has returned to its initial value, and its readers have not been told yet.
    func noteReset(of cell: AnyStateCell) {
        guard let saving = cell.saving, saving.failure == nil else { return }
        switch saving.onReset.kind {
        case .save: return
        case .keep: resume(saving.plan.forgetChange()) { $0.abandon(because: .cancelled) }
        case .erase:
            saving.plan.noteErasure(at: clock.now())
            saving.isAwaited = true
        }
        saving.notePresentValue()
        savings.touched.append(saving)
    }

    /// The module of a state is gone, or the store has ended.
    func endSaving(of cell: AnyStateCell) {
        guard let saving = cell.saving else { return }
        (saving.isEnding, saving.isAwaited) = (true, true)
        if let follower = saving.follower.take() { leftovers.tasks.append(follower) }
        if let wait = saving.wait.take() {
            readers.end(wait)
            // The step that ends it may have changed it first.
            if saving.isWorthSaving { saving.plan.noteChange(by: clock.now()) }
        }
        if phase == .open, saving.failure == nil, saving.onRemoval.kind == .erase {
            saving.plan.noteErasure(at: clock.now())
        }
        saving.plan.hurry(at: clock.now())
        savings.touched.append(saving)
    }

    // MARK: Operations

    /// Carries out what has come due for the states to which something has happened in this visit.
    func advanceSavings() {
        while let saving = savings.touched.popLast() {
            saving.isAwaited = false
            advance(saving)
            if saving.plan.isBusy { savings.busy.insert(saving.number) } else { savings.busy.remove(saving.number) }
            if saving.isEnding, !saving.plan.isBusy { savings.remove(saving) }
        }
        if phase != .open, savings.all.isEmpty { reporter.finishStreams() }
    }

    private func advance(_ saving: AnySaving) {
        var step = saving.plan.next(at: clock.now())
        if step == .start(.save), !saving.plan.savesAnything, !saving.isWorthSaving {
            resume(saving.plan.skip()) { $0.endOne(nil) }
            saving.operationEnd.take()?.fire()
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
                    if let saving = core.savings.all[number] { core.savings.touched.append(saving) }
                }
            }
            saving.timer = (due, task)
        case .rest:
            stopTimer(of: saving)
            continueReplaced(saving, hasFailed: false)
        }
        awaitChange(saving)
    }

    private func stopTimer(of saving: AnySaving) {
        if let timer = saving.timer.take() { leftovers.tasks.append(timer.task) }
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
        saving.operationEnd.take()?.fire()
        if let failure { reporter.failed(saving.record, failure) }
        saving.run = runs.nextRun()
        continueReplaced(saving, hasFailed: failure != nil)
        resume(ended) { $0.endOne(failure) }
        savings.touched.append(saving)
    }

    private func resume(_ waits: [SavingWait], _ body: (SavingWait) -> Void) {
        for wait in waits { body(wait) }
    }

    // MARK: Waiting

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
        guard phase == .open, case .scope(let scope) = place(of: origin) else {
            throw reader(as: origin).reportMissing(nil, at: site)
        }
        return scope
    }

    private func wait(
        for concerned: [AnySaving], as origin: Origin
    ) throws -> (end: Completion, runWait: UInt64?)? {
        let wait = SavingWait(Completion(self))
        for saving in concerned {
            savings.touched.append(saving)
            if let failure = saving.failure { wait.note(Relux.StoreError.notLoaded(saving.state, failure)) }
            if saving.plan.add(wait) { wait.expectOne() }
        }
        if wait.isDone, let failure = wait.failure { throw failure }
        guard !wait.isDone else { return nil }
        let runWait = origin.handle.flatMap { run in
            runs.addWait(of: run.id) { [end = wait.completion] _ in end.fulfil(GroupSummary(refusal: .cancelled)) }
        }
        return (wait.completion, runWait)
    }

    /// The end of the saves and erasures that a removal, a reset, a replacement, or the end of the store has caused.
    func lastSaves() -> Completion? {
        let concerned = phase == .open ? savings.touched.filter(\.isAwaited) : savings.inOrder
        let wait = SavingWait(Completion(self))
        for saving in concerned where saving.plan.add(wait) { wait.expectOne() }
        return wait.isDone ? nil : wait.completion
    }

    /// The store was released: the callers that wait for saves are resumed at once.
    func abandonSavingWaits() {
        for saving in savings.inOrder { resume(saving.plan.takeAllWaits()) { $0.abandon(because: .storeShutDown) } }
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

/// Saving: the persisted states of connected modules, and what has yet to be saved of them.
///
/// A state is followed like any reader follows it: a wait for the next change, which ends when a value is worth saving,
/// and begins again when that is being saved. In between, a change costs nothing.
///
/// - Owns: what saves which state, and where; what happens is noted in a ``SavingPlan`` for each.
/// - Promises: one operation at a time for each state, and each place; what has come due is an ``Order`` at the end of
///   the visit in which that was noted.
/// - Called by: the core, which notes what happens to states, and carries out the orders; the modules, which add and
///   end savings, and ask what is saved where.
///
/// - Isolation: The core's.
final class Savings {
    /// Something that is left to do.
    enum Order {
        /// Start the work of an operation.
        case start(Saving, work: @Sendable () async throws -> Void)
        /// Look at a saving again at a time.
        case wake(Saving, at: Duration)
        /// Take in what others save from now on.
        case follow(Saving)
        /// End the waits of some groups for a saving.
        case endWaits([Group], of: Saving)
    }

    private let clock: StoreClock
    private let numbers: RunNumbers
    private let agenda: Agenda
    /// By their numbers, including those that are ending.
    private var all: [UInt64: Saving] = [:]
    private var ofCells: [ObjectIdentifier: Saving] = [:]
    /// The saving of each place. One that is being replaced also has its later place.
    private var places: [SavingPlace: Saving] = [:]
    /// The numbers of those that save, erase, or will do so by themselves.
    private var busy: Set<UInt64> = []
    /// Those to which something has happened in the present visit.
    private var noted: [Saving] = [] { didSet { agenda.isEmpty = false } }
    private var orders: [Order] = [] { didSet { agenda.isEmpty = false } }

    init(_ clock: StoreClock, _ numbers: RunNumbers, _ agenda: Agenda) {
        (self.clock, self.numbers, self.agenda) = (clock, numbers, agenda)
    }

    // MARK: Queries

    var isEmpty: Bool { all.isEmpty }

    /// Whether nothing is being saved, or will be without a further change.
    var isIdle: Bool { noted.isEmpty && busy.isEmpty }

    /// Whether there is anything to carry out.
    var hasWork: Bool { !noted.isEmpty || !orders.isEmpty }

    /// All of them, in the order in which their modules were connected.
    var inOrder: [Saving] { all.values.sorted { $0.number < $1.number } }

    /// Those that end, are erased, or are replaced since the present visit has begun.
    var awaited: [Saving] { noted.filter { $0.isEnding || $0.replacement != nil || $0.plan.isErasing } }

    subscript(number: UInt64) -> Saving? { all[number] }

    func saving(of cell: AnyStateCell) -> Saving? { ofCells.isEmpty ? nil : ofCells[ObjectIdentifier(cell)] }

    func saving(at place: SavingPlace) -> Saving? { places[place] }

    /// The saves that keep the store from being idle.
    var busySaves: [Relux.NotIdle.BusyRun] {
        busy.compactMap { all[$0] }.map { saving in
            Relux.NotIdle.BusyRun(run: saving.record, phase: saving.plan.isRunning ? .active : .pending, waitsFor: [])
        }
    }

    // MARK: Connecting

    /// Saves a state of a module that has just been connected.
    ///
    /// - Parameter isGiven: Whether the state started with a value of the configuration.
    func add(_ saving: Saving, isGiven: Bool) {
        all[saving.number] = saving
        ofCells[ObjectIdentifier(saving.cell)] = saving
        places[saving.place] = saving
        if isGiven { saving.plan.noteChange(by: deadline(of: saving), savingAnything: true) }
        awaitChange(of: saving)
        noted.append(saving)
    }

    /// Continues with another persistence, as soon as what has been requested so far is done, or has failed.
    func replace(_ saving: Saving, with persistence: any Relux.StatePersistence, at place: SavingPlace) {
        if let earlier = saving.replacement?.place, earlier != saving.place { places[earlier] = nil }
        places[place] = saving
        hurry(saving)
        saving.replacement = (persistence, place, due: end(of: [saving]))
        resume(saving)
    }

    // MARK: Changes

    private func deadline(of saving: Saving) -> Duration {
        saving.persistence.pace.limit.map { clock.deadline(after: $0) } ?? clock.now()
    }

    /// A state has changed whose next change is awaited. Once it has to be saved, its further changes don't matter.
    func noteChange(of saving: Saving) {
        guard saving.isWorthSaving else { return }
        saving.stopFollowing()
        saving.plan.noteChange(by: deadline(of: saving))
        noted.append(saving)
    }

    /// A state has returned to its initial value, and its readers have not been told yet.
    func noteReset(of cell: AnyStateCell) {
        guard let saving = saving(of: cell), saving.failure == nil else { return }
        switch saving.latest.onReset.kind {
        case .save: return
        case .keep: forgetChange(of: saving, because: .cancelled)
        case .erase: saving.plan.noteErasure(at: clock.now())
        }
        saving.notePresentValue()
        awaitChange(of: saving)
        noted.append(saving)
    }

    /// Begins to wait for the next change that is worth saving, unless one is still to be saved. At once, because the
    /// same visit may change the state: an opening action, or what follows a reset.
    private func awaitChange(of saving: Saving) {
        if saving.failure == nil, !saving.isEnding, !saving.plan.isUnsaved { saving.follow([saving.cell.source]) }
    }

    private func forgetChange(of saving: Saving, because refusal: Relux.EffectError? = nil) {
        let vain = saving.plan.forgetChange()
        if let refusal { for group in vain { group.note { $0.refusal = refusal } } }
        if !vain.isEmpty { orders.append(.endWaits(vain, of: saving)) }
    }

    /// The module of a state is gone, or the store has ended.
    ///
    /// - Parameter isRemoval: Whether the store goes on.
    func end(_ cell: AnyStateCell, isRemoval: Bool) {
        guard !ofCells.isEmpty, let saving = ofCells.removeValue(forKey: ObjectIdentifier(cell)) else { return }
        saving.isEnding = true
        if let follower = saving.follower.take() { agenda.cancellations.append(follower) }
        if !saving.places.isEmpty {
            saving.stopFollowing()
            // The step that ends it may have changed it first.
            if saving.isWorthSaving { saving.plan.noteChange(by: clock.now()) }
        }
        if isRemoval, saving.failure == nil, saving.latest.onRemoval.kind == .erase {
            saving.plan.noteErasure(at: clock.now())
        }
        hurry(saving)
    }

    /// The rest of the work for a state whose module has gone is done now, or given up.
    func tryOnceMore(_ saving: Saving) {
        saving.isLastTry = true
        hurry(saving)
    }

    // MARK: Waiting

    /// The rest of the work for a saving is done now.
    func hurry(_ saving: Saving) {
        saving.plan.hurry(at: clock.now())
        noted.append(saving)
    }

    /// Gives up what was saved of a state and could not be loaded, and saves the present value.
    func discardSaved(_ saving: Saving) {
        saving.failure = nil
        saving.plan.noteErasure(at: clock.now())
        saving.plan.noteChange(by: clock.now(), savingAnything: true)
        noted.append(saving)
    }

    /// The end of everything that has been requested of some savings, with the failures of those that may not save.
    func end(of concerned: [Saving]) -> Group {
        let end = Group()
        for saving in concerned {
            if let failure = saving.failure {
                end.note { $0.note(.failed(Relux.StoreError.notLoaded(saving.state, failure))) }
            }
            if saving.plan.add(end) { end.addMember() }
        }
        end.sealAlone()
        return end
    }

    /// A group was abandoned, so nothing has to be noted in it any more.
    func forget(_ group: Group) { for saving in all.values { saving.plan.removeWaits { $0 === group } } }

    // MARK: Operations

    /// The orders for what has come due for the states to which something has happened in this visit.
    func advance() -> [Order] {
        while let saving = noted.popLast() {
            advance(saving)
            if saving.plan.isBusy { busy.insert(saving.number) } else { busy.remove(saving.number) }
            // A failed operation stays, and is tried again by `saved()`, or at the end.
            if saving.isEnding, !saving.plan.isBusy, saving.plan.isDone || saving.isLastTry || saving.failure != nil {
                remove(saving)
            }
        }
        defer { orders = [] }
        return orders
    }

    private func advance(_ saving: Saving) {
        var step = saving.plan.next(at: clock.now())
        if step == .start(.save), !saving.plan.savesAnything, !saving.isWorthSaving {
            forgetChange(of: saving)
            step = .rest
        }
        if let timer = saving.timer, step != .wake(at: timer.due) {
            saving.timer = nil
            agenda.cancellations.append(timer.task)
        }
        switch step {
        case .start(let operation):
            saving.plan.start()
            orders.append(.start(saving, work: saving.work(of: operation)))
        case .wake(let due) where saving.timer == nil: orders.append(.wake(saving, at: due))
        case .wake, .rest: break
        }
        awaitChange(of: saving)
        if saving.failure == nil, !saving.isEnding, saving.follower == nil { orders.append(.follow(saving)) }
    }

    /// A time has come for which a timer has waited, or the clock has woken it early.
    func noteTime(_ due: Duration, for number: UInt64) {
        guard let saving = all[number] else { return }
        if saving.timer?.due == due { saving.timer = nil }
        noted.append(saving)
    }

    /// An operation has ended.
    ///
    /// - Returns: The waits that end with it. When they have ended, the core calls ``resume(_:)``.
    func endOperation(of saving: Saving, failed: Bool) -> [Group] {
        saving.run = numbers.next()
        return saving.plan.end(failed: failed)
    }

    /// Waits for a saving have ended, and what they have held up goes on.
    func resume(_ saving: Saving) {
        if let (persistence, place, due) = saving.replacement, !saving.plan.isRunning, due.isComplete {
            if place != saving.place { places[saving.place] = nil }
            persistence.continues(saving.persistence)
            (saving.persistence, saving.place, saving.replacement) = (persistence, place, nil)
            if let follower = saving.follower.take() { agenda.cancellations.append(follower) }
            // The values that the old one has failed to save.
            saving.plan.hurry(at: clock.now())
        }
        if all[saving.number] != nil { noted.append(saving) }
    }

    /// Removes a saving that has nothing left to do, and lets others load from its place.
    private func remove(_ saving: Saving) {
        guard all.removeValue(forKey: saving.number) != nil else { return }
        places[saving.place] = nil
        if let later = saving.replacement.take()?.place { places[later] = nil }
        busy.remove(saving.number)
    }

    // MARK: The end

    /// The waits for saves, which end at once because the store was released.
    func removeAllWaits() -> [Group] { inOrder.flatMap { $0.plan.removeAllWaits() } }

    /// Ends everything without saving, as if the process were killed.
    func kill() {
        for saving in inOrder {
            agenda.cancellations += [saving.timer?.task, saving.follower].compactMap { $0 }
            saving.stopFollowing()
            remove(saving)
        }
        (ofCells, noted, orders) = ([:], [], [])
    }
}

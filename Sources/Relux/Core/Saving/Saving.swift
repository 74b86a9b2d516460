/// Saves one state of a module.
///
/// - Isolation: The core's.
class AnySaving {
    /// Unique in the store.
    let number: UInt64
    fileprivate(set) final var place: SavingPlace
    let state: any Relux.State.Type
    /// Where the state belongs.
    let scope: Relux.Scope?
    /// The line that registered the module.
    let site: Relux.CallSite
    final var plan = SavingPlan()
    /// Why the saved value could not be loaded, as long as the state is therefore not saved.
    final var failure: Relux.LoadFailure?
    /// Whether the module is gone, so that only what is left to do is done.
    final var isEnding = false
    /// Whether a caller that waits for the last save waits for this: it ends, is erased, or is replaced.
    final var isAwaited = false
    /// Whether the state is changing by what others have saved.
    final var isTakingIn = false
    /// The number of the wait for the next change; nil if there is none.
    final var wait: UInt64?
    /// Wakes the core when a change must be saved.
    final var timer: (due: Duration, task: Task<Void, Never>)?
    /// Takes in what others save.
    final var follower: Task<Void, Never>?
    /// Fires when the operation has ended that is under way or comes next; nil if nobody waits for it.
    final var operationEnd: Signal?
    /// Fires when nothing is left to do after the module has gone.
    final let end = Signal()
    /// The run that the next operation counts as, or the one that is under way.
    final var run: RunID = 0

    fileprivate init(
        _ number: UInt64, at place: SavingPlace, _ state: any Relux.State.Type, _ scope: Relux.Scope?,
        _ site: Relux.CallSite
    ) {
        (self.number, self.place, self.state, self.scope, self.site) = (number, place, state, scope, site)
    }

    final var record: Relux.RunRecord {
        Relux.RunRecord(id: run, kind: .save, saga: state, trigger: nil, callSite: site, scope: scope)
    }

    var cell: AnyStateCell { preconditionFailure("Each saving is a Saving.") }
    var pace: Relux.SavingPace { .atOnce }
    var onReset: Relux.SavedRule { .keep }
    var onRemoval: Relux.SavedRule { .keep }

    /// Whether the present value differs from what is stored. User code.
    var isWorthSaving: Bool { false }

    /// The present value is the one to compare later ones with.
    func notePresentValue() {}

    /// What an operation does, outside the store.
    func work(of operation: SavingPlan.Operation) -> @Sendable () async throws -> Void { {} }

    /// Whether an action still tells what others have saved. User code.
    func willTakeIn() -> Bool { false }

    /// Takes in what others save, outside the store.
    func following(in core: Core) -> @Sendable () async -> Void { {} }

    /// Continues with another persistence of the state as soon as the requests so far have been carried out.
    func replace(with persistence: any Relux.StatePersistence, at place: SavingPlace) {}

    /// Continues with the persistence of a replacement, if it is time.
    ///
    /// - Parameter hasFailed: Whether the last operation of the old one has failed, so that it is asked no further.
    /// - Returns: The place of the old one; nil if nothing is replaced.
    func replaceIfDue(_ hasFailed: Bool) -> SavingPlace? { nil }
}

final class Saving<S: Relux.State>: AnySaving {
    private var persistence: any Relux.StatePersistence<S>
    private let stateCell: StateCell<S>
    /// What is stored, or is being saved; otherwise the value that the state started with.
    private var last: S
    private var replacement: (persistence: any Relux.StatePersistence<S>, place: SavingPlace, mark: UInt64)?

    init(
        _ number: UInt64, _ persistence: any Relux.StatePersistence<S>, at place: SavingPlace, of cell: StateCell<S>,
        in scope: Relux.Scope?, at site: Relux.CallSite
    ) {
        (self.persistence, stateCell, last) = (persistence, cell, cell.value)
        super.init(number, at: place, S.self, scope, site)
    }

    override var cell: AnyStateCell { stateCell }
    override var pace: Relux.SavingPace { persistence.pace }
    override var onReset: Relux.SavedRule { persistence.onReset }
    override var onRemoval: Relux.SavedRule { persistence.onRemoval }

    override var isWorthSaving: Bool {
        func isWorthSaving(_ persistence: some Relux.StatePersistence<S>) -> Bool {
            persistence.isWorthSaving(last, stateCell.value)
        }
        return isWorthSaving(persistence)
    }

    override func notePresentValue() { last = stateCell.value }

    override func work(of operation: SavingPlan.Operation) -> @Sendable () async throws -> Void {
        let persistence = persistence
        switch operation {
        case .erase: return { try await persistence.erase() }
        case .save:
            notePresentValue()
            return { [value = stateCell.value] in try await persistence.save(value) }
        }
    }

    override func willTakeIn() -> Bool { persistence.willTakeIn() }

    override func following(in core: Core) -> @Sendable () async -> Void {
        func following(_ persistence: some Relux.StatePersistence<S>) -> @Sendable () async -> Void {
            { [weak core, number, value = stateCell.value] in
                for await action in persistence.changes(since: value) {
                    while let end = await core?.enter(as: .outside, { core, _ in core.takeIn(action, for: number) }) {
                        guard await end.waitUnlessCancelled() else { return }
                    }
                }
            }
        }
        return following(persistence)
    }

    override func replace(with other: any Relux.StatePersistence, at place: SavingPlace) {
        func typed<P: Relux.StatePersistence>(_ other: P) -> (any Relux.StatePersistence<S>)? {
            (other as any Relux.StatePersistence<P.S>) as? any Relux.StatePersistence<S>
        }
        if let other = typed(other) { replacement = (other, place, plan.mark) }
    }

    override func replaceIfDue(_ hasFailed: Bool) -> SavingPlace? {
        guard let (new, newPlace, mark) = replacement, !plan.isRunning, hasFailed || plan.hasDone(mark) else {
            return nil
        }
        defer { place = newPlace }
        (persistence, replacement) = (new, nil)
        return place
    }
}

/// Where a state is saved, as far as the store can tell.
struct SavingPlace: Sendable, Hashable {
    /// What the persistence says. If it says nothing, the state itself is the place.
    private let location: AnySendableHashable?
    private let scope: ScopeAddress?
    private let state: ObjectIdentifier?

    init(of persistence: any Relux.StatePersistence, in scope: ScopeAddress?) {
        location = persistence.location.map { AnySendableHashable($0) }
        (self.scope, state) = location == nil ? (scope, ObjectIdentifier(persistence.state)) : (nil, nil)
    }
}

/// What is being loaded and saved.
struct SavingTable {
    /// By their numbers, including those that are ending.
    private(set) var all: [UInt64: AnySaving] = [:]
    /// The saving of each place. One that is being replaced also has its later place.
    var places: [SavingPlace: UInt64] = [:]
    /// Those that save, erase, or will do so by themselves.
    var busy: Set<UInt64> = []
    /// Those to which something has happened in this visit.
    var touched: [AnySaving] = []
    /// The registrations that wait for loads, by their numbers.
    var registrations: [UInt64: PendingRegistration] = [:]
    /// The places that are being loaded, and for which registration.
    var loading: [SavingPlace: UInt64] = [:]

    var isIdle: Bool { busy.isEmpty && touched.isEmpty && registrations.isEmpty }

    /// All of them, in the order in which their modules were connected.
    var inOrder: [AnySaving] { all.values.sorted { $0.number < $1.number } }

    func saving(at place: SavingPlace) -> AnySaving? { places[place].flatMap { all[$0] } }

    mutating func add(_ saving: AnySaving) {
        all[saving.number] = saving
        places[saving.place] = saving.number
    }

    /// Forgets what is unsaved, and the ends of operations.
    mutating func forgetAll() {
        (all, places, busy, touched) = ([:], [:], [], [])
    }

    /// Removes a saving that has nothing left to do, and lets others load from its place.
    mutating func remove(_ saving: AnySaving) {
        guard all.removeValue(forKey: saving.number) != nil else { return }
        places[saving.place] = nil
        saving.end.fire()
    }
}

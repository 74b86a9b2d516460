/// Saves one state of a module.
///
/// - Isolation: The core's.
final class Saving: SourceReader {
    /// Unique among the savings and the runs of the store, so that a group may wait for it.
    let number: UInt64
    private(set) var place: SavingPlace
    let cell: AnyStateCell
    /// Where the state belongs.
    let scope: Relux.Scope?
    /// The line that registered the module.
    let site: Relux.CallSite
    private(set) var persistence: any Relux.StatePersistence
    /// What is stored, or is being saved; otherwise the value that the state started with.
    private var last: any Relux.State
    /// What continues as soon as the requests so far have been carried out, or the last one has failed.
    var replacement: (persistence: any Relux.StatePersistence, place: SavingPlace, due: Completion)?
    var plan = SavingPlan()
    /// Why the saved value could not be loaded, as long as the state is therefore not saved.
    var failure: Relux.LoadFailure?
    /// Whether the module is gone, so that only what is left to do is done.
    var isEnding = false
    /// Whether nothing is tried again after the next failure: the store has ended, or the place is wanted by another
    /// registration.
    var isLastTry = false
    /// Whether a caller that waits for the last save waits for this: it ends, is erased, or is replaced.
    var isAwaited = false
    /// Whether the state is changing by what others have saved.
    var isTakingIn = false
    /// Wakes the core when a change must be saved.
    var timer: (due: Duration, task: Task<Void, Never>)?
    /// Takes in what others save.
    var follower: Task<Void, Never>?
    /// Fires when nothing is left to do after the module has gone.
    let end = Signal()
    /// The run that the next operation counts as, or the one that is under way.
    var run: RunID

    init(
        _ number: UInt64, _ persistence: any Relux.StatePersistence, at place: SavingPlace, of cell: AnyStateCell,
        in scope: Relux.Scope?, at site: Relux.CallSite, run: RunID
    ) {
        (self.number, self.persistence, self.place, self.cell) = (number, persistence, place, cell)
        (self.scope, self.site, self.run, last) = (scope, site, run, cell.anyValue)
    }

    override func sourceChanged(in core: isolated Core, _: inout [AnyFollower]) { core.noteChange(of: self) }

    var state: any Relux.State.Type { cell.state }

    var record: Relux.RunRecord {
        Relux.RunRecord(id: run, kind: .save, saga: state, trigger: nil, callSite: site, scope: scope)
    }

    /// Whether the present value differs from what is stored. User code.
    var isWorthSaving: Bool { persistence.isWorthSaving(cell, since: last) }

    /// The present value is the one to compare later ones with.
    func notePresentValue() { last = cell.anyValue }

    /// What an operation does, outside the store.
    func work(of operation: SavingPlan.Operation) -> @Sendable () async throws -> Void {
        switch operation {
        case .erase: return { [persistence] in try await persistence.erase() }
        case .save:
            notePresentValue()
            return persistence.saving(cell)
        }
    }

    /// Continues with the persistence of a replacement, if it is time.
    ///
    /// - Returns: The place of the old one; nil if nothing is replaced.
    func replaceIfDue() -> SavingPlace? {
        guard let (new, newPlace, due) = replacement, !plan.isRunning, due.summary != nil else { return nil }
        defer { place = newPlace }
        (persistence, replacement) = (new, nil)
        return place
    }
}

extension Relux.StatePersistence {
    fileprivate func isWorthSaving(_ cell: AnyStateCell, since last: any Relux.State) -> Bool {
        guard let last = last as? S, let cell = cell.typed(as: S.self) else { return false }
        return isWorthSaving(last, cell.value)
    }

    /// Saves the present value, outside the store.
    fileprivate func saving(_ cell: AnyStateCell) -> @Sendable () async throws -> Void {
        { [value = cell.typed(as: S.self)?.value] in if let value { try await save(value) } }
    }

    /// Takes in what others save from now on, outside the store.
    func following(_ cell: AnyStateCell, for number: UInt64, in core: Core) -> @Sendable () async -> Void {
        // Taken out, so that the task doesn't keep a value that has long been replaced.
        let first = Lock(cell.typed(as: S.self)?.value)
        return { [weak core] in
            guard let changes = first.withLock({ $0.take() }).map({ changes(since: $0) }) else { return }
            for await action in changes {
                while let end = await core?.enter(as: .outside, { core, _ in core.takeIn(action, for: number) }) {
                    guard case .ended = await end.waitUnlessCancelled(as: 0) else { return }
                }
            }
        }
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
struct SavingTable: ~Copyable {
    /// By their numbers, including those that are ending.
    private(set) var all: [UInt64: Saving] = [:]
    /// The saving of each place. One that is being replaced also has its later place.
    var places: [SavingPlace: UInt64] = [:]
    /// Those that save, erase, or will do so by themselves.
    var busy: Set<UInt64> = []
    /// The registrations that wait for loads, by their numbers.
    var registrations: [UInt64: PendingRegistration] = [:]
    /// The places that are being loaded, and for which registration.
    var loading: [SavingPlace: UInt64] = [:]

    var isIdle: Bool { busy.isEmpty && registrations.isEmpty }

    /// All of them, in the order in which their modules were connected.
    var inOrder: [Saving] { all.values.sorted { $0.number < $1.number } }

    func saving(at place: SavingPlace) -> Saving? { places[place].flatMap { all[$0] } }

    mutating func add(_ saving: Saving) {
        all[saving.number] = saving
        places[saving.place] = saving.number
    }

    /// Removes a saving that has nothing left to do, and lets others load from its place.
    mutating func remove(_ saving: Saving) {
        guard all.removeValue(forKey: saving.number) != nil else { return }
        places[saving.place] = nil
        busy.remove(saving.number)
        saving.end.fire()
    }
}

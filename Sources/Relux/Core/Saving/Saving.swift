/// Saves one state of a module.
///
/// - Isolation: The core's.
final class Saving: SourceReader {
    /// Unique among the savings of the store, and higher for later ones.
    let number: UInt64
    private unowned let savings: Savings
    var place: SavingPlace
    let cell: AnyStateCell
    /// Where the state belongs.
    let scope: Relux.Scope?
    /// The line that registered the module.
    let site: Relux.CallSite
    var persistence: any Relux.StatePersistence
    /// The value that is stored, or is being saved; otherwise the one that the state started with.
    private var last: any Relux.State
    /// The persistence that continues as soon as the requests so far have been carried out, or the last one has failed.
    var replacement: (persistence: any Relux.StatePersistence, place: SavingPlace, due: Group)?
    var plan = SavingPlan<Group>()
    /// Why the saved value could not be loaded, as long as the state is therefore not saved.
    var failure: Relux.LoadFailure?
    /// Whether the module is gone, so that only what is left to do is done.
    var isEnding = false
    /// Whether nothing is tried again after the next failure: the store has ended, or the place is wanted by another
    /// registration.
    var isLastTry = false
    /// Wakes the core when a change must be saved.
    var timer: (due: Duration, task: Task<Void, Never>)?
    /// Takes in what others save; nil until that is started for this persistence, and at the end.
    var follower: Task<Void, Never>?
    /// The number of followers so far, of which only the last one counts.
    var followers = 0
    /// The run that the next operation counts as, or the one that is under way.
    var run: RunID

    init(
        _ persistence: any Relux.StatePersistence, at place: SavingPlace, of cell: AnyStateCell,
        in scope: Relux.Scope?, at site: Relux.CallSite, _ numbers: RunNumbers, among savings: Savings
    ) {
        self.savings = savings
        (self.persistence, self.place, self.cell, last) = (persistence, place, cell, cell.anyValue)
        (self.scope, self.site, number, run) = (scope, site, numbers.next(), numbers.next())
    }

    /// The persistence that the state has been given last, whose rules count.
    var latest: any Relux.StatePersistence { replacement?.persistence ?? persistence }

    override func sourceChanged(in readers: Readers) { savings.noteChange(of: self) }

    var state: any Relux.State.Type { cell.state }

    var record: Relux.RunRecord {
        Relux.RunRecord(id: run, kind: .save, saga: state, trigger: nil, callSite: site, scope: scope)
    }

    /// Whether the present value differs from what is stored. User code.
    var isWorthSaving: Bool { persistence.isWorthSaving(cell, since: last) }

    /// The present value is the one to compare later ones with.
    func notePresentValue() { last = cell.anyValue }

    /// If the state has taken in what others have saved, that is the value to compare later ones with. User code.
    ///
    /// - Parameter before: The value before the action was reduced.
    func noteTakenIn(_ action: some Relux.Action, since before: any Relux.State) {
        if let value = persistence.takenIn(action, since: before, in: cell) { last = value }
    }

    /// The work of an operation, outside the store.
    func work(of operation: SavingOperation) -> @Sendable () async throws -> Void {
        switch operation {
        case .erase: return { [persistence] in try await persistence.erase() }
        case .save:
            notePresentValue()
            return persistence.saving(cell)
        }
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

    /// The value that is saved when the state has taken in an action; nil if it hasn't.
    fileprivate func takenIn(
        _ action: some Relux.Action, since before: any Relux.State, in cell: AnyStateCell
    ) -> (any Relux.State)? {
        guard let action = action as? S.Action, let before = before as? S, let after = cell.typed(as: S.self)?.value
        else { return nil }
        if hasTakenIn(after) { return after }
        // Other reducers may have changed it as well.
        var alone = before
        alone.reduce(action)
        return isWorthSaving(before, after) && hasTakenIn(alone) ? alone : nil
    }
}

/// Where a state is saved, as far as the store can tell.
enum SavingPlace: Sendable, Hashable {
    /// The location that the persistence names.
    case location(AnySendableHashable)
    /// If it says nothing, the state itself is the place.
    case state(ObjectIdentifier, in: ScopeAddress?)

    init(of persistence: any Relux.StatePersistence, in scope: ScopeAddress?) {
        let location = persistence.location.map { SavingPlace.location(AnySendableHashable($0)) }
        self = location ?? .state(ObjectIdentifier(persistence.state), in: scope)
    }
}

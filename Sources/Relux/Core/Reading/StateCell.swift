/// Who is concerned by a change of a state before its readers are.
struct Concerns: OptionSet {
    let rawValue: UInt8

    /// Instances that follow the state.
    static let children = Concerns(rawValue: 1)
    /// Rules on its changes.
    static let rules = Concerns(rawValue: 2)
}

/// The storage of one state: its value, changed in place.
///
/// - Isolation: The core's.
class AnyStateCell {
    final let source: Source
    final let state: any Relux.State.Type
    /// The module that lists the state.
    unowned final let owner: Owner
    /// Which of the lists below have elements. Stored, because every action asks.
    final private(set) var concerns: Concerns = []
    /// The bindings of the instances that follow it, by their numbers.
    final var children = ArrivalList<AnyObject>() { didSet { note(.children, isThere: !children.isEmpty) } }
    /// The rules on its changes, by numbers.
    final var rules = ArrivalList<AnyObject>() { didSet { note(.rules, isThere: !rules.isEmpty) } }

    fileprivate init(state: any Relux.State.Type, of owner: Owner) {
        (self.state, self.owner) = (state, owner)
        source = Source(in: owner.content.serial, isState: true)
    }

    final private func note(_ concern: Concerns, isThere: Bool) {
        if isThere { concerns.insert(concern) } else { concerns.remove(concern) }
    }

    /// The cell with the type of its state; nil if that is another one.
    final func typed<S: Relux.State>(as type: S.Type) -> StateCell<S>? {
        // unsafeDowncast: a cell of a state is a `StateCell` of its type. A cast would look up the types' metadata.
        state == type ? unsafeDowncast(self, to: StateCell<S>.self) : nil
    }

    var anyValue: any Relux.State { preconditionFailure("Each cell is a StateCell.") }

    /// Restores the initial value.
    func reset() {}

    /// Changes the value that a reset restores.
    func replaceInitial(with other: any Relux.State) {}

    /// A small value from which a later registration of the state carries on; nil if its type carries nothing on.
    var legacy: (any Relux.State)? { nil }

    /// Lets the first value carry on from an earlier registration.
    func carryOn(from legacy: any Relux.State) {}
}

final class StateCell<S: Relux.State>: AnyStateCell {
    // exclusivity(unchecked): reducers can't reach the store, so no two accesses overlap.
    @exclusivity(unchecked) var value: S
    private var initial: S
    /// The readers that follow parts of the state alone.
    var parts: [PartialKeyPath<S>: SourceReader] = [:]

    /// - Parameters:
    ///   - initial: The value that a reset restores.
    ///   - given: The first value, if it is another one.
    init(_ initial: S, startingAs given: (any Relux.State)?, of owner: Owner) {
        self.initial = initial
        value = given as? S ?? initial
        super.init(state: S.self, of: owner)
    }

    override var anyValue: any Relux.State { value }

    override var legacy: (any Relux.State)? {
        guard S.self is any Relux.ContinuingState.Type else { return nil }
        // The initial value, because the last one may be large.
        var legacy = initial
        legacy.carryOnIfContinuing(from: value)
        return legacy
    }

    override func carryOn(from legacy: any Relux.State) {
        if let legacy = legacy as? S { value.carryOnIfContinuing(from: legacy, isRemoved: true) }
    }

    override func replaceInitial(with other: any Relux.State) {
        if let other = other as? S { initial = other }
    }

    override func reset() {
        let replaced = value
        value = initial
        value.carryOnIfContinuing(from: replaced)
        source.markChanged()
    }
}

/// The absence of a state. It is gone as soon as the state appears.
final class Absence: Source {
    /// The value from which the state then carries on, if it was there before.
    fileprivate var legacy: (any Relux.State)?
}

/// The states and other sources of a scope, in its slots.
extension ScopeNode {
    /// The state of a type that this very scope owns.
    func ownCell(of state: any Relux.State.Type) -> AnyStateCell? { self[Slot(.state, for: state)] as? AnyStateCell }

    /// The state of a type in the innermost scope that owns one.
    func cell(of state: any Relux.State.Type) -> AnyStateCell? { outward.firstNonNil { $0.ownCell(of: state) } }

    /// Adds a state.
    ///
    /// - Returns: The source that its absence was, if anyone has missed it.
    func add(_ cell: AnyStateCell) -> Source? {
        self[Slot(.state, for: cell.state)] = cell
        guard let absence = self[Slot(.missedState, for: cell.state)].take() as? Absence else { return nil }
        if let legacy = absence.legacy { cell.carryOn(from: legacy) }
        absence.markGone()
        return absence
    }

    func remove(_ cell: AnyStateCell) {
        self[Slot(.state, for: cell.state)] = nil
        if let legacy = cell.legacy { absence(of: cell.state).legacy = legacy }
        cell.source.markGone()
    }

    /// The absence of a state, as a source.
    func absence(of state: any Relux.State.Type) -> Absence {
        source(in: Slot(.missedState, for: state), else: Absence(in: serial))
    }

    /// The instances of a module in this scope, as a source: it changes with each that appears or disappears.
    func instancesSource(of module: any Relux.Module.Type) -> Source {
        source(in: Slot(.readInstances, for: module), else: Source(in: serial))
    }

    /// The existence of this scope, as a source.
    var existence: Source { source(in: Self.existenceSlot, else: Source(in: serial)) }

    fileprivate static let existenceSlot = Slot(.single, for: Source.self)

    private func source<Kind: Source>(in slot: Slot, else new: @autoclosure () -> Kind) -> Kind {
        if let existing = self[slot] as? Kind { return existing }
        let source = new()
        self[slot] = source
        return source
    }
}

extension Readers {
    /// An instance has appeared in its scope, or is about to disappear.
    func noteInstances(around instance: ScopeNode) {
        guard let address = instance.address, let parent = instance.parent,
            let source = parent[Slot(.readInstances, for: address.module)] as? Source
        else { return }
        source.markChanged()
        note(source)
    }

    /// A scope is about to be closed, with everything in it that is still read.
    func noteEnd(of scope: ScopeNode) {
        // First its existence, which all of its readers follow, in the order in which they have come.
        let contents = [scope[ScopeNode.existenceSlot]].compactMap { $0 } + scope.contents
        for source in contents.compactMap({ $0 as? Source }) where !source.isGone {
            source.markGone()
            note(source)
        }
    }
}

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
    /// Kept by those who are concerned.
    final private(set) var concerns: Concerns = []

    fileprivate init(state: any Relux.State.Type, of owner: Owner) {
        (self.state, self.owner) = (state, owner)
        source = Source(in: owner.content.serial, isState: true)
    }

    final func setConcern(_ concern: Concerns, to isConcerned: Bool) {
        if isConcerned { concerns.insert(concern) } else { concerns.remove(concern) }
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
    /// What follows the parts of the state that are read alone.
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

/// What a later registration of a state carries on from.
private final class Legacy {
    let state: any Relux.State

    init(_ state: any Relux.State) { self.state = state }
}

/// The states and other sources of a scope, in its slots.
extension ScopeNode {
    /// The state of a type that this very scope owns.
    func ownCell(of state: ObjectIdentifier) -> AnyStateCell? { self[Slot(.state, for: state)] as? AnyStateCell }

    /// The state of a type in the innermost scope that owns one.
    func cell(of state: ObjectIdentifier) -> AnyStateCell? {
        for scope in outward {
            if let cell = scope.ownCell(of: state) { return cell }
        }
        return nil
    }

    /// Adds a state.
    ///
    /// - Returns: The source that its absence was, if anyone has missed it.
    func add(_ cell: AnyStateCell) -> Source? {
        let legacy = Slot(.legacy, for: cell.state)
        if let earlier = self[legacy] as? Legacy {
            cell.carryOn(from: earlier.state)
            self[legacy] = nil
        }
        self[Slot(.state, for: cell.state)] = cell
        let slot = Slot(.missedState, for: cell.state)
        guard let absence = self[slot] as? Source else { return nil }
        self[slot] = nil
        absence.markGone()
        return absence
    }

    func remove(_ cell: AnyStateCell) {
        self[Slot(.state, for: cell.state)] = nil
        if let legacy = cell.legacy { self[Slot(.legacy, for: cell.state)] = Legacy(legacy) }
        cell.source.markGone()
    }

    /// The absence of a state. It is gone as soon as the state appears.
    func absence(of state: ObjectIdentifier) -> Source { source(in: Slot(.missedState, for: state)) }

    /// The instances of a module in this scope, as a source: it changes with each that appears or disappears.
    func instancesSource(of module: any Relux.Module.Type) -> Source { source(in: Slot(.readInstances, for: module)) }

    /// The existence of this scope, as a source.
    var existence: Source { source(in: Slot(.single, for: Source.self)) }

    private func source(in slot: Slot) -> Source {
        if let existing = self[slot] as? Source { return existing }
        let source = Source(in: serial)
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
        for source in scope.contents.compactMap({ $0 as? Source }) {
            source.markGone()
            note(source)
        }
    }
}

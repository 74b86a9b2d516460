/// What a change of a state concerns, apart from the state.
struct Concerns: OptionSet {
    let rawValue: UInt8

    /// Readers that wait for a change.
    static let readers = Concerns(rawValue: 1)
    /// Instances that follow the state.
    static let children = Concerns(rawValue: 2)
    /// Rules on its changes.
    static let rules = Concerns(rawValue: 4)
}

/// The storage of one state: its value, changed in place.
///
/// - Isolation: The core's.
class AnyStateCell {
    let source: Source
    let state: any Relux.State.Type
    /// The module that lists the state.
    unowned let owner: ModuleRegistration
    /// The instances that follow the state.
    final var children: [any AnyChildrenBinding] = [] { didSet { noteFollowers() } }
    /// The rules on changes of the state.
    final var rules: [RuleBinding] = [] { didSet { noteFollowers() } }
    /// Of the instances and rules.
    final private var followers: Concerns = []
    /// Saves the state; nil if it isn't persisted.
    final var saving: Saving?

    fileprivate init(state: any Relux.State.Type, of owner: ModuleRegistration) {
        (self.state, self.owner) = (state, owner)
        source = Source(in: owner.content.serial, isState: true)
    }

    /// What a change concerns now.
    final var concerns: Concerns { source.isFollowed ? followers.union(.readers) : followers }

    private func noteFollowers() {
        followers = (children.isEmpty ? [] : Concerns.children).union(rules.isEmpty ? [] : .rules)
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
}

final class StateCell<S: Relux.State>: AnyStateCell {
    // exclusivity(unchecked): reducers can't reach the store, so no two accesses overlap.
    @exclusivity(unchecked) var value: S
    private var initial: S

    /// - Parameters:
    ///   - initial: The value that a reset restores.
    ///   - given: The first value, if it is another one.
    init(_ initial: S, startingAs given: (any Relux.State)?, of owner: ModuleRegistration) {
        self.initial = initial
        value = given as? S ?? initial
        super.init(state: S.self, of: owner)
    }

    override var anyValue: any Relux.State { value }

    override func replaceInitial(with other: any Relux.State) {
        if let other = other as? S { initial = other }
    }

    override func reset() {
        value = initial
        source.noteChange()
        for rule in rules { rule.forgetChange() }
    }
}

/// The place of one state in a store: its value, changed in place, and how often it has been touched.
class AnySlot {
    let state: any Relux.State.Type
    /// Which slot of the store this is: a module that comes back gets new ones.
    let serial: UInt64
    /// How often the state has been touched.
    // exclusivity(unchecked): reached inside the store only, and never while another access to it is under way.
    @exclusivity(unchecked) final var version: UInt64 = 0
    /// Those who wait for the next touch.
    @exclusivity(unchecked) final var waiting = SignalList<Void>()

    init(state: any Relux.State.Type, serial: UInt64) {
        self.state = state
        self.serial = serial
    }

    /// The value; nil in a slot that holds none.
    var anyValue: (any Relux.State)? { nil }

    /// Puts the initial value back.
    func reset() {}

    /// Resumes those who wait.
    final func wake() {
        if !waiting.isEmpty { waiting.fire() }
    }
}

final class Slot<S: Relux.State>: AnySlot {
    // exclusivity(unchecked): reducers are synchronous and reach no store, so that no access overlaps another one.
    @exclusivity(unchecked) var value: S
    private let initial: S

    init(_ initial: S, serial: UInt64) {
        self.initial = initial
        value = initial
        super.init(state: S.self, serial: serial)
    }

    override var anyValue: (any Relux.State)? { value }

    override func reset() {
        value = initial
        version &+= 1
    }
}

/// One reducer of one state.
class AnyStep {
    let slot: AnySlot

    init(slot: AnySlot) {
        self.slot = slot
    }
}

/// One reducer of one state for one type of action.
class Step<A: Relux.Action>: AnyStep {
    /// Reduces, and says whether somebody waits for the state.
    func run(_ action: A) -> Bool { false }
}

/// The state's own reducer.
final class OwnStep<S: Relux.State>: Step<S.Action> {
    // Unmanaged, so that no step retains it: `slot` of the superclass, a constant, keeps the same object.
    private let target: Unmanaged<Slot<S>>

    init(_ target: Slot<S>) {
        self.target = .passUnretained(target)
        super.init(slot: target)
    }

    override func run(_ action: S.Action) -> Bool {
        target._withUnsafeGuaranteedRef { target in
            target.value.reduce(action)
            target.version &+= 1
            return !target.waiting.isEmpty
        }
    }
}

/// An additional reducer.
final class AddedStep<S: Relux.State, A: Relux.Action>: Step<A> {
    // Unmanaged, so that no step retains it: `slot` of the superclass, a constant, keeps the same object.
    private let target: Unmanaged<Slot<S>>
    private let reduce: @Sendable (inout S, A) -> Void

    init(_ target: Slot<S>, _ reduce: @escaping @Sendable (inout S, A) -> Void) {
        self.target = .passUnretained(target)
        self.reduce = reduce
        super.init(slot: target)
    }

    override func run(_ action: A) -> Bool {
        target._withUnsafeGuaranteedRef { target in
            reduce(&target.value, action)
            target.version &+= 1
            return !target.waiting.isEmpty
        }
    }
}

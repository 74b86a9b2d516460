/// The place of one state in a store: its value, changed in place, and how often it has been touched.
@usableFromInline
class AnySlot {
    let state: any Relux.State.Type
    /// Which slot of the store this is: a module that comes back gets new ones.
    let serial: UInt64
    /// How often the state has been touched.
    // exclusivity(unchecked): reached inside the store only, and never while another access to it is under way.
    @exclusivity(unchecked) final var version: UInt64 = 0
    /// Those who wait for the next touch, or, with a check, for one that changes what they selected.
    // Unmanaged: the signal beside it keeps the check; of one that were held here each look would retain it.
    @exclusivity(unchecked) final var waiting = SignalList<Unmanaged<TouchCheck>?>()

    init(state: any Relux.State.Type, serial: UInt64) {
        self.state = state
        self.serial = serial
    }

    /// The value; nil in a slot that holds none.
    var anyValue: (any Relux.State)? { nil }

    /// Puts the initial value back.
    func reset() {}

    /// Resumes those who wait for what has changed.
    ///
    /// The selections are made here, where nothing is copied and nobody has to come and look; a reader whose selection
    /// stayed equal goes on waiting.
    @inline(__always)
    final func wake() {
        // In two parts: most of the time one waits, it isn't meant, and then this is all.
        let isOldestMeant = waiting.isOldest { check in isMeant(check) }
        if isOldestMeant || waiting.isCrowded { wake(oldest: isOldestMeant) }
    }

    @inline(never)
    private final func wake(oldest isOldestMeant: Bool) {
        waiting.fire(oldest: isOldestMeant) { check in isMeant(check) }
    }

    @inline(__always)
    private final func isMeant(_ check: Unmanaged<TouchCheck>?) -> Bool {
        check?._withUnsafeGuaranteedRef { $0.isMet(self, $0) } ?? true
    }
}

/// Tells of a touch whether it has changed what a reader waits for. Used inside the store.
// A closure that gets the check, and captures nothing: it is made in the code of the caller, where the types are known,
// and reads both where they lie.
@usableFromInline
final class TouchCheck: Sendable {
    /// - Parameters:
    ///   - slot: What was touched.
    ///   - check: This check.
    @usableFromInline typealias Condition = @Sendable (_ slot: AnySlot, _ check: TouchCheck) -> Bool

    let isMet: Condition
    /// What the condition compares with.
    @usableFromInline let last: any AnyObject & Sendable

    init(_ last: any AnyObject & Sendable, _ isMet: @escaping Condition) {
        self.last = last
        self.isMet = isMet
    }
}

@usableFromInline
final class Slot<S: Relux.State>: AnySlot {
    // exclusivity(unchecked): reducers are synchronous and reach no store, so that no access overlaps another one.
    @usableFromInline @exclusivity(unchecked) var place: Place<S>
    private let initial: S

    var value: S {
        _read { yield place.value }
        _modify { yield &place.value }
    }

    init(_ initial: S, serial: UInt64) {
        self.initial = initial
        place = Place(value: initial)
        super.init(state: S.self, serial: serial)
    }

    override var anyValue: (any Relux.State)? { value }

    override func reset() {
        value = initial
        version &+= 1
    }
}

/// Where a value lies.
// Not copyable, so that lending it can't copy what is in it: of a copyable one the compiler takes a copy for the time
// of each call, and with it a retain of all that the value holds.
@usableFromInline
struct Place<Value>: ~Copyable {
    @usableFromInline var value: Value

    init(value: Value) {
        self.value = value
    }

    /// What a closure selects from the value.
    @inlinable
    borrowing func selection<Selection>(_ select: (Value) -> Selection) -> Selection { select(value) }
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
    private let target: Slot<S>

    init(_ target: Slot<S>) {
        self.target = target
        super.init(slot: target)
    }

    override func run(_ action: S.Action) -> Bool {
        target.value.reduce(action)
        target.version &+= 1
        return !target.waiting.isEmpty
    }
}

/// An additional reducer.
final class AddedStep<S: Relux.State, A: Relux.Action>: Step<A> {
    private let target: Slot<S>
    private let reduce: @Sendable (inout S, A) -> Void

    init(_ target: Slot<S>, _ reduce: @escaping @Sendable (inout S, A) -> Void) {
        self.target = target
        self.reduce = reduce
        super.init(slot: target)
    }

    override func run(_ action: A) -> Bool {
        reduce(&target.value, action)
        target.version &+= 1
        return !target.waiting.isEmpty
    }
}

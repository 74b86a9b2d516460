/// The storage of one state: its value, changed in place, and the number of times it was touched.
///
/// - Isolation: The core's.
@usableFromInline
class AnyStateCell {
    let state: any Relux.State.Type
    /// The number of the cell in its store: a module that is registered again gets new cells.
    let serial: UInt64
    /// The module that lists the state.
    let owner: any Relux.Module.Type
    /// The instances that follow the state.
    final private(set) var children: [AnyChildrenBinding] = []
    /// How often the state has been touched since the cell was created.
    // exclusivity(unchecked), here and below: the core never accesses a cell while another access is in progress. The
    // check would cost a tenth of a dispatch.
    @exclusivity(unchecked) final var version: UInt64 = 0
    /// The readers that wait for the next touch or, with a check, for one that changes their selection.
    // Unmanaged: the waiter's signal keeps the check alive. A strong reference would be retained with each look at it.
    @exclusivity(unchecked) final var waiters = WaiterList<Unmanaged<StateChangeCheck>?>()

    init(state: any Relux.State.Type, of owner: any Relux.Module.Type, serial: UInt64) {
        self.state = state
        self.owner = owner
        self.serial = serial
    }

    final var hasChildren: Bool { !children.isEmpty }

    final func add(_ binding: AnyChildrenBinding) { children.append(binding) }

    final func remove(_ binding: AnyChildrenBinding) { children.removeAll { $0 === binding } }

    /// The value; nil in a cell of no particular state.
    var anyValue: (any Relux.State)? { nil }

    /// Restores the initial value.
    func reset() {}

    /// Sets the first value, if it is another one than a reset restores.
    func start(with other: any Relux.State) {}

    /// Changes the value that a reset restores.
    func replaceInitial(with other: any Relux.State) {}

    /// Resumes the readers that wait for what has changed.
    ///
    /// Their selections are evaluated here, in place, so that a reader whose selection is unchanged continues to wait.
    @inline(__always)
    final func wakeReaders() {
        // Split in two: usually one reader waits, its selection is unchanged, and nothing else is to be done.
        let isOldestConcerned = waiters.isOldest { check in isConcerned(check) }
        if isOldestConcerned || waiters.isCrowded { wakeReaders(oldest: isOldestConcerned) }
    }

    @inline(never)
    private final func wakeReaders(oldest isOldestConcerned: Bool) {
        waiters.fire(oldest: isOldestConcerned) { check in isConcerned(check) }
    }

    @inline(__always)
    private final func isConcerned(_ check: Unmanaged<StateChangeCheck>?) -> Bool {
        check?._withUnsafeGuaranteedRef { $0.isMet(self, $0) } ?? true
    }
}

@usableFromInline
final class StateCell<S: Relux.State>: AnyStateCell {
    // exclusivity(unchecked): reducers are synchronous and can't reach the store, so no two accesses overlap.
    @usableFromInline @exclusivity(unchecked) var contents: Contents
    private var initial: S

    /// The value, wrapped so that it can be lent.
    // Not copyable: for a copyable value, the compiler makes a copy for the duration of each call that borrows it, and
    // retains everything in it.
    @usableFromInline
    struct Contents: ~Copyable {
        @usableFromInline var value: S

        init(value: S) {
            self.value = value
        }

        /// What a closure selects from the value.
        @inlinable
        borrowing func selection<Selection>(_ select: (S) -> Selection) -> Selection { select(value) }
    }

    var value: S {
        _read { yield contents.value }
        _modify { yield &contents.value }
    }

    init(_ initial: S, of owner: any Relux.Module.Type, serial: UInt64) {
        self.initial = initial
        contents = Contents(value: initial)
        super.init(state: S.self, of: owner, serial: serial)
    }

    override var anyValue: (any Relux.State)? { value }

    override func start(with other: any Relux.State) {
        if let other = other as? S { value = other }
    }

    override func replaceInitial(with other: any Relux.State) {
        if let other = other as? S { initial = other }
    }

    override func reset() {
        value = initial
        version &+= 1
    }
}

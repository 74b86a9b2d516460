import Synchronization

/// What the records of an action have in common with all copies of them, and with records of the same type of action
/// that no observer has kept.
///
/// Reading a clock takes as long as the rest of a dispatch, and many observers never ask for the time. It is therefore
/// read when it is first asked for, at the latest when the observers have returned and one of them has kept the record.
final class Reduction: Sendable {
    /// The states whose reducers ran.
    let states: [any Relux.State.Type]
    /// The instance that took the action.
    let scope: Relux.Scope?
    /// The run that caused the action.
    let source: RunHandle?
    /// Whether a caller awaits what the action triggered.
    let isPerformed: Bool
    /// Whether a caller of `actions { }` awaits what the action triggered.
    let isAwaited: Bool

    private let clock: StoreClock
    private let fixedTime = Lock<Duration?>(nil)
    private let hasTime = Atomic(false)

    init(
        of states: [any Relux.State.Type], in scope: Relux.Scope? = nil, from source: RunHandle? = nil,
        isPerformed: Bool = false, isAwaited: Bool = false, _ clock: StoreClock
    ) {
        self.states = states
        self.scope = scope
        self.source = source
        self.isPerformed = isPerformed
        self.isAwaited = isAwaited
        self.clock = clock
    }

    /// When the action was reduced, the same for every caller.
    var time: Duration {
        // Outside the lock, because a clock is user code. Relaxed: the lock orders the time itself.
        let now = hasTime.load(ordering: .relaxed) ? nil : clock.now()
        return fixedTime.withLock { fixedTime in
            let time = fixedTime ?? now ?? .zero
            fixedTime = time
            hasTime.store(true, ordering: .relaxed)
            return time
        }
    }

    /// Reads the time, if that has not happened yet.
    func fixTime() { _ = time }

    /// Forgets the time, for the next record. The caller must hold the only reference.
    func forgetTime() {
        guard hasTime.load(ordering: .relaxed) else { return }
        fixedTime.withLock { $0 = nil }
        hasTime.store(false, ordering: .relaxed)
    }
}

import Synchronization

/// A lock whose waiters suspend: the one way into a store.
///
/// It is free as a rule. Then a task takes it in its own thread, for the price of two atomic operations, where a call
/// of an actor costs two changes of executor. Where it is held, a place in the line is taken at once, and awaited
/// wherever the caller likes; no thread is ever blocked.
///
/// - Isolation: Anywhere.
/// - Ordering: First come, first served: while somebody waits, nobody else gets it.
/// - Cancellation: It isn't heard of: whoever has a place in the line gets the lock, and has to give it back.
struct AsyncLock: ~Copyable, Sendable {
    private static let free: UInt8 = 0
    private static let held: UInt8 = 1
    /// It is held, and somebody waits: whoever unlocks has to look into the line.
    private static let awaited: UInt8 = 2

    /// How often a task looks again before it takes a place in the line.
    private static let attempts = 100

    private let state = Atomic<UInt8>(free)
    private let line = Lock(Queue<Signal>())

    /// Takes the lock if it is free.
    ///
    /// - Returns: Whether it did. Who takes it has to unlock.
    @inline(__always)
    func tryLock() -> Bool {
        state.compareExchange(expected: Self.free, desired: Self.held, ordering: .acquiring).exchanged
    }

    /// Takes the lock if it becomes free within a moment: about as long as a short section takes.
    @inline(never)
    func tryLockForAMoment() -> Bool {
        for _ in 0..<Self.attempts {
            switch state.load(ordering: .relaxed) {
            case Self.free: if tryLock() { return true }
            case Self.held: continue
            // Those who wait come first.
            default: return false
            }
        }
        return false
    }

    /// Takes the lock if it is free, and else the next place in the line. Who gets it has to unlock.
    ///
    /// - Returns: What fires when it is the caller's turn; nil if that is now.
    func lockOrStandInLine() -> Signal? {
        if tryLock() { return nil }
        let turn = Signal()
        return line.withLock { line in
            while true {
                if tryLock() { return nil }
                // Once this is noted, nobody unlocks without looking into the line.
                let found = state.compareExchange(
                    expected: Self.held, desired: Self.awaited, ordering: .relaxed
                ).original
                guard found != Self.free else { continue }
                line.append(turn)
                return turn
            }
        }
    }

    /// Gives the lock back, or to the first in the line.
    @inline(__always)
    func unlock() {
        if state.compareExchange(expected: Self.held, desired: Self.free, ordering: .releasing).exchanged { return }
        unlockForTheLine()
    }

    @inline(never)
    private func unlockForTheLine() {
        let next = line.withLock { line in
            let next = line.popFirst()
            // Nobody else changes it meanwhile. The next one has it already: it is never free in between.
            if line.isEmpty { state.store(next == nil ? Self.free : Self.held, ordering: .releasing) }
            return next
        }
        next?.fire()
    }
}

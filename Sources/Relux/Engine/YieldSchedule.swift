import Synchronization

/// When a task that performs lets go of its thread, although its runs begin there and may never wait for anything.
///
/// To yield may wake another thread, which costs the system as much time as a dozen performs take. So it is done every
/// few milliseconds, and the time is only asked for now and then.
struct YieldSchedule: ~Copyable, Sendable {
    /// In nanoseconds.
    static let interval: Int64 = 5_000_000

    private static let origin = ContinuousClock.now

    private let last = Atomic<Int64>(-interval)

    /// Whether whoever performs has to yield before it goes on.
    ///
    /// - Parameters:
    ///   - group: What is performed as. One in 64 is asked for the time, whatever the steps in which a loop counts.
    ///   - now: The time, in nanoseconds. It mustn't be a clock that a test has stopped.
    /// - Returns: Whether the interval has passed since this was last true.
    func isDue(at group: RunTable.GroupID, now: () -> Int64 = Self.now) -> Bool {
        guard SplitMix64.number(at: group) >> 58 == 0 else { return false }
        let now = now()
        let before = last.load(ordering: .relaxed)
        return now - before >= Self.interval
            && last.compareExchange(expected: before, desired: now, ordering: .relaxed).exchanged
    }

    private static func now() -> Int64 {
        let (seconds, attoseconds) = origin.duration(to: .now).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

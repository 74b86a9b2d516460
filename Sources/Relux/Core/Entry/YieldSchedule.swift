import Synchronization

/// Decides when a task that performs effects in a loop yields its thread, because inline runs may never suspend.
///
/// A yield may wake another thread, which costs as much time as a dozen performs. A task therefore yields only every
/// few milliseconds, and the time is only read now and then.
struct YieldSchedule: ~Copyable, Sendable {
    /// In nanoseconds.
    static let interval: Int64 = 5_000_000

    private static let origin = ContinuousClock.now

    private let last = Atomic<Int64>(-interval)

    /// Whether the performing task must yield before it continues.
    ///
    /// - Parameters:
    ///   - number: The number of the perform. The time is read for one in 64, chosen by a hash, so that no step size of
    ///     a loop can avoid it.
    ///   - now: The time in nanoseconds. It must not come from a clock that a test has stopped.
    /// - Returns: Whether the interval has passed since this last returned true.
    func isDue(at number: UInt64, now: () -> Int64 = Self.now) -> Bool {
        guard SplitMix64.number(at: number) >> 58 == 0 else { return false }
        let now = now()
        let before = last.load(ordering: .relaxed)
        return now - before >= Self.interval
            && last.compareExchange(expected: before, desired: now, ordering: .relaxed).exchanged
    }

    // inline(never): an instant has no fixed size, for which an asynchronous function would allocate memory.
    @inline(never)
    private static func now() -> Int64 {
        let (seconds, attoseconds) = origin.duration(to: .now).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

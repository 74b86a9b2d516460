/// The clock of a store. Its times are durations since the store was created.
struct StoreClock: Sendable {
    /// A time that never comes. Deadlines beyond it are clamped to it, so that no arithmetic on them overflows.
    static let distantFuture = Duration.seconds(Int64.max / 4)

    /// The longest single sleep, because clocks overflow long before `Duration` does: about 30 years.
    private static let longestSleep = Duration.seconds(1_000_000_000)

    /// The current time.
    let now: @Sendable () -> Duration
    private let sleepOnce: @Sendable (_ deadline: Duration) async throws -> Void

    init(_ clock: any Clock<Duration>) {
        // The usual clock by its type: each report reads the time, and generic code takes three times as long.
        self = if let usual = clock as? ContinuousClock { StoreClock(opening: usual) } else { .init(opening: clock) }
    }

    private init<C: Clock>(opening clock: C) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleepOnce = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The time after a delay of any length. A delay below zero counts as zero.
    func deadline(after delay: Duration) -> Duration {
        Self.deadline(after: delay, from: now())
    }

    static func deadline(after delay: Duration, from now: Duration) -> Duration {
        delay < distantFuture - now ? now + max(delay, .zero) : distantFuture
    }

    /// Sleeps until a time, even if the clock wakes early. Throws when the task is cancelled.
    func sleep(until deadline: Duration) async throws {
        while true {
            try await sleepOnce(min(deadline, now() + Self.longestSleep))
            if now() >= deadline { return }
            // The clock may have returned because of the cancellation.
            try Task.checkCancellation()
            // One that wakes early again and again keeps no thread.
            await Task.yield()
        }
    }
}

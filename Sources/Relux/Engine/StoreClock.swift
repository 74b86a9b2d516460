/// The clock of a store: time since the store was made.
struct StoreClock: Sendable {
    /// The time since the store was made.
    let now: @Sendable () -> Duration
    /// Sleeps until a time since the store was made. Throws when the task is cancelled.
    let sleep: @Sendable (_ until: Duration) async throws -> Void

    init(_ clock: any Clock<Duration>) {
        self = Self.opening(clock)
    }

    private init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    private static func opening<C: Clock>(_ clock: C) -> StoreClock where C.Duration == Duration {
        let start = clock.now
        return StoreClock(
            now: { start.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        )
    }
}

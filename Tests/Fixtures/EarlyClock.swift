/// A clock whose sleeps end a millisecond too early, unless they are shorter.
package struct EarlyClock<Base: Clock<Duration>>: Clock {
    private let base: Base

    package init(_ base: Base) { self.base = base }

    package var now: Base.Instant { base.now }
    package var minimumResolution: Duration { base.minimumResolution }

    package func sleep(until deadline: Base.Instant, tolerance: Duration?) async throws {
        let early = deadline.advanced(by: .milliseconds(-1))
        try await base.sleep(until: early > now ? early : deadline, tolerance: tolerance)
    }
}

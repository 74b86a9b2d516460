@testable import SampleServices

/// A clock on which every sleep ends immediately, with the time advanced.
final class JumpingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
    }

    private let time = Lock(Instant(offset: .zero))
    private let beforeSleep: @Sendable (Duration) throws -> Void

    /// - Parameter beforeSleep: Called before each sleep with the time that has passed.
    init(beforeSleep: @escaping @Sendable (Duration) throws -> Void = { _ in }) {
        self.beforeSleep = beforeSleep
    }

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try beforeSleep(now.offset)
        time.withLock { $0 = max($0, deadline) }
    }
}

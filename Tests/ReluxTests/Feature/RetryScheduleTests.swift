import Testing

@testable import Relux

@Suite("Retry schedule", .timeLimit(.minutes(10)))
struct RetryScheduleTests {
    @Test(
        "delays grow from the base by the factor up to the limit, and values out of range count as the nearest inside",
        arguments: [
            (.constant(.seconds(3), attempts: 5), [3, 3, 3, 3]),
            (.exponential(base: .seconds(1), factor: 3, limit: .seconds(20)), [1, 3, 9, 20, 20, 20]),
            (.exponential(base: .seconds(30), limit: .seconds(20)), [20]),
            // Negative delays count as zero.
            (.constant(.seconds(-1)), [0, 0, 0]),
            (.exponential(base: .seconds(-1)), [0, 0, 0]),
            (.exponential(base: .seconds(1), limit: .seconds(-1)), [0, 0, 0]),
            // A factor below 1 counts as 1.
            (.exponential(base: .seconds(2), factor: 0.5), [2, 2, 2, 2, 2]),
            (.exponential(base: .seconds(2), factor: 0), [2, 2, 2, 2, 2]),
            (.exponential(base: .seconds(2), factor: -3), [2, 2, 2, 2, 2]),
            (.exponential(base: .seconds(2), factor: .nan), [2, 2, 2, 2, 2]),
            // The half is drawn of a jitter from 0 to 1.
            (.exponential(base: .seconds(10), jitter: 2), [5]),
            (.exponential(base: .seconds(10), jitter: -1), [10]),
            (.exponential(base: .seconds(10), jitter: .nan), [10]),
        ] as [(Relux.RetrySchedule, [Int])])
    func delays(schedule: Relux.RetrySchedule, seconds: [Int]) {
        let delays = seconds.indices.map { schedule.delay(afterFailed: $0 + 1, drawing: 0.5) }

        #expect(delays == seconds.map { .seconds($0) })
    }

    @Test("jitter shortens each delay by the drawn part of its share")
    func jitter() {
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(10), factor: 2, jitter: 0.2)

        #expect(schedule.delay(afterFailed: 1, drawing: 0) == .seconds(10))
        #expect(schedule.delay(afterFailed: 1, drawing: 0.5) == .seconds(9))
        #expect(schedule.delay(afterFailed: 2, drawing: 0.5) == .seconds(18))
    }

    @Test("no factor, base, or number of failures overflows", arguments: [2, 1e300, .infinity])
    func noOverflow(factor: Double) {
        let schedule = Relux.RetrySchedule.exponential(
            base: .nanoseconds(1), factor: factor, limit: .seconds(1 << 62), attempts: .max
        )
        let empty = Relux.RetrySchedule.exponential(base: .zero, factor: factor, limit: .seconds(1 << 62))

        #expect(schedule.delay(afterFailed: 10_000, drawing: 0) == .seconds(1 << 62))
        #expect(empty.delay(afterFailed: 10_000, drawing: 0) == .zero)
    }

    @Test(
        "an error is worth retrying until the attempts are used up, of which there is at least one",
        arguments: [3, 1, 0, -5])
    func attempts(attempts: Int) {
        let schedule = Relux.RetrySchedule.constant(.zero, attempts: attempts)

        #expect((1...4).map { schedule.isWorthRetrying(TestFailure(), failed: $0) } == (1...4).map { $0 < attempts })
    }

    @Test("the condition decides by the error, and a cancellation is never worth retrying")
    func condition() {
        let schedule = Relux.RetrySchedule.exponential(base: .zero) { ($0 as? TestFailure)?.name != "fatal" }

        #expect(schedule.isWorthRetrying(TestFailure(name: "passing"), failed: 1))
        #expect(!schedule.isWorthRetrying(TestFailure(name: "fatal"), failed: 1))
        #expect(!schedule.isWorthRetrying(CancellationError(), failed: 1))
    }
}

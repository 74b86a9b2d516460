import Testing

@testable import Relux

@Suite("Retry schedule", .timeLimit(.minutes(10)))
struct RetryScheduleTests {
    @Test("a constant delay stays the same")
    func constant() {
        let schedule = Relux.RetrySchedule.constant(.seconds(3), attempts: 5)

        let delays = (1...4).map { schedule.delay(afterFailed: $0, drawing: 0.5) }

        #expect(delays == Array(repeating: .seconds(3), count: 4))
    }

    @Test("an exponential delay grows by its factor, up to its limit")
    func exponential() {
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(1), factor: 3, limit: .seconds(20))

        let delays = (1...6).map { schedule.delay(afterFailed: $0, drawing: 0.5) }

        #expect(delays == [1, 3, 9, 20, 20, 20].map { .seconds($0) })
    }

    @Test("a base above the limit is reduced to the limit")
    func baseBeyondTheLimit() {
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(30), limit: .seconds(20))

        #expect(schedule.delay(afterFailed: 1, drawing: 0) == .seconds(20))
    }

    @Test("jitter shortens each delay by the drawn part of its share")
    func jitter() {
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(10), factor: 2, jitter: 0.2)

        #expect(schedule.delay(afterFailed: 1, drawing: 0) == .seconds(10))
        #expect(schedule.delay(afterFailed: 1, drawing: 0.5) == .seconds(9))
        #expect(schedule.delay(afterFailed: 2, drawing: 0.5) == .seconds(18))
    }

    @Test(
        "a jitter outside its range counts as the nearest value inside", arguments: [(2.0, 5), (-1.0, 10), (.nan, 10)])
    func jitterOutOfRange(jitter: Double, seconds: Int) {
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(10), jitter: jitter)

        #expect(schedule.delay(afterFailed: 1, drawing: 0.5) == .seconds(seconds))
    }

    @Test("negative delays count as zero")
    func negativeDelays() {
        let constant = Relux.RetrySchedule.constant(.seconds(-1))
        let base = Relux.RetrySchedule.exponential(base: .seconds(-1))
        let limit = Relux.RetrySchedule.exponential(base: .seconds(1), limit: .seconds(-1))

        for schedule in [constant, base, limit] {
            #expect(schedule.delay(afterFailed: 3, drawing: 0) == .zero)
        }
    }

    @Test("a factor below 1 counts as 1", arguments: [0.5, 0, -3, .nan])
    func smallFactors(factor: Double) {
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(2), factor: factor)

        #expect(schedule.delay(afterFailed: 5, drawing: 0) == .seconds(2))
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

    @Test("an error is worth retrying until the attempts are used up")
    func attempts() {
        let schedule = Relux.RetrySchedule.constant(.zero, attempts: 3)

        #expect((1...4).map { schedule.isWorthRetrying(TestFailure(), failed: $0) } == [true, true, false, false])
    }

    @Test("fewer than one attempt counts as one", arguments: [0, -5])
    func noAttempts(attempts: Int) {
        let schedule = Relux.RetrySchedule.constant(.zero, attempts: attempts)

        #expect(!schedule.isWorthRetrying(TestFailure(), failed: 1))
    }

    @Test("the condition decides by the error, and a cancellation is never worth retrying")
    func condition() {
        let schedule = Relux.RetrySchedule.exponential(base: .zero) { ($0 as? TestFailure)?.name != "fatal" }

        #expect(schedule.isWorthRetrying(TestFailure(name: "passing"), failed: 1))
        #expect(!schedule.isWorthRetrying(TestFailure(name: "fatal"), failed: 1))
        #expect(!schedule.isWorthRetrying(CancellationError(), failed: 1))
    }
}

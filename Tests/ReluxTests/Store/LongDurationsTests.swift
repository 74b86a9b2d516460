import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Each of these used to trap: the deadline overflowed, in the store or in the clock.
@Suite("Durations of any length", .timeLimit(.minutes(10)))
struct LongDurationsTests {
    private let gate = Gate()

    /// A clock that a store can have.
    enum Time: CaseIterable, Sendable {
        case manual, continuous
    }

    /// Another clock that tells when something sleeps on it.
    private struct TellingClock<Base: Clock>: Clock where Base.Duration == Duration {
        typealias Instant = Base.Instant
        typealias Duration = Swift.Duration

        let base: Base
        let hasSleeper: Gate

        var now: Instant { base.now }
        var minimumResolution: Duration { base.minimumResolution }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            hasSleeper.open()
            try await base.sleep(until: deadline, tolerance: tolerance)
        }
    }

    private static let durations: [Duration] = [
        .seconds(1_000_000_000_000), .seconds(Int64.max), Duration(attoseconds: .max),
    ]

    /// A store that does jobs, and a gate that opens when something sleeps on its clock.
    private static func store(
        _ time: Time, _ body: @escaping @Sendable (Job, Relux.SagaContext) async throws -> Void
    ) async throws -> (Relux.Store, hasSleeper: Gate) {
        let hasSleeper = Gate()
        let clock: any Clock<Duration> =
            switch time {
            case .manual: TellingClock(base: ManualClock(), hasSleeper: hasSleeper)
            case .continuous: TellingClock(base: ContinuousClock(), hasSleeper: hasSleeper)
            }
        let store = try await Relux.Store(.init(clock: clock)) {
            ClosureSaga<Job>(policy: \.policy) { job, context in
                await context.dispatch(Log.Action.add("\(job.name)+"))
                try await body(job, context)
                await context.dispatch(Log.Action.add("\(job.name)-"))
            }.alone
        }
        return (store, hasSleeper)
    }

    @Test("sleep accepts any duration", arguments: durations, Time.allCases)
    func sleep(duration: Duration, time: Time) async throws {
        let (store, hasSleeper) = try await Self.store(time) { _, context in try await context.sleep(for: duration) }
        let caller = Task { try await store.perform(Job("a", .concurrent)) }
        await hasSleeper.pass()

        caller.cancel()

        #expect(await Ending.of { try await caller.value } == .cancelled)
        #expect(try await store.log() == ["a+"])
    }

    @Test("timeout accepts any limit", arguments: durations, Time.allCases)
    func timeout(duration: Duration, time: Time) async throws {
        let (store, hasSleeper) = try await Self.store(time) { _, context in
            try await context.timeout(after: duration) { _ in await gate.pass() }
        }
        let caller = Task { try await store.perform(Job("a", .concurrent)) }
        await hasSleeper.pass()

        gate.open()

        #expect(await Ending.of { try await caller.value } == .returned)
        #expect(try await store.log() == ["a+", "a-"])
    }

    @Test("retry accepts any delay", arguments: durations, Time.allCases)
    func retry(duration: Duration, time: Time) async throws {
        let schedules: [Relux.RetrySchedule] = [
            .constant(duration), .exponential(base: duration, limit: duration),
            .exponential(base: .seconds(1), factor: .infinity, limit: duration, jitter: 0.000_1),
        ]
        for schedule in schedules {
            let (store, hasSleeper) = try await Self.store(time) { _, context in
                try await context.retry(schedule) {
                    await context.dispatch(Log.Action.add("try"))
                    throw TestFailure()
                }
            }
            let caller = Task { try await store.perform(Job("a", .concurrent)) }
            await hasSleeper.pass()

            caller.cancel()

            #expect(await Ending.of { try await caller.value } == .cancelled)
            #expect(try await store.log() == ["a+", "try"])
        }
    }

    @Test("debounce accepts any delay", arguments: durations, Time.allCases)
    func debounce(duration: Duration, time: Time) async throws {
        let (store, hasSleeper) = try await Self.store(time) { _, _ in }
        let first = Task { try await store.perform(Job("a", .debounce(duration))) }
        await hasSleeper.pass()

        let second = await store.dispatch(Job("b", .debounce(.zero)))
        await second.finished()

        #expect(await Ending.of { try await first.value } == .superseded)
        #expect(try await store.log() == ["b+", "b-"])
    }

    @Test("throttle accepts any interval", arguments: durations, Time.allCases)
    func throttle(duration: Duration, time: Time) async throws {
        let (store, hasSleeper) = try await Self.store(time) { _, _ in }
        try await store.perform(Job("a", .throttle(duration)))
        let second = Task { try await store.perform(Job("b", .throttle(duration))) }
        await hasSleeper.pass()

        second.cancel()
        let ending = await Ending.of { try await second.value }
        await store.reset()
        try await store.perform(Job("c", .throttle(duration)))

        #expect(ending == .cancelled)
        #expect(try await store.log() == ["c+", "c-"])
    }

    @Test("idle accepts any limit", arguments: durations, Time.allCases)
    func idle(duration: Duration, time: Time) async throws {
        let (store, hasSleeper) = try await Self.store(time) { _, _ in await gate.pass() }
        await store.dispatch(Job("a", .concurrent))
        let cancelled = Task { await Ending.of { try await store.idle(within: duration) } }
        let resting = Task { await Ending.of { try await store.idle(within: duration) } }
        await hasSleeper.pass()

        cancelled.cancel()
        let ending = await cancelled.value
        gate.open()

        #expect(ending != .returned)
        #expect(await resting.value == .returned)
    }

    @Test("the error of a timeout prints any limit", arguments: durations)
    func text(duration: Duration) {
        #expect(Relux.TimeoutError(limit: duration).description.contains(duration.decimalText))
    }
}

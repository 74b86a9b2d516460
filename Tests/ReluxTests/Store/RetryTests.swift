import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Retry", .timeLimit(.minutes(10)))
struct RetryTests: Staged {
    let scene = Scene()
    private let tries = Trace<Duration>()
    private let failedAttempts = Trace<Int>()

    /// A store that answers a question by trying, and records when each attempt is made.
    private func store(
        _ schedule: Relux.RetrySchedule, seed: UInt64? = nil,
        _ body: @escaping @Sendable (_ count: Int) async throws -> Int
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(clock: clock, randomSeed: seed)) {
            SagaModule(flows: [
                QuestionFlow { _, context in
                    try await context.retry(schedule, onSetback: { failedAttempts.note($0.attempt) }) {
                        tries.note(context.now)
                        return try await body(tries.entries.count)
                    }
                }
            ])
        }
    }

    /// Lets as many pauses pass.
    private func pass(_ pauses: Int) async {
        for _ in 0..<pauses {
            await clock.sleepers(atLeast: 1)
            await clock.advanceToNextDeadline()
        }
    }

    @Test("it retries after each delay of the schedule, on the store's clock, until an attempt succeeds")
    func delays() async throws {
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(1), factor: 2, attempts: 9)
        let store = try await store(schedule) { count in
            guard count == 4 else { throw TestFailure(name: "\(count)") }
            return count
        }

        let caller = Task { try await store.perform(Question()) }
        await pass(3)

        #expect(try await caller.value == 4)
        #expect(tries.entries == [.zero, .seconds(1), .seconds(3), .seconds(7)])
    }

    @Test("an error that isn't worth retrying is thrown immediately")
    func condition() async throws {
        let schedule = Relux.RetrySchedule.constant(.zero, attempts: 9) { ($0 as? TestFailure)?.name != "2" }
        let store = try await store(schedule) { count in
            throw TestFailure(name: "\(count)")
        }

        let ending = await Ending.of { try await store.perform(Question()) }

        #expect(ending == .failed(TestFailure(name: "2")))
        #expect(tries.entries.count == 2)
    }

    private static let record = MadeRecord.run(1)

    // It used to repeat them: what had been superseded then superseded the newer one.
    @Test(
        "cancelled, superseded, dropped, and unhandled effects are not retried",
        arguments: [
            .superseded, .cancelled, .dropped, .unhandled, .storeShutDown,
            .serialCycle(waiting: record, on: record), .failed(Relux.EffectError.superseded),
        ] as [Relux.EffectError]
    )
    func effectErrors(error: Relux.EffectError) async throws {
        let asked = Trace<String>()
        let schedule = Relux.RetrySchedule.constant(.zero, attempts: 9) { error in
            asked.note("\(error)")
            return true
        }
        let store = try await store(schedule) { _ in throw error }

        let ending = await Ending.of { try await store.perform(Question()) }

        let cause: (any Error)? = if case .failed(let cause) = error { cause } else { nil }
        #expect(ending == Ending(cause ?? error))
        #expect(tries.entries.count == 1)
        #expect(asked.entries.isEmpty)
    }

    @Test("a failed effect is retried, and the condition sees the cause", arguments: [1, 2, 3])
    func failures(attempts: Int) async throws {
        let asked = Trace<Ending>()
        let schedule = Relux.RetrySchedule.constant(.zero, attempts: attempts) { error in
            asked.note(Ending(error))
            return true
        }
        let store = try await store(schedule) { count in
            throw Relux.EffectError.failed(TestFailure(name: "\(count)"))
        }

        let ending = await Ending.of { try await store.perform(Question()) }

        #expect(ending == .failed(TestFailure(name: "\(attempts)")))
        #expect(tries.entries.count == attempts)
        #expect(asked.entries == (1..<attempts).map { .threw(TestFailure(name: "\($0)")) })
    }

    @Test("a cancellation between two attempts ends the retries, without another attempt")
    func cancelledWhileWaiting() async throws {
        let store = try await store(.constant(.seconds(1))) { _ in throw TestFailure() }

        let caller = Task { try await store.perform(Question()) }
        await clock.sleepers(atLeast: 1)
        caller.cancel()
        let ending = await Ending.of { try await caller.value }
        await clock.advance(by: .seconds(9))

        #expect(ending == .cancelled)
        #expect(tries.entries.count == 1)
    }

    @Test("a cancellation during an attempt ends the retries after it, without a setback, even if there is no delay")
    func cancelledWhileTrying() async throws {
        let store = try await store(.constant(.zero, attempts: 9)) { _ in
            gate.open()
            try? await untilCancelled()
            throw TestFailure()
        }

        let caller = Task { try await store.perform(Question()) }
        await gate.pass()
        caller.cancel()

        #expect(await Ending.of { try await caller.value } == .cancelled)
        #expect(tries.entries.count == 1)
        #expect(failedAttempts.entries == [])
    }

    @Test("before each pause, it tells the error, the attempt, and the pause, but not after the last failure")
    func setbacks() async throws {
        let setbacks = Trace<String>()
        let schedule = Relux.RetrySchedule.exponential(base: .seconds(1), factor: 2, attempts: 3)
        let store = try await makeStore { _, context in
            let attempts = Trace<Int>()
            try await context.retry(
                schedule,
                onSetback: { setback in
                    setbacks.note("\(setback.attempt) \(setback.error) \(setback.pause) at \(context.now)")
                    await context.dispatch(Log.Action.add("setback \(setback.attempt)"))
                }
            ) {
                attempts.note(1)
                throw TestFailure(name: "\(attempts.entries.count)")
            }
        }

        let caller = Task { await Ending.of { try await store.perform(Work()) } }
        await pass(2)

        #expect(await caller.value == .failed(TestFailure(name: "3")))
        #expect(
            setbacks.entries == [
                #"1 TestFailure(name: "1") 1.0 seconds at 0.0 seconds"#,
                #"2 TestFailure(name: "2") 2.0 seconds at 1.0 seconds"#,
            ]
        )
        #expect(try await store.log() == ["setback 1", "setback 2"])
    }

    @Test("the same seed gives the same delays, a different seed gives others, and each delay is within its jitter")
    func jitter() async throws {
        func deadlines(seed: UInt64) async throws -> [Duration] {
            let retrying = RetryTests()
            let schedule = Relux.RetrySchedule.exponential(base: .seconds(10), factor: 1, jitter: 0.5, attempts: 5)
            let store = try await retrying.store(schedule, seed: seed) { _ in throw TestFailure() }
            let caller = Task { try await store.perform(Question()) }
            await retrying.pass(4)
            _ = await caller.result
            return retrying.tries.entries
        }

        let (first, again, other) = try await (deadlines(seed: 1), deadlines(seed: 1), deadlines(seed: 2))

        #expect(first == again)
        #expect(first != other)
        let delays = zip(first.dropFirst(), first).map { $0 - $1 }
        #expect(delays.count == 4)
        #expect(Set(delays).count == 4)
        for delay in delays { #expect(delay > .seconds(5) && delay <= .seconds(10)) }
    }

    @Test("two runs of a store draw different delays")
    func jitterOfTwoRuns() async throws {
        let store = try await Relux.Store(.init(clock: clock, randomSeed: 1)) {
            WorkSaga { _, context in
                try await context.retry(.exponential(base: .seconds(10), jitter: 1)) { throw TestFailure() }
            }.module()
        }

        await store.dispatch(Work())
        await store.dispatch(Work())
        let sleepers = await clock.sleepers(atLeast: 2)
        await store.cancel(WorkSaga.self)

        #expect(Set(sleepers.map(\.deadline)).count == 2)
    }

    @Test("sleep returns after its duration, immediately if that is zero, and throws in a cancelled run")
    func sleep() async throws {
        let endings = Trace<Ending>()
        let store = try await makeStore { _, context in
            for seconds in [-1, 2, 60, 0] {
                endings.note(await Ending.of { try await context.sleep(for: .seconds(seconds)) })
            }
        }

        let caller = Task { try await store.perform(Work()) }
        await clock.advance(by: .seconds(2), pastSleepers: 1)
        await clock.sleepers(atLeast: 1)
        caller.cancel()
        _ = await caller.result

        #expect(endings.entries == [.returned, .returned, .cancellationError, .cancellationError])
    }
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Timeout", .timeLimit(.minutes(10)))
struct TimeoutTests: Staged {
    let scene = Scene()
    /// How the timeouts ended.
    private let endings = Trace<Ending>()

    /// A store whose work has a time limit for its body, after which it traces and logs how the timeout ended.
    private func limiting(
        _ limit: Duration = .seconds(5), executor: (any TaskExecutor)? = nil,
        _ body: @escaping @Sendable (Relux.SagaContext) async throws -> Void
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(clock: clock, executor: executor, observers: [observer])) {
            WorkSaga { _, context in
                let ending = await Ending.of { try await context.timeout(after: limit, body) }
                endings.note(ending)
                await context.dispatch(Log.Action.add("\(ending)"))
            }.module()
        }
    }

    /// A store whose flow answers with the body's value.
    private func asking(_ body: @escaping @Sendable (Relux.SagaContext) async throws -> Int) async throws -> Relux.Store
    {
        try await Relux.Store(.init(clock: clock)) {
            SagaModule(flows: [QuestionFlow { _, context in try await body(context) }])
        }
    }

    @Test(
        "a body that returns in time, nil or not, leaves nothing that waits for the deadline",
        arguments: [42, nil] as [Int?])
    func timerEnds(value: Int?) async throws {
        let store = try await asking { context in
            let returned = try await context.timeout(after: .seconds(5)) { _ in
                await clock.sleepers(atLeast: 1)
                return value
            }
            return returned ?? -1
        }

        #expect(try await store.perform(Question()) == value ?? -1)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("cancelling the task that waits cancels the body, though the run itself continues")
    func cancelledCaller() async throws {
        let store = try await makeStore { _, context in
            let waiting = Task {
                try await context.timeout(after: .seconds(5)) { _ in
                    gate.open()
                    try await untilCancelled()
                }
            }
            await gate.pass()
            waiting.cancel()
            await context.dispatch(Log.Action.add("\(await Ending.of { try await waiting.value })"))
        }

        try await store.perform(Work())

        #expect(try await store.log() == ["\(Ending.cancellationError)"])
    }

    @Test("at the deadline, it throws and the body is cancelled")
    func deadline() async throws {
        let trace = Trace<Ending>()
        let store = try await asking { context in
            try await context.timeout(after: .seconds(5)) { _ in
                trace.note(await Ending.of { try await untilCancelled() })
            }
            return 0
        }

        let caller = Task { try await store.perform(Question()) }
        await clock.advance(by: .seconds(5), pastSleepers: 1)
        let ending = await Ending.of { try await caller.value }
        try await store.idle()

        #expect(ending == .other("\(Relux.EffectError.failed(Relux.TimeoutError(limit: .seconds(5))))"))
        #expect(trace.entries == [.cancellationError])
    }

    @Test("one that has ended with its run doesn't expire, however long its body goes on")
    func finished() async throws {
        let store = try await asking { context in
            try await context.timeout(after: .seconds(5)) { context in
                await context.finish(with: Log.Action.add("last"))
                try await context.sleep(for: .seconds(60))
                return 7
            }
        }

        let caller = Task { try await store.perform(Question()) }
        await clock.advance(by: .seconds(60), pastSleepers: 2)

        #expect(try await caller.value == 7)
    }

    /// Something that waits for five seconds.
    enum Wait: CaseIterable, Sendable { case timeout, sleep, idle }

    @Test("nothing ends early because the clock wakes early", arguments: Wait.allCases)
    func earlyClock(wait: Wait) async throws {
        let (world, ended) = (SeededExecutor(seed: 1), Trace<Wait>())
        let store = Relux.Store(.init(clock: EarlyClock(clock), executor: world))
        let saga = WorkSaga { _, context in
            switch wait {
            case .timeout:
                _ = await Ending.of { try await context.timeout(after: .seconds(5)) { _ in await gate.pass() } }
            case .sleep: try await context.sleep(for: .seconds(5))
            case .idle: return await gate.pass()
            }
            ended.note(wait)
        }
        try await store.register(saga.module())
        await world.settle { await store.dispatch(Work()) }
        if wait == .idle {
            await world.settle {
                _ = await Ending.of { try await store.idle(within: .seconds(5)) }
                ended.note(wait)
            }
        }

        await clock.advance(by: .milliseconds(4_999))
        await world.rest()
        let early = ended.entries
        await clock.advance(by: .milliseconds(1))
        await world.open(gate)

        #expect(early == [])
        #expect(ended.entries == [wait])
    }

    @Test(
        "a body that ignores cancellation doesn't delay the throw, and neither it nor its children can write any more"
    )
    func deafBody() async throws {
        let store = try await limiting { inner in
            await inner.dispatch(Log.Action.add("in time"))
            await gate.pass()
            await inner.dispatch(Log.Action.add("late"))
            inner.send(Log.Action.add("late"))
            try await inner.perform(Errand())
        }

        let caller = await performing(Work(), in: store)
        await clock.advance(by: .seconds(5), pastSleepers: 1)
        // This would hang if it waited for the body.
        #expect(await caller.value == .returned)

        #expect(try await finalLog(of: store) == ["in time", "\(Ending.timeout(.seconds(5)))"])
        #expect(observer.refusals.entries.map { $0.staleRun?.kind } == [.timeout, .timeout, .timeout])
    }

    @Test("what the body performs is cancelled at the deadline, and what it dispatched continues")
    func performedByTheBody() async throws {
        let store = try await limiting { inner in
            await inner.dispatch(Errand(name: "dispatched"))
            try await inner.perform(Errand(name: "performed"))
        }
        let errand = ClosureSaga<Errand>(cleanup: { .add("cleaned up \($0.name)") }) { errand, context in
            await gate.pass()
            await context.dispatch(Log.Action.add(errand.name))
        }
        try await store.register(Part<TagA>(sagas: [errand]))

        let caller = Task { try await store.perform(Work()) }
        await gate.arrivals(atLeast: 2)
        await clock.advance(by: .seconds(5), pastSleepers: 1)
        try await caller.value

        #expect(
            try await finalLog(of: store) == ["cleaned up performed", "\(Ending.timeout(.seconds(5)))", "dispatched"])
    }

    @Test(
        "if the body ends at the deadline, one of the two wins: nothing is written after the throw",
        arguments: 0..<40 as Range<UInt64>)
    func rightAtTheDeadline(seed: UInt64) async throws {
        let executor = SeededExecutor(seed: seed)
        let store = try await limiting(executor: executor) { inner in
            try? await inner.sleep(for: .seconds(5))
            await inner.dispatch(Log.Action.add("body"))
        }
        await executor.settle { await store.dispatch(Work()) }

        await clock.advance(by: .seconds(5))
        await executor.rest()
        try await store.idle()

        let timedOut = "\(Ending.timeout(.seconds(5)))"
        let log = try await store.log()
        // The body may have written in time and still have returned too late.
        #expect([["body", "returned"], ["body", timedOut], [timedOut]].contains(log))
    }

    @Test(
        "with no time at all it throws, and the body writes nothing afterwards, whether or not it started",
        arguments: 0..<40 as Range<UInt64>, [Duration.zero, .seconds(-1)])
    func noTime(seed: UInt64, limit: Duration) async throws {
        let executor = SeededExecutor(seed: seed)
        let store = try await limiting(limit, executor: executor) { inner in
            await gate.pass()
            await inner.dispatch(Log.Action.add("body"))
        }

        await executor.settle { await store.dispatch(Work()) }
        await executor.open(gate)
        try await store.idle()

        #expect(try await store.log() == ["\(Ending.timeout(limit))"])
    }

    @Test(
        "an error of the body is thrown unchanged, and if it is caught, it is reported nowhere else", arguments: 0..<5)
    func errors(kind: Int) async throws {
        let errors: [any Error] = [
            TestFailure(), CancellationError(), Relux.EffectError.dropped, Relux.EffectError.superseded,
            Relux.EffectError.cancelled,
        ]
        let store = try await limiting { _ in throw errors[kind] }
        let failures = store.failures

        try await store.perform(Work())
        await store.shutdown()

        #expect(endings.entries == [Ending(errors[kind])])
        #expect(await failures.elements().isEmpty)
    }

    @Test("an error after the last step of a run is thrown, even after the deadline")
    func lateError() async throws {
        let store = try await limiting { context in
            await context.finish(with: Log.Action.add("done"))
            await gate.pass()
            throw TestFailure()
        }
        let failures = store.failures
        await dispatching(Work(), in: store)
        await clock.advance(by: .seconds(5), pastSleepers: 1)
        gate.open()
        try await store.idle()
        await store.shutdown()

        #expect(endings.entries == [Ending(TestFailure())])
        #expect(await failures.elements().isEmpty)
    }

    @Test("a body in a task that the run leaves behind ends with the run, and writes nothing after it")
    func leftBehind() async throws {
        let begun = Gate()
        let saga = WorkSaga { _, context in
            Task {
                try await context.timeout(after: .seconds(5)) { inner in
                    begun.open()
                    await gate.pass()
                    await inner.dispatch(Log.Action.add("late"))
                }
            }
            await begun.pass()
        }
        let store = try await makeStore(observers: [observer], saga)

        try await store.perform(Work())

        #expect(try await finalLog(of: store) == [])
        #expect(observer.refusals.entries.map { $0.staleRun?.kind } == [.timeout])
    }

    /// A clock whose sleeps return when they are cancelled.
    private struct LenientClock: Clock {
        let base: ManualClock

        var now: ManualClock.Instant { base.now }
        var minimumResolution: Duration { base.minimumResolution }

        func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
            try? await base.sleep(until: deadline, tolerance: tolerance)
        }
    }

    @Test("a sleep throws when it is cancelled, although the clock doesn't")
    func lenientClock() async throws {
        let store = try await Relux.Store(.init(clock: LenientClock(base: clock))) {
            WorkSaga { _, context in
                endings.note(await Ending.of { try await context.sleep(for: .seconds(5)) })
            }.module()
        }
        await store.dispatch(Work())
        await clock.sleepers(atLeast: 1)

        await store.cancel(WorkSaga.self)
        // It would go on until the deadline.
        try await store.idle()
        await store.shutdown()

        #expect(endings.entries == [.cancellationError])
    }

    @Test("of nested timeouts, the shorter one throws, and the outer one also ends the inner one", arguments: [10, 5])
    func nested(outer: Int) async throws {
        let store = try await limiting(.seconds(outer)) { context in
            try await context.timeout(after: .seconds(15 - outer)) { _ in try await untilCancelled() }
        }

        let caller = Task { try await store.perform(Work()) }
        await clock.advance(by: .seconds(5), pastSleepers: 2)
        try await caller.value
        try await store.idle()

        #expect(endings.entries == [.timeout(.seconds(5))])
        let cancelled = observer.trace.entries.filter { $0.hasPrefix("end") && $0.hasSuffix("cancelled") }
        // The body of the timeout that has passed, and what is inside it.
        #expect(cancelled.sorted() == (outer == 5 ? ["end 2 cancelled", "end 3 cancelled"] : ["end 3 cancelled"]))
    }

    @Test("cancelling the run cancels the body, and the timeout throws once the body has ended")
    func cancelledParent() async throws {
        let store = try await limiting { inner in
            await gate.pass()
            await inner.dispatch(Log.Action.add("late"))
            throw TestFailure(name: "body")
        }
        let caller = await performing(Work(), in: store)
        caller.cancel()
        await store.dispatch(Log.Action.add("cancelled"))
        gate.open()

        #expect(await caller.value == .cancelled)
        #expect(endings.entries == [.threw(TestFailure(name: "body"))])
        #expect(try await store.log() == ["cancelled"])
    }

    @Test("a body that ignores cancellation delays a cancelled run until the deadline at most")
    func cancelledParentOfADeafBody() async throws {
        let store = try await limiting { _ in await gate.pass() }
        let caller = await performing(Work(), in: store)
        await clock.sleepers(atLeast: 1)

        caller.cancel()
        await clock.advance(by: .seconds(5))
        // This would hang if it waited for the body.
        _ = await caller.value
        gate.open()
        try await store.idle()

        #expect(endings.entries == [.timeout(.seconds(5))])
    }

    @Test("in a run that is no longer active, the body doesn't start")
    func deadRun() async throws {
        let escaped = Trace<Relux.SagaContext>()
        let trace = Trace<String>()
        let store = try await Relux.Store { WorkSaga { _, context in escaped.note(context) }.module() }
        try await store.perform(Work())

        let context = try #require(escaped.entries.first)
        let ending = await Ending.of { try await context.timeout(after: .seconds(5)) { _ in trace.note("started") } }

        #expect(ending == .cancellationError)
        #expect(trace.entries.isEmpty)
    }

    @Test("releasing the store ends the wait for a body that ignores cancellation")
    func release() async throws {
        var store: Relux.Store? = try await limiting { _ in await gate.pass() }
        await store?.dispatch(Work())
        await gate.arrivals()

        store = nil
        await endings.entries(atLeast: 1)
        gate.open()

        #expect(endings.entries == [.cancellationError])
    }
}

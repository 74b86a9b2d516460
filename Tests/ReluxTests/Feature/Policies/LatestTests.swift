import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 9: the latest policy", .timeLimit(.minutes(10)))
struct LatestTests {
    private let gate = Gate()
    private let lane = Relux.Lane("lane")

    @Test("the task of a superseded run is cancelled")
    func taskIsCancelled() async throws {
        let store = try await Relux.Store {
            WorkSaga(policy: .latest) { work, _ in
                if work.name == "old" { try await untilCancelled() }
            }.module()
        }
        let handle = await store.dispatch(Work(name: "old"))

        await store.dispatch(Work(name: "new"))

        // This would hang if the old run's task continued.
        await handle.finished()
    }

    @Test("each saga has its own lanes, even for the same trigger with the same id")
    func lanesOfASaga() async throws {
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga(policy: .latest(id: 1)) { work, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("first \(work.name)"))
                },
                WorkSaga(policy: .serial(id: 1)) { work, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("second \(work.name)"))
                },
            ])
        }

        await store.dispatch(Work(name: "a"))
        // Otherwise, the first run could be superseded before its body has begun, and would never arrive.
        await gate.arrivals(atLeast: 2)
        await store.dispatch(Work(name: "b"))
        await gate.arrivals(atLeast: 3)
        gate.open()
        try await store.idle()

        #expect(try await store.log().sorted() == ["first b", "second a", "second b"])
    }

    @Test("cancelling the caller of a superseded run doesn't affect the successor")
    func cancelledCallerOfTheOld() async throws {
        try await play(
            [.begin("old", .latest), .begin("new", .latest), .cancel("old"), .release("old"), .end("old")],
            endings: ["old": .superseded])
    }

    @Test(
        "a run that performs its own id through another run is superseded when that child starts, which continues",
        arguments: [Relux.Policy.latest, .debounce(.seconds(2))])
    func selfPerformThroughAnother(policy: Relux.Policy) async throws {
        let (observer, clock) = (TraceObserver(), ManualClock())
        let store = try await Relux.Store(.init(clock: clock, observers: [observer])) {
            WorkSaga(policy: policy) { work, context in
                await context.dispatch(Log.Action.add("\(work.name)+"))
                if work.name == "outer" { try await context.perform(Errand()) }
                await context.dispatch(Log.Action.add("\(work.name)-"))
            }.module(ClosureSaga<Errand> { _, context in try await context.perform(Work(name: "inner")) })
        }

        let outer = Task { await Ending.of { try await store.perform(Work(name: "outer")) } }
        if policy != .latest {
            for _ in 1...2 { await clock.advance(by: .seconds(2), pastSleepers: 1) }
        }

        #expect(await outer.value == .superseded)
        try await store.idle()
        #expect(try await store.log() == ["outer+", "inner+", "inner-"])
        let ends = observer.trace.entries.filter { $0.hasPrefix("end") }
        #expect(ends == ["end 3 finished", "end 2 cancelled", "end 1 superseded"])
    }

    @Test("a run that performs its own id in a timeout is superseded by its child, which the deadline doesn't affect")
    func selfPerformInATimeout() async throws {
        let jobs = try await JobStore(gated: ["inner"]) { job, context in
            guard job.name == "outer" else { return }
            try await context.timeout(after: .seconds(1)) { try await $0.perform(Job("inner", .latest)) }
        }

        let outer = await jobs.performing("outer", .latest)
        await jobs.arrival(of: "inner")
        await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)
        let ending = await outer.value

        #expect(ending == .superseded)
        #expect(try await jobs.finalLog() == ["outer+", "inner+", "inner-"])
    }

    @Test("with a limit, a new trigger supersedes the oldest run beyond it and starts immediately")
    func supersedesTheOldest() async throws {
        let policy = Relux.Policy.latest(limit: 2)
        // The oldest run ignores cancellation, so this would hang if a new run waited for it.
        try await play(
            [.begin("a", policy), .begin("b", policy), .begin("c", policy), .perform("d", policy), .end("d")],
            endings: ["a": .superseded, "b": .superseded], log: ["a+", "b+", "c+", "d+", "d-", "c-"])
    }

    @Test("runs that wait their turn or deadline count towards the limit, and are superseded in the order of triggers")
    func othersCount() async throws {
        try await play(
            [
                .perform("pending", .debounce(.seconds(1))), .begin("active", .serial), .perform("queued", .serial),
                .perform("latest", .latest(limit: 3)), .end("latest"), .end("pending"),
            ], endings: ["pending": .superseded])
    }

    @Test(
        "two sagas that take a performed action don't supersede each other, whoever performs it",
        arguments: [true, false])
    func siblingsAlone(inRun: Bool) async throws {
        let work = WorkSaga(policy: .latest.in(lane)) { _, context in await context.dispatch(Log.Action.add("work")) }
        let errand = ClosureSaga<Errand> { _, context in try await context.perform(Work()) }
        let store = try await Relux.Store { SagaModule(sagas: [work, work, errand]) }

        let ending = await Ending.of {
            if inRun { try await store.perform(Errand()) } else { try await store.perform(Work()) }
        }

        #expect(ending == .returned)
        #expect(try await store.log() == ["work", "work"])
    }

    @Test("the sagas of one performed action in one lane don't supersede each other, but count towards the limit")
    func siblings() async throws {
        let saga = WorkSaga(policy: .latest(limit: 2).in(lane)) { work, context in
            if work.name == "old" { await gate.pass() }
            await context.dispatch(Log.Action.add(work.name))
        }
        let store = try await Relux.Store { saga.module(saga) }
        await store.dispatch(Work(name: "old"))
        await gate.arrivals(atLeast: 2)

        try await store.perform(Work(name: "new"))
        gate.open()
        try await store.idle()

        #expect(try await store.log() == ["new", "new"])
    }
}

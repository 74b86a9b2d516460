import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 9: the latest policy", .timeLimit(.minutes(10)))
struct LatestTests: Staged {
    let scene = Scene()
    private let lane = Relux.Lane("lane")

    @Test("the task of a superseded run is cancelled")
    func taskIsCancelled() async throws {
        let store = try await makeStore(.latest) { work, _ in if work.name == "old" { try await untilCancelled() } }
        let handle = await store.dispatch(Work(name: "old"))

        await store.dispatch(Work(name: "new"))

        // This would hang if the old run's task continued.
        await handle.finished()
    }

    @Test("each saga has its own lanes, even for the same trigger with the same id")
    func lanesOfASaga() async throws {
        func saga(_ name: String, _ policy: Relux.Policy) -> WorkSaga {
            WorkSaga(policy: policy) { [gate] work, context in
                await gate.pass()
                await context.dispatch(Log.Action.add("\(name) \(work.name)"))
            }
        }
        let store = try await makeStore(saga("first", .latest(id: 1)), saga("second", .serial(id: 1)))

        await store.dispatch(Work(name: "a"))
        // Otherwise, the first run could be superseded before its body has begun, and would never arrive.
        await gate.arrivals(atLeast: 2)
        await store.dispatch(Work(name: "b"))
        await gate.arrivals(atLeast: 3)

        #expect(try await finalLog(of: store).sorted() == ["first b", "second a", "second b"])
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
        let work = WorkSaga(policy: policy) { work, context in
            await context.dispatch(Log.Action.add("\(work.name)+"))
            if work.name == "outer" { try await context.perform(Errand()) }
            await context.dispatch(Log.Action.add("\(work.name)-"))
        }
        let errand = ClosureSaga<Errand> { _, context in try await context.perform(Work(name: "inner")) }
        let store = try await makeStore(observers: [observer], work, errand)

        let outer = await store.performing(Work(name: "outer"))
        if policy != .latest {
            for _ in 1...2 { await clock.advance(by: .seconds(2), pastSleepers: 1) }
        }

        #expect(await outer.value == .superseded)
        try await store.idle()
        #expect(try await store.log() == ["outer+", "inner+", "inner-"])
        #expect(ends == ["end 3 finished", "end 2 cancelled", "end 1 superseded"])
    }

    @Test("a run that performs its own id in a timeout is superseded by its child, which the deadline doesn't affect")
    func selfPerformInATimeout() async throws {
        try await play(
            [.perform("outer", .latest), .arrive("inner"), .pass(.seconds(1)), .end("outer")],
            endings: ["outer": .superseded], log: ["outer+", "inner+", "inner-"]
        ) { job, context in
            guard job.name == "outer" else { return }
            try await context.timeout(after: .seconds(1)) { try await $0.perform(Job("inner", .latest)) }
        }
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
        let store = try await makeStore(work, work, errand)

        let ending = await Ending.of {
            if inRun { try await store.perform(Errand()) } else { try await store.perform(Work()) }
        }

        #expect(ending == .returned)
        #expect(try await store.log() == ["work", "work"])
    }

    @Test("the sagas of one performed action in one lane don't supersede each other, but count towards the limit")
    func siblings() async throws {
        let saga = WorkSaga(policy: .latest(limit: 2).in(lane)) { [gate] work, context in
            if work.name == "old" { await gate.pass() }
            await context.dispatch(Log.Action.add(work.name))
        }
        let store = try await makeStore(saga, saga)
        await store.dispatch(Work(name: "old"))
        await gate.arrivals(atLeast: 2)

        try await store.perform(Work(name: "new"))

        #expect(try await finalLog(of: store) == ["new", "new"])
    }
}

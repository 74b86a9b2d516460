import Relux
import TestFixtures
import Testing

@Suite("Law 9: the shared policy", .timeLimit(.minutes(10)))
struct SharedTests: Staged {
    let scene = Scene()

    /// Makes a store with a flow that answers questions once the gate is open.
    private func questionStore(failing: Bool) async throws -> Relux.Store {
        let flow = QuestionFlow(policy: .shared) { [gate] _, _ in
            await gate.pass()
            if failing { throw TestFailure() }
            return 42
        }
        return try await makeStore(observers: [observer], flows: [flow])
    }

    /// Performs questions, opens the gate, and returns the answers and the number of failures that nobody received.
    private func ask(_ count: Int, _ store: Relux.Store) async throws -> (endings: [Ending], failures: Int) {
        let failures = store.failures
        var performers: [Task<Ending, Never>] = []
        for number in 0..<count {
            performers.append(await store.performing(Question(number: number)) { #expect($0 == 42) })
        }
        gate.open()
        var endings: [Ending] = []
        for performer in performers { endings.append(await performer.value) }
        try await store.idle()
        await store.shutdown()
        return (endings, await failures.elements().count)
    }

    @Test(
        "a new trigger joins the active run, which starts once, and all performers get its value or its error",
        arguments: [false, true])
    func results(fails: Bool) async throws {
        let store = try await questionStore(failing: fails)

        let (endings, failures) = try await ask(10, store)

        #expect(endings == Array(repeating: fails ? .failed(TestFailure()) : .returned, count: 10))
        let runs = observer.trace.entries.filter { $0.hasPrefix("start") || $0.hasPrefix("end") }
        #expect(runs == ["start 1", fails ? "end 1 failed: \(TestFailure())" : "end 1 finished"])
        // Those who performed have received the error.
        #expect(failures == 0)
    }

    @Test(
        "a failure appears once in failures, unless a performer receives it, although dispatched triggers share it",
        arguments: [0, 1])
    func failures(performerCount: Int) async throws {
        let store = try await questionStore(failing: true)
        for number in 0..<3 { await store.dispatch(Question(number: number)) }

        let (endings, failures) = try await ask(performerCount, store)

        #expect(endings == Array(repeating: .failed(TestFailure()), count: performerCount))
        #expect(failures == 1 - performerCount)
    }

    @Test(
        "a cancelled performer throws immediately, and the run continues for the others", arguments: ["a", "b", "c"])
    func oneCancelled(cancelled: String) async throws {
        try await play(
            [
                .begin("a", .shared), .perform("b", .shared), .perform("c", .shared), .cancel(cancelled),
                .end(cancelled),
            ], endings: [cancelled: .cancelled], log: ["a+", "a-"])
    }

    @Test("the run is cancelled with its last performer, which waits for the run to end, and it cleans up once")
    func allCancelled() async throws {
        // The gate ignores cancellation, and the write after it is refused.
        try await play(
            [
                .begin("a", .shared), .perform("b", .shared), .cancel("a"), .end("a"), .log(["a+"]), .cancel("b"),
                .logged("cleaned up a"),
            ], endings: ["a": .cancelled, "b": .cancelled], log: ["a+", "cleaned up a"])
    }

    @Test(
        "a dispatched trigger counts as one of those waiting, whether it starts the run or joins it",
        arguments: [true, false])
    func dispatched(startsRun: Bool) async throws {
        let events: [JobEvent] =
            startsRun
            ? [.dispatch("a", .shared), .perform("b", .shared), .arrive("a")]
            : [.begin("b", .shared), .dispatch("c", .shared)]
        try await play(
            events + [.cancel("b"), .end("b")], endings: ["b": .cancelled],
            log: startsRun ? ["a+", "a-"] : ["b+", "b-"])
    }

    @Test("idleness includes the shared run, its last trigger until the run ends; busy runs name those that share it")
    func lastWaits() async throws {
        let jobs = try await JobStore(gated: ["a"])
        var triggers: [Relux.Dispatched] = []
        for name in ["a", "b", "c"] { triggers.append(await jobs.dispatch(name, .shared)) }
        await jobs.arrival(of: "a")

        var left: [[Relux.NotIdle.Phase]?] = []
        for trigger in [triggers[0], triggers[2], triggers[1]] {
            trigger.cancel()
            let notIdle = await #expect(throws: Relux.NotIdle.self) { try await jobs.store.idle(within: .zero) }
            left.append(notIdle?.busy.map(\.phase))
            #expect(notIdle?.busy.last?.waitsFor.map(\.id) == [1])
        }
        _ = try await jobs.finalLog()

        #expect(left == [[.active, .joined, .joined], [.active, .joined], [.ending, .joined]])
        for trigger in triggers { #expect(await trigger.outcome().endings == [.cancelled]) }
    }

    @Test("a wait that joins close only together gets an error: two shared runs that perform each other")
    func cycleOfTwoJoins() async throws {
        let (work, errand) = (Gate(), Gate())
        let store = try await makeStore(
            WorkSaga(policy: .shared) { _, context in
                await work.pass()
                try await context.perform(Errand(name: "inner errand"))
            },
            ClosureSaga<Errand>(policy: { _ in .shared }) { _, context in
                await errand.pass()
                try await context.perform(Work(name: "inner work"))
            })

        let performers = await [store.performing(Work()), store.performing(Errand())]
        await work.arrivals()
        await errand.arrivals()
        work.open()
        errand.open()
        let endings = await [performers[0].value, performers[1].value]

        let isCycle = endings.map { if case .cycle = $0 { true } else { false } }
        #expect(isCycle.contains(true))
        try await store.idle()
    }

    /// What cancels a run.
    enum Cancellation: CaseIterable, Sendable {
        case saga, receipt, reset, shutdown, performer
    }

    @Test(
        "a shared run that awaits itself by way of its own task ends when it is cancelled",
        arguments: Cancellation.allCases, [true, false])
    func selfPerformInATask(cancellation: Cancellation, isIndirect: Bool) async throws {
        let (endings, joined) = (Trace<Ending>(), Gate())
        let performInside: @Sendable (Relux.SagaContext) async -> Void = { context in
            await Task { endings.note(await Ending.of { try await context.perform(Job("inner", .shared)) }) }.value
        }
        let errand = ClosureSaga<Errand> { _, context in await performInside(context) }
        let saga = ClosureSaga<Job>(policy: \.policy) { job, context in
            if isIndirect {
                _ = await Ending.of { try await context.perform(Errand()) }
            } else {
                await performInside(context)
            }
        }
        let observer = HookObserver(onAction: { if ($0.action as? Job)?.name == "inner" { joined.open() } })
        let store = try await makeStore(observers: [observer], saga, errand)
        let performer = Task { await Ending.of { try await store.perform(Job("outer", .shared)) } }
        await joined.pass()

        switch cancellation {
        case .saga: await store.cancel(ClosureSaga<Job>.self)
        case .receipt:
            let receipt = await store.dispatch(Job("other", .shared))
            performer.cancel()
            receipt.cancel()
        case .reset: await store.reset()
        case .shutdown: await store.shutdown()
        case .performer: performer.cancel()
        }

        #expect(await performer.value == .cancelled)
        try await store.idle()
        #expect(endings.entries == [.cancelled])
    }

    @Test("a superseded run ends all who share it")
    func superseded() async throws {
        try await play(
            [.begin("a", .shared), .perform("b", .shared), .perform("latest", .latest), .end("latest")],
            endings: ["a": .superseded, "b": .superseded])
    }

    @Test("a reset ends the run and all who share it; the next trigger starts another one")
    func reset() async throws {
        try await play(
            [.begin("a", .shared), .perform("b", .shared), .reset, .perform("c", .shared), .end("c")],
            endings: ["a": .cancelled, "b": .cancelled], log: ["c+", "c-"])
    }

    @Test("a reset by the run spares those who share it")
    func resetInside() async throws {
        try await play([.begin("a", .shared), .perform("b", .shared)], log: ["a-"]) { _, context in
            await context.reset()
        }
    }

    @Test("a cancelled run withdraws what it performs, and the shared child continues for the others")
    func children() async throws {
        let errand = ClosureSaga<Errand>(policy: { _ in .shared }) { [gate] _, context in
            await gate.pass()
            await context.dispatch(Log.Action.add("done"))
        }
        let store = try await makeStore(WorkSaga { _, context in try await context.perform(Errand()) }, errand)
        let parent = await store.performing(Work())
        await gate.arrivals()
        let other = await store.performing(Errand())

        parent.cancel()
        let early = await parent.value
        gate.open()

        #expect(early == .cancelled)
        #expect(await other.value == .returned)
        #expect(try await store.log() == ["done"])
    }

    @Test("a shared trigger joins a run that waits its turn if none is active")
    func queued() async throws {
        try await play(
            [
                .begin("deaf", .serial), .cancel("deaf"), .logged("cleaned up deaf"), .perform("queued", .serial),
                .perform("joined", .shared),
            ], endings: ["deaf": .cancelled], log: ["deaf+", "cleaned up deaf", "queued+", "queued-"])
    }
}

import Relux
import TestFixtures
import Testing

@Suite("Law 9: the shared policy", .timeLimit(.minutes(10)))
struct SharedTests {
    @Test("a new trigger joins the active run, which starts once and whose value all performers get")
    func values() async throws {
        let questions = try await QuestionStore(.shared)
        let performers = await questions.performing(count: 10)

        questions.gate.open()
        var answers: [Int] = []
        for performer in performers { answers.append(try await performer.value.get()) }

        #expect(answers == Array(repeating: 42, count: 10))
        #expect(questions.runs == ["start 1", "end 1 finished"])
    }

    @Test("one attempt fails once, and all performers get its error")
    func failure() async throws {
        let questions = try await QuestionStore(.shared, failing: true)
        let failures = questions.store.failures
        let performers = await questions.performing(count: 10)

        questions.gate.open()
        var endings: [Ending] = []
        for performer in performers { endings.append(await Ending.of { try await performer.value.get() }) }
        await questions.store.shutdown()

        #expect(endings == Array(repeating: .failed(TestFailure()), count: 10))
        #expect(questions.runs == ["start 1", "end 1 failed: TestFailure(name: \"failure\")"])
        // Those who performed have received the error.
        #expect(await failures.count == 0)
    }

    @Test("a failure that only dispatched triggers share appears once in failures")
    func unreceivedFailure() async throws {
        let questions = try await QuestionStore(.shared, failing: true)
        let failures = questions.store.failures
        for number in 0..<3 { await questions.store.dispatch(Question(number: number)) }

        questions.gate.open()
        try await questions.store.idle()
        await questions.store.shutdown()

        #expect(await failures.count == 1)
    }

    @Test("a failure that one performer receives doesn't appear in failures, although a dispatched trigger started it")
    func receivedFailure() async throws {
        let questions = try await QuestionStore(.shared, failing: true)
        let failures = questions.store.failures
        await questions.store.dispatch(Question())
        let performers = await questions.performing(count: 1)

        questions.gate.open()
        let ending = await Ending.of { try await performers[0].value.get() }
        await questions.store.shutdown()

        #expect(ending == .failed(TestFailure()))
        #expect(await failures.count == 0)
    }

    @Test("a cancelled performer throws immediately, and the run continues for the others", arguments: 0..<3)
    func oneCancelled(cancelled: Int) async throws {
        let jobs = try await JobStore(gated: ["0"])
        var performers: [Task<Ending, Never>] = []
        for name in 0..<3 { performers.append(await jobs.performing("\(name)", .shared)) }
        await jobs.arrival(of: "0")

        performers[cancelled].cancel()
        let early = await performers[cancelled].value
        let log = try await jobs.finalLog()

        #expect(early == .cancelled)
        for other in 0..<3 where other != cancelled { #expect(await performers[other].value == .returned) }
        #expect(log == ["0+", "0-"])
    }

    @Test("the run is cancelled with its last performer, which waits for the run to end, and it cleans up once")
    func allCancelled() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let first = await jobs.performing("a", .shared)
        let second = await jobs.performing("b", .shared)
        await jobs.arrival(of: "a")

        first.cancel()
        let early = await first.value
        let logBefore = try await jobs.store.log()
        second.cancel()
        _ = await jobs.store.values(of: Log.self).first { $0.entries.last == "cleaned up a" }
        let log = try await jobs.finalLog()

        #expect(early == .cancelled)
        #expect(await second.value == .cancelled)
        #expect(logBefore == ["a+"])
        // The gate ignores cancellation, and the write after it was refused.
        #expect(log == ["a+", "cleaned up a"])
    }

    @Test(
        "a dispatched trigger counts as one of those waiting, whether it starts the run or joins it",
        arguments: [true, false])
    func dispatched(startsRun: Bool) async throws {
        let jobs = try await JobStore(gated: ["a", "b"])
        if startsRun { await jobs.dispatch("a", .shared) }
        let performer = await jobs.performing("b", .shared)
        if !startsRun { await jobs.dispatch("c", .shared) }
        await jobs.arrival(of: startsRun ? "a" : "b")

        performer.cancel()

        #expect(await performer.value == .cancelled)
        #expect(try await jobs.finalLog() == (startsRun ? ["a+", "a-"] : ["b+", "b-"]))
    }

    @Test("the last of those who wait is waited for until the run has ended, although another trigger started the run")
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
        }
        _ = try await jobs.finalLog()

        #expect(left == [[.active, .joined, .joined], [.active, .joined], [.ending, .joined]])
        for trigger in triggers { #expect(await trigger.outcome().endings == [.cancelled]) }
    }

    @Test("a wait that joins close only together gets an error: two shared runs that perform each other")
    func cycleOfTwoJoins() async throws {
        let (work, errand) = (Gate(), Gate())
        let store = try await Relux.Store {
            WorkSaga(policy: .shared) { _, context in
                await work.pass()
                try await context.perform(Errand(name: "inner errand"))
            }.module(
                ClosureSaga<Errand>(policy: { _ in .shared }) { _, context in
                    await errand.pass()
                    try await context.perform(Work(name: "inner work"))
                }
            )
        }

        async let first = Ending.of { try await store.perform(Work()) }
        async let second = Ending.of { try await store.perform(Errand()) }
        await work.arrivals()
        await errand.arrivals()
        work.open()
        errand.open()
        let endings = await [first, second]

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
        let errand = ClosureSaga<Errand> { _, context in
            await Task { endings.note(await Ending.of { try await context.perform(Job("inner", .shared)) }) }.value
        }
        let saga = ClosureSaga<Job>(policy: \.policy) { job, context in
            if isIndirect {
                _ = await Ending.of { try await context.perform(Errand()) }
            } else {
                await Task { endings.note(await Ending.of { try await context.perform(Job("inner", .shared)) }) }.value
            }
        }
        let observer = HookObserver(onAction: { if ($0.action as? Job)?.name == "inner" { joined.open() } })
        let store = try await Relux.Store(.init(observers: [observer])) { SagaModule(sagas: [saga, errand]) }
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
        let jobs = try await JobStore(gated: ["a"])
        let performers = await [jobs.performing("a", .shared), jobs.performing("b", .shared)]
        await jobs.arrival(of: "a")

        #expect(await jobs.perform("latest", .latest) == .returned)
        _ = try await jobs.finalLog()

        for performer in performers { #expect(await performer.value == .superseded) }
    }

    @Test("a reset ends the run and all who share it; the next trigger starts another one")
    func reset() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let performers = await [jobs.performing("a", .shared), jobs.performing("b", .shared)]
        await jobs.arrival(of: "a")

        async let reset: Void = jobs.store.reset()
        _ = await jobs.store.values(of: Log.self).first { $0.entries.isEmpty }
        let next = await jobs.perform("c", .shared)
        jobs.release("a")
        await reset

        #expect(next == .returned)
        for performer in performers { #expect(await performer.value == .cancelled) }
        #expect(try await jobs.finalLog() == ["c+", "c-"])
    }

    @Test("a reset by the run spares those who share it")
    func resetInside() async throws {
        let jobs = try await JobStore(gated: ["a"]) { _, context in await context.reset() }
        let performers = await [jobs.performing("a", .shared), jobs.performing("b", .shared)]
        await jobs.arrival(of: "a")
        jobs.release("a")

        for performer in performers { #expect(await performer.value == .returned) }
        #expect(try await jobs.finalLog() == ["a-"])
    }

    @Test("a cancelled run withdraws what it performs, and the shared child continues for the others")
    func children() async throws {
        let gate = Gate()
        let errand = ClosureSaga<Errand>(policy: { _ in .shared }) { _, context in
            await gate.pass()
            await context.dispatch(Log.Action.add("done"))
        }
        let store = try await Relux.Store {
            WorkSaga { _, context in try await context.perform(Errand()) }.module(errand)
        }
        let started = store.actionStream(of: Errand.self)
        let parent = Task { await Ending.of { try await store.perform(Work()) } }
        _ = await started.first { _ in true }
        let other = Task { await Ending.of { try await store.perform(Errand()) } }
        _ = await started.first { _ in true }

        parent.cancel()
        let early = await parent.value
        gate.open()

        #expect(early == .cancelled)
        #expect(await other.value == .returned)
        #expect(try await store.log() == ["done"])
    }

    @Test("a shared trigger joins a run that waits its turn if none is active")
    func queued() async throws {
        let jobs = try await JobStore(gated: ["deaf"])
        let deaf = await jobs.performing("deaf", .serial)
        await jobs.arrival(of: "deaf")
        deaf.cancel()
        let queued = await jobs.performing("queued", .serial)
        let joined = await jobs.performing("joined", .shared)
        let log = try await jobs.finalLog()

        #expect(await [queued.value, joined.value] == [.returned, .returned])
        #expect(log == ["deaf+", "cleaned up deaf", "queued+", "queued-"])
    }

    @Test("a wait for idleness includes the shared run, and the list of busy runs names the triggers that share it")
    func idleness() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .shared)
        await jobs.dispatch("b", .shared)
        await jobs.arrival(of: "a")

        let error = await #expect(throws: Relux.NotIdle.self) { try await jobs.store.idle(within: .zero) }

        #expect(error?.busy.map(\.phase) == [.active, .joined])
        #expect(error?.busy.last?.waitsFor.map(\.id) == [1])
        #expect(try await jobs.finalLog() == ["a+", "a-"])
    }
}

/// A store with a flow that answers questions once its gate is open.
private struct QuestionStore: Sendable {
    let store: Relux.Store
    let gate = Gate()
    private let observer = TraceObserver()

    /// The starts and ends of runs.
    var runs: [String] {
        observer.trace.entries.filter { $0.hasPrefix("start") || $0.hasPrefix("end") }
    }

    init(_ policy: Relux.Policy, failing: Bool = false) async throws {
        let gate = gate
        store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(flows: [
                QuestionFlow(policy: policy) { _, _ in
                    await gate.pass()
                    if failing { throw TestFailure() }
                    return 42
                }
            ])
        }
    }

    /// Performs the question in new tasks. Returns when all of them have been reduced.
    func performing(count: Int) async -> [Task<Result<Int, Relux.EffectError>, Never>] {
        let stream = store.actionStream(of: Question.self)
        let tasks = (0..<count).map { number in
            Task { [store] in
                do throws(Relux.EffectError) {
                    return .success(try await store.perform(Question(number: number))) as Result<Int, Relux.EffectError>
                } catch {
                    return .failure(error)
                }
            }
        }
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<count { _ = await iterator.next() }
        return tasks
    }
}

extension Relux.FailureStream {
    /// The number of failures until the end.
    fileprivate var count: Int {
        get async {
            var count = 0
            for await _ in self { count += 1 }
            return count
        }
    }
}

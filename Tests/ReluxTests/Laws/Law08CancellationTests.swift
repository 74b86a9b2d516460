import Dispatch
import Relux
import TestFixtures
import Testing

@Suite("Law 8: cancellation", .timeLimit(.minutes(10)))
struct Law08CancellationTests: Staged {
    let scene = Scene()

    /// Executes jobs behind the gate.
    private var jobs: ClosureSaga<Job> {
        ClosureSaga(policy: \.policy, cleanup: { .add("cleaned up \($0.name)") }) { await logBehindGate($0, $1) }
    }

    @Test("what a cancelled run dispatched, or awaits through actions or finished, continues and may write")
    func othersContinue() async throws {
        let store = try await makeStore(
            WorkSaga { work, context in
                switch work.name {
                case "dispatch":
                    await context.dispatch(Errand(name: "a"))
                    try await untilCancelled()
                case "actions": await context.actions { Errand(name: "b") }
                default: await context.dispatch(Errand(name: "c")).finished()
                }
            },
            ClosureSaga<Errand> { await logBehindGate($0, $1) }
        )
        let callers = ["dispatch", "actions", "finished"].map { name in
            Task { try await store.perform(Work(name: name)) }
        }
        await gate.arrivals(atLeast: 3)

        for caller in callers { caller.cancel() }
        // The errands ignore cancellation, so these would hang if they waited for the errands to end.
        for caller in callers { _ = await caller.result }

        #expect(try await finalLog(of: store).sorted() == ["a", "b", "c"])
    }

    @Test(
        "a service that ignores cancellation delays the throw of a cancelled or superseded perform",
        arguments: [false, true])
    func deafServiceDelays(isSuperseded: Bool) async throws {
        let store = try await makeStore(.latest) { work, _ in
            guard work.name == "old" else { return }
            await gate.pass()
            trace.note("service")
        }
        let caller = Task { trace.note("\(await Ending.of { try await store.perform(Work(name: "old")) })") }
        await gate.arrivals()

        if isSuperseded { try await store.perform(Work(name: "new")) } else { caller.cancel() }
        // The cancellation has come when the store has been entered.
        _ = try await store.log()
        gate.open()
        await caller.value

        #expect(trace.entries == ["service", isSuperseded ? "superseded" : "cancelled"])
    }

    @Test("a run that the effect it performs supersedes doesn't wait for what a rule has added")
    func supersededByItself() async throws {
        let work = WorkSaga(policy: .latest) { work, context in
            if work.name == "outer" { try await context.perform(Work(name: "inner")) }
        }
        let rule = Relux.Rule(on: Work.self) { work, _ in work.name == "inner" ? [Errand()] : [] }
        let subscription = ClosureSaga<Errand> { [gate] _, _ in await gate.pass() }
        let store = try await makeStore(work, subscription)
        try await store.register(Part<TagD>(rules: [rule]))

        // It would hang.
        let ending = await Ending.of { try await store.perform(Work(name: "outer")) }
        gate.open()
        try await store.idle()

        #expect(ending == .superseded)
    }

    @Test("perform and actions in a task that is already cancelled reduce nothing")
    func cancelledAlready() async throws {
        let store = try await makeStore(
            observers: [observer], WorkSaga { _, _ in }, flows: [QuestionFlow { question, _ in question.number }]
        )
        let caller = Task {
            await gate.pass()
            let endings = await [
                Ending.of { try await store.perform(Work()) },
                Ending.of { try await store.perform(Question()) },
                Ending.of { try await store.dispatcher.perform(Chore()) },
            ]
            let both = ["first", "second"].map { Log.Action.add($0) }
            let serially = await store.actions(.serially) { both }
            let concurrently = await store.actions(.concurrently) { both }
            return endings + serially.endings + concurrently.endings
        }

        caller.cancel()
        gate.open()

        #expect(await caller.value == Array(repeating: .cancelled, count: 5))
        #expect(observer.records.entries.isEmpty)
        #expect(await store.dispatch(Log.Action.add("next")).sequence == 1)
    }

    @Test("a cancellation at any moment of a perform is never lost")
    func noLostCancellation() async throws {
        let store = try await makeStore { _, _ in try await untilCancelled() }

        // Each would hang if the cancellation were lost between the call and the start of the run.
        for _ in 0..<500 {
            let caller = Task { try await store.perform(Work()) }
            let canceller = Task { caller.cancel() }
            await canceller.value
            #expect(await Ending.of { try await caller.value } == .cancelled)
        }
    }

    /// How the runs of a saga are told apart, if at all.
    enum Choice: CaseIterable, Sendable {
        case none, id, predicate, predicateForAnyType
    }

    @Test(
        "cancel ends all runs of a saga, or those with such ids, including queued and pending ones, and no others; it never waits",
        arguments: zip(
            Choice.allCases,
            [
                ["active 1", "queued 1", "pending 1", "active 2", "pending 3", "other type", "no id"],
                ["active 1", "queued 1", "pending 1"], ["active 1", "queued 1", "pending 1", "pending 3"],
                ["active 1", "queued 1", "pending 1", "other type"],
            ]))
    func cancelByID(choice: Choice, cancelled: [String]) async throws {
        let seen = Trace<Int>()
        let store = try await makeStore(jobs, ClosureSaga<Errand> { await logBehindGate($0, $1) })
        await store.dispatch {
            Errand()
            Job("active 1", .serial(id: 1))
            Job("queued 1", .serial(id: 1))
            Job("pending 1", .debounce(.seconds(1), id: 1))
            Job("active 2", .serial(id: 2))
            Job("pending 3", .debounce(.seconds(1), id: 3))
            Job("other type", .serial(id: "1"))
            Job("no id", .serial)
        }
        await gate.arrivals(atLeast: 5)

        // The services ignore cancellation, so these would hang if they waited for them.
        switch choice {
        case .none: await store.cancel(ClosureSaga<Job>.self)
        case .id: await store.cancel(ClosureSaga<Job>.self, id: 1)
        case .predicate:
            await store.cancel(ClosureSaga<Job>.self) { (id: Int) in
                seen.note(id)
                return id != 2
            }
        case .predicateForAnyType: await store.cancel(ClosureSaga<Job>.self) { (id: any Hashable) in "\(id)" == "1" }
        }
        let log = try await store.log()
        gate.open()
        await clock.advance(by: .seconds(1))

        #expect(log == cancelled.map { "cleaned up \($0)" })
        let others = ["active 2", "errand", "no id", "other type", "pending 3"].filter { !cancelled.contains($0) }
        #expect(try await finalLog(of: store).dropFirst(log.count).sorted() == others)
        if choice == .predicate { #expect(seen.entries.sorted() == [1, 2, 3]) }
    }

    @Test("cancel with a predicate concerns the scope in which it is called")
    func cancelByPredicateInScopes() async throws {
        let cancelling = ClosureSaga<Errand> { _, context in
            await context.cancel(ClosureSaga<Job>.self) { (id: Int) in id > 1 }
        }
        let store = Relux.Store(.init(observers: [observer]))
        let rooms = ["1", "2"].map { store.scope(of: InstancePart.self, id: $0) }
        try await store.register(contentsOf: ["1", "2"].map { InstancePart(id: $0, sagas: [jobs, cancelling]) })
        for room in rooms {
            for id in 1...3 { await room.dispatch(Job("\(id)", .latest(id: id))) }
        }
        await gate.arrivals(atLeast: 6)

        await rooms[0].cancel(ClosureSaga<Job>.self) { (id: Int) in id == 1 }
        try await rooms[0].perform(Errand())
        gate.open()
        try await store.idle()

        #expect(ends.count { $0.hasSuffix("cancelled") } == 3)
        #expect(ends.count { $0.hasSuffix("finished") } == 4)
    }

    @Test("a saga cancels other sagas, and itself, through its context")
    func cancelByContext() async throws {
        gate.open()
        let store = try await makeStore(
            WorkSaga { _, _ in
                await gate.pass()
                try await untilCancelled()
            },
            ClosureSaga<Errand> { _, context in
                await context.cancel(WorkSaga.self)
                await context.cancel(ClosureSaga<Errand>.self)
                await context.dispatch(Log.Action.add("never"))
            }
        )
        let work = await performing(Work(), in: store)

        let errand = await Ending.of { try await store.perform(Errand()) }

        #expect(await work.value == .cancelled)
        #expect(errand == .cancelled)
        #expect(try await store.log() == [])
    }

    @Test("a saga may perform in a child task, and cancelling that task cancels only what it performs")
    func cancelledChildTask() async throws {
        gate.open()
        let store = try await makeStore(
            WorkSaga { _, context in
                let child = Task { try await context.perform(Errand()) }
                await gate.arrivals()
                child.cancel()
                let ending = await Ending.of { try await child.value }
                await context.dispatch(Log.Action.add("\(ending)"))
            },
            ClosureSaga<Errand> { _, _ in
                await gate.pass()
                try await untilCancelled()
            }
        )

        let ending = await Ending.of { try await store.perform(Work()) }

        #expect(ending == .returned)
        #expect(try await store.log() == ["cancelled"])
    }

    /// What cancels a run.
    enum Cancellation: CaseIterable, Sendable {
        case saga, receipt, reset
    }

    @Test(
        "a cancellation that reaches a finished run cancels its task and what it performs, and not its outcome",
        arguments: Cancellation.allCases)
    func finishedRuns(cancellation: Cancellation) async throws {
        let (performed, cancelled) = (Gate(), Trace<Bool>())
        let job = HookedSaga<Job> { _, context in
            async let errand = Ending.of { try await context.perform(Errand()) }
            await performed.pass()
            await context.finish(with: Log.Action.add("finished"))
            try? await untilCancelled()
            cancelled.note(Task.isCancelled)
            #expect(await errand == .cancelled)
        }
        let errand = ClosureSaga<Errand>(cleanup: { _ in .add("errand cancelled") }) { _, _ in
            performed.open()
            try await untilCancelled()
        }
        let store = try await Relux.Store(.init(observers: [observer])) { SagaModule(sagas: [job, errand]) }
        let receipt = await store.dispatch(Job("job", .serial))
        try await store.logged("finished")

        switch cancellation {
        case .saga: await store.cancel(HookedSaga<Job>.self)
        case .receipt: receipt.cancel()
        case .reset: await store.reset()
        }
        try await store.idle()

        #expect(cancelled.entries == [true])
        #expect(await receipt.outcome().endings == [.returned])
        #expect(ends == ["end 1 finished", "end 2 cancelled"])
        let log = try await store.log()
        #expect(log == (cancellation == .reset ? [] : ["start job", "finished", "errand cancelled"]))
    }

    // It used to hang: the handler was executed inside the store, and what it waited for couldn't get in.
    @Test("a handler that blocks doesn't hold up the store", arguments: Halt.allCases)
    func blockedHandler(halt: Halt) async throws {
        // What the store starts and the cancelling task are on this thread, which the handler blocks. Nothing else may
        // want to run there in the meantime.
        let thread = ThreadExecutor()
        defer { thread.end() }
        let (isListening, isBlocked, isOver) = (Gate(), Gate(), Gate())
        let release = DispatchSemaphore(value: 0)
        let saga = WorkSaga(policy: .latest) { work, _ in
            guard work.name == "old" else { return await isOver.pass() }
            try await withTaskCancellationHandler {
                isListening.open()
                try await untilCancelled()
            } onCancel: {
                isBlocked.open()
                release.wait()
            }
        }
        let store = try await Relux.Store(.init(executor: thread.tasks)) {
            saga.module()
            Part<TagA>.counting()
        }
        let caller = Task(executorPreference: thread.tasks) { try await store.perform(Work(name: "old")) }
        await isListening.pass()

        let canceller = Task(executorPreference: thread.tasks) { await halt.happen(to: caller, in: store) }
        await isBlocked.pass()
        let sequence = await store.dispatch(Counter<TagA>.Add()).sequence
        let count = await store.count(of: TagA.self)
        release.signal()
        isOver.open()
        await canceller.value
        let ending = await Ending.of { try await caller.value }
        try await store.idle()

        #expect(sequence == (halt == .shutDown ? nil : halt == .superseded ? 3 : 2))
        #expect(count == (halt == .shutDown ? nil : 1))
        #expect(ending == (halt == .superseded ? .superseded : .cancelled))
    }
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 8: cancellation", .timeLimit(.minutes(10)))
struct Law08CancellationTests {
    @Test("a cancellation cancels the whole tree of performed runs, however deep")
    func downTheTree() async throws {
        let isThere = Gate()
        isThere.open()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(sagas: [
                WorkSaga { _, context in try await context.perform(Errand()) },
                ClosureSaga<Errand> { _, context in
                    try await context.timeout(after: .seconds(3600)) { try await $0.perform(Chore()) }
                },
                ClosureSaga<Chore> { _, _ in
                    await isThere.pass()
                    try await untilCancelled()
                },
            ])
        }
        let caller = Task { try await store.perform(Work()) }
        await isThere.arrivals()

        caller.cancel()
        _ = await caller.result

        let ends = observer.trace.entries.filter { $0.hasPrefix("end") }
        #expect(ends == ["end 4 cancelled", "end 3 cancelled", "end 2 cancelled", "end 1 cancelled"])
    }

    @Test("what a cancelled run only dispatched continues and may write")
    func dispatchedContinues() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga { _, context in
                    await context.dispatch(Errand())
                    try await untilCancelled()
                },
                ClosureSaga<Errand> { _, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("errand"))
                },
            ])
        }
        let caller = Task { try await store.perform(Work()) }
        await gate.arrivals()

        caller.cancel()
        _ = await caller.result
        gate.open()
        try await store.idle()

        #expect(try await store.log() == ["errand"])
    }

    @Test("what a cancelled run awaits through actions or finished continues")
    func awaitedContinues() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga { work, context in
                    if work.name == "actions" { await context.actions { Errand(name: "a") } }
                    if work.name == "finished" { await context.dispatch(Errand(name: "b")).finished() }
                },
                ClosureSaga<Errand> { errand, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add(errand.name))
                },
            ])
        }
        let callers = ["actions", "finished"].map { name in Task { try await store.perform(Work(name: name)) } }
        await gate.arrivals(atLeast: 2)

        for caller in callers { caller.cancel() }
        // The errands ignore cancellation, so these would hang if they waited for the errands to end.
        for caller in callers { _ = await caller.result }
        gate.open()
        try await store.idle()

        #expect(try await store.log().sorted() == ["a", "b"])
    }

    @Test("a service that ignores cancellation delays the throw of a cancelled perform")
    func deafServiceDelays() async throws {
        let gate = Gate()
        let trace = Trace<String>()
        let store = try await Relux.Store {
            WorkSaga { _, _ in
                await gate.pass()
                trace.note("service")
            }.module()
        }
        let caller = Task {
            let ending = await Ending.of { try await store.perform(Work()) }
            trace.note("\(ending)")
        }
        await gate.arrivals()

        caller.cancel()
        await store.dispatch(Log.Action.add("the cancellation has come"))
        gate.open()
        await caller.value

        #expect(trace.entries == ["service", "cancelled"])
    }

    @Test("a service that ignores cancellation delays the throw of a superseded perform")
    func deafServiceDelaysTheSuperseded() async throws {
        let gate = Gate()
        let trace = Trace<String>()
        let store = try await Relux.Store {
            WorkSaga(policy: .latest) { work, _ in
                if work.name == "old" {
                    await gate.pass()
                    trace.note("service")
                }
            }.module()
        }
        let caller = Task {
            let ending = await Ending.of { try await store.perform(Work(name: "old")) }
            trace.note("\(ending)")
        }
        await gate.arrivals()

        try await store.perform(Work(name: "new"))
        gate.open()
        await caller.value

        #expect(trace.entries == ["service", "superseded"])
    }

    @Test("perform in a task that is already cancelled reduces nothing")
    func cancelledAlready() async throws {
        let observer = TraceObserver()
        let gate = Gate()
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(
                sagas: [WorkSaga { _, _ in }],
                flows: [QuestionFlow { question, _ in question.number }]
            )
        }
        let caller = Task {
            await gate.pass()
            let endings = await [
                Ending.of { try await store.perform(Work()) },
                Ending.of { try await store.perform(Question()) },
                Ending.of { try await store.dispatcher.perform(Chore()) },
            ]
            return endings
        }

        caller.cancel()
        gate.open()

        #expect(await caller.value == [.cancelled, .cancelled, .cancelled])
        #expect(observer.records.entries.isEmpty)
        #expect(await store.dispatch(Log.Action.add("next")).sequence == 1)
    }

    @Test("actions in a task that is already cancelled reduce nothing", arguments: [true, false])
    func actionsOfCancelledTask(isSerial: Bool) async throws {
        let observer = TraceObserver()
        let gate = Gate()
        let store = try await Relux.Store(.init(observers: [observer])) { Log.Module() }
        let caller = Task {
            await gate.pass()
            return await store.actions(isSerial ? .serially : .concurrently) {
                Log.Action.add("first")
                Log.Action.add("second")
            }
        }

        caller.cancel()
        gate.open()

        #expect(await caller.value.endings == [.cancelled])
        #expect(observer.records.entries.isEmpty)
    }

    @Test("a cancellation at any moment of a perform is never lost")
    func noLostCancellation() async throws {
        let store = try await Relux.Store {
            WorkSaga { _, _ in try await untilCancelled() }.module()
        }

        // Each would hang if the cancellation were lost between the call and the start of the run.
        for _ in 0..<500 {
            let caller = Task { try await store.perform(Work()) }
            let canceller = Task { caller.cancel() }
            await canceller.value
            #expect(await Ending.of { try await caller.value } == .cancelled)
        }
    }

    @Test("cancel ends all runs of one saga only, and never waits")
    func cancelBySaga() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga { _, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("work"))
                },
                ClosureSaga<Errand> { _, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("errand"))
                },
            ])
        }
        let callers = (0..<2).map { _ in Task { try await store.perform(Work()) } }
        await store.dispatch(Errand())
        await gate.arrivals(atLeast: 3)

        // The services ignore cancellation, so this would hang if it waited for them.
        await store.cancel(WorkSaga.self)
        gate.open()
        try await store.idle()

        for caller in callers { #expect(await Ending.of { try await caller.value } == .cancelled) }
        #expect(try await store.log() == ["errand"])
    }

    @Test("cancel with an id ends only the runs with that id, including queued and pending ones")
    func cancelByID() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let store = try await Relux.Store(.init(clock: clock)) {
            ClosureSaga<Job>(policy: \.policy) { job, context in
                await gate.pass()
                await context.dispatch(Log.Action.add(job.name))
            }.alone
        }
        await store.dispatch(Job("active 1", .serial(id: 1)))
        await store.dispatch(Job("queued 1", .serial(id: 1)))
        await store.dispatch(Job("pending 1", .debounce(.seconds(1), id: 1)))
        await store.dispatch(Job("active 2", .serial(id: 2)))
        await store.dispatch(Job("other type", .serial(id: "1")))
        await store.dispatch(Job("no id", .serial))
        await gate.arrivals(atLeast: 4)

        await store.cancel(ClosureSaga<Job>.self, id: 1)
        gate.open()
        try await store.idle()
        await clock.advance(by: .seconds(1))

        #expect(try await store.log().sorted() == ["active 2", "no id", "other type"])
    }

    @Test("cancel with a predicate ends the runs whose ids satisfy it, including queued and pending ones")
    func cancelByPredicate() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let seen = Trace<Int>()
        let store = try await Relux.Store(.init(clock: clock)) {
            ClosureSaga<Job>(policy: \.policy, cleanup: { .add("cleaned up \($0.name)") }) { job, context in
                await gate.pass()
                await context.dispatch(Log.Action.add(job.name))
            }.alone
        }
        await store.dispatch(Job("active 1", .serial(id: 1)))
        await store.dispatch(Job("queued 1", .serial(id: 1)))
        await store.dispatch(Job("active 2", .serial(id: 2)))
        await store.dispatch(Job("pending 3", .debounce(.seconds(1), id: 3)))
        await store.dispatch(Job("other type", .serial(id: "1")))
        await store.dispatch(Job("no id", .serial))
        await gate.arrivals(atLeast: 4)

        // The services ignore cancellation, so this would hang if it waited for them.
        await store.cancel(ClosureSaga<Job>.self) { (id: Int) in
            seen.note(id)
            return id != 2
        }
        let logBefore = try await store.log()
        gate.open()
        try await store.idle()

        #expect(seen.entries.sorted() == [1, 2, 3])
        #expect(logBefore == ["cleaned up active 1", "cleaned up queued 1", "cleaned up pending 3"])
        #expect(try await store.log().dropFirst(3).sorted() == ["active 2", "no id", "other type"])
    }

    @Test("a predicate that takes any id cancels the runs with ids of all types")
    func cancelByAnyID() async throws {
        let jobs = try await JobStore(gated: ["number", "text", "no id"])
        let number = await jobs.performing("number", .latest(id: 1))
        let text = await jobs.performing("text", .latest(id: "1"))
        let other = await jobs.performing("no id", .latest)

        await jobs.store.cancel(ClosureSaga<Job>.self) { (id: any Hashable) in "\(id)" == "1" }
        _ = try await jobs.finalLog()

        #expect(await [number.value, text.value, other.value] == [.cancelled, .cancelled, .returned])
    }

    @Test("cancel with a predicate concerns the scope in which it is called")
    func cancelByPredicateInScopes() async throws {
        struct Room: Relux.Module, Identifiable {
            let id: Int
            let gate: Gate
            var sagas: [any Relux.Saga] {
                [
                    ClosureSaga<Job>(policy: \.policy) { _, _ in await gate.pass() },
                    ClosureSaga<Errand> { _, context in
                        await context.cancel(ClosureSaga<Job>.self) { (id: Int) in id > 1 }
                    },
                ]
            }
        }
        let gate = Gate()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Room(id: 1, gate: gate)
            Room(id: 2, gate: gate)
        }
        let first = store.scope(of: Room.self, id: 1)
        for room in [first, store.scope(of: Room.self, id: 2)] {
            for id in 1...3 { await room.dispatch(Job("\(id)", .latest(id: id))) }
        }
        await gate.arrivals(atLeast: 6)

        await first.cancel(ClosureSaga<Job>.self) { (id: Int) in id == 1 }
        try await first.perform(Errand())
        gate.open()
        try await store.idle()

        #expect(observer.trace.entries.count { $0.hasPrefix("end") && $0.hasSuffix("cancelled") } == 3)
        #expect(observer.trace.entries.count { $0.hasPrefix("end") && $0.hasSuffix("finished") } == 4)
    }

    @Test("a saga cancels other sagas, and itself, through its context")
    func cancelByContext() async throws {
        let gate = Gate()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(sagas: [
                WorkSaga { _, _ in
                    await gate.pass()
                    try await untilCancelled()
                },
                ClosureSaga<Errand> { _, context in
                    await context.cancel(WorkSaga.self)
                    await context.cancel(ClosureSaga<Errand>.self)
                    await context.dispatch(Log.Action.add("never"))
                },
            ])
        }
        let work = Task { try await store.perform(Work()) }
        gate.open()
        await gate.arrivals()

        let errand = await Ending.of { try await store.perform(Errand()) }

        #expect(await Ending.of { try await work.value } == .cancelled)
        #expect(errand == .cancelled)
        #expect(try await store.log() == [])
    }

    @Test("a saga may perform in a child task, and cancelling that task cancels only what it performs")
    func cancelledChildTask() async throws {
        let isThere = Gate()
        isThere.open()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga { _, context in
                    let child = Task { try await context.perform(Errand()) }
                    await isThere.arrivals()
                    child.cancel()
                    let ending = await Ending.of { try await child.value }
                    await context.dispatch(Log.Action.add("\(ending)"))
                },
                ClosureSaga<Errand> { _, _ in
                    await isThere.pass()
                    try await untilCancelled()
                },
            ])
        }

        let ending = await Ending.of { try await store.perform(Work()) }

        #expect(ending == .returned)
        #expect(try await store.log() == ["cancelled"])
    }

    @Test("a run that throws its own CancellationError counts as cancelled, and is cleaned up")
    func ownCancellationError() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga(cleanup: { _ in .add("cleaned up") }) { _, _ in throw CancellationError() }.module()
        }

        let ending = await Ending.of { try await store.perform(Work()) }

        #expect(ending == .cancelled)
        #expect(observer.trace.entries.suffix(2) == ["end 1 cancelled", "2 add(\"cleaned up\")"])
        #expect(try await store.log() == ["cleaned up"])
    }
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 7: cleanup of cancelled runs", .timeLimit(.minutes(10)))
struct Law07CleanupTests {
    private static let cleanup: @Sendable (Work) -> Log.Action? = { .add("cleaned up \($0.name)") }

    @Test("the cleanup action is reduced in the step that cancels, and nothing is reduced in between")
    func sameStep() async throws {
        let gate = Gate()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga(cleanup: Self.cleanup) { _, _ in await gate.pass() }.module()
        }
        await store.dispatch(Work())
        await gate.arrivals()

        // While the cancelling task is inside the store, all later calls wait to enter it.
        store.send(Log.Action.add("sent before"))
        await store.cancel(WorkSaga.self)
        store.send(Log.Action.add("sent after"))
        let log = try await store.log()
        gate.open()
        try await store.idle()

        #expect(log == ["sent before", "cleaned up work", "sent after"])
        #expect(observer.trace.entries.suffix(2) == ["4 add(\"sent after\")", "end 1 cancelled"])
        #expect(observer.records.entries.first { $0.sequence == 3 }?.cause?.id == 1)
    }

    @Test("a reader never sees a cancelled run without its cleanup")
    func noReaderInBetween() async throws {
        for _ in 0..<100 {
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) {
                WorkSaga(cleanup: Self.cleanup) { _, context in
                    // Dispatches until the store refuses: the refusal proves the cancellation. It yields, because a
                    // dispatch keeps its thread.
                    while await context.dispatch(Log.Action.add("write")).sequence != nil { await Task.yield() }
                    let log = try await context.state(of: Log.self).entries
                    context.send(Log.Action.add(log.last ?? ""))
                }.module()
            }

            await store.dispatch(Work())
            try await store.logged("write")
            await store.cancel(WorkSaga.self)
            try await store.idle()

            let seen = observer.refusals.entries.last?.action as? Log.Action
            #expect(seen == .add("cleaned up work"))
        }
    }

    @Test("a cancelled perform has been cleaned up by the time of its caller's next call")
    func cancelledCaller() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga(cleanup: Self.cleanup) { _, _ in await gate.pass() }.module()
        }
        let caller = Task { try await store.perform(Work()) }
        await gate.arrivals()

        caller.cancel()
        let log = try await store.log()
        gate.open()

        #expect(log == ["cleaned up work"])
        #expect(await Ending.of { try await caller.value } == .cancelled)
        #expect(try await store.log() == ["cleaned up work"])
    }

    @Test("the children of a cancelled run are cleaned up before it, whatever their sagas")
    func children() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga(cleanup: Self.cleanup) { _, context in try await context.perform(Errand()) },
                ClosureSaga<Errand>(cleanup: { _ in .add("cleaned up errand") }) { _, context in
                    try await context.timeout(after: .seconds(60)) { try await $0.perform(Chore()) }
                },
                ClosureSaga<Chore>(cleanup: { _ in .add("cleaned up chore") }) { _, _ in await gate.pass() },
            ])
        }
        await store.dispatch(Work())
        await gate.arrivals()

        await store.cancel(WorkSaga.self)
        let log = try await store.log()
        gate.open()
        try await store.idle()

        #expect(log == ["cleaned up chore", "cleaned up errand", "cleaned up work"])
        #expect(try await store.log() == log)
    }

    @Test("the children of a superseded run were cancelled and are cleaned up")
    func childrenOfASupersededRun() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga(policy: .latest, cleanup: Self.cleanup) { work, context in
                    if work.name == "old" { try await context.perform(Errand()) }
                },
                ClosureSaga<Errand>(cleanup: { _ in .add("cleaned up errand") }) { _, _ in await gate.pass() },
            ])
        }
        await store.dispatch(Work(name: "old"))
        await gate.arrivals()

        await store.dispatch(Work(name: "new"))
        let log = try await store.log()
        gate.open()
        try await store.idle()

        #expect(log == ["cleaned up errand"])
    }

    @Test("reset, unregister, and shutdown don't clean up")
    func removals() async throws {
        for removal in 0..<3 {
            let gate = Gate()
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) {
                WorkSaga(policy: .serial, cleanup: Self.cleanup) { _, _ in await gate.pass() }.module()
            }
            await store.dispatch {
                Work(name: "active")
                Work(name: "queued")
            }
            await gate.arrivals()

            gate.open()
            switch removal {
            case 0: await store.reset()
            case 1: await store.unregister(SagaModule.self)
            default: await store.shutdown()
            }

            let reduced = observer.records.entries.compactMap { $0.action as? Log.Action }
            #expect(reduced == [], "removal \(removal)")
        }
    }

    @Test("a run that an unregistered module's run performed is cleaned up if it belongs to another module")
    func childrenOfAnUnregisteredModule() async throws {
        let gate = Gate()
        let removal = RemovalObserver()
        let store = try await Relux.Store(.init(observers: [removal])) {
            SagaModule(sagas: [
                ClosureSaga<Errand>(cleanup: { _ in .add("cleaned up errand") }) { _, _ in await gate.pass() }
            ])
            Guest(saga: WorkSaga(cleanup: Self.cleanup) { _, context in try await context.perform(Errand()) })
        }
        await store.dispatch(Work())
        await gate.arrivals()

        let unregistering = Task { await store.unregister(Guest.self) }
        await removal.happened.pass()
        gate.open()
        await unregistering.value

        #expect(try await store.log() == ["cleaned up errand"])
    }

    @Test("a run that has ended isn't cleaned up")
    func endedRuns() async throws {
        let store = try await Relux.Store { WorkSaga(cleanup: Self.cleanup) { _, _ in }.module() }
        try await store.perform(Work())

        await store.cancel(WorkSaga.self)

        #expect(try await store.log() == [])
    }

    @Test("a run that is cancelled twice is cleaned up once")
    func once() async throws {
        let gate = Gate()
        let store = try await Relux.Store { WorkSaga(cleanup: Self.cleanup) { _, _ in await gate.pass() }.module() }
        let caller = Task { try await store.perform(Work()) }
        await gate.arrivals()

        await store.cancel(WorkSaga.self)
        caller.cancel()
        await store.cancel(WorkSaga.self)
        gate.open()
        _ = await caller.result

        #expect(try await store.log() == ["cleaned up work"])
    }

    // This used to overflow the stack: what one run left to tidy up was reduced inside the reduction of what the run
    // before it had left.
    @Test("cleaning up after twenty thousand cancelled runs takes little stack")
    func manyRuns() async throws {
        let count = 20_000
        let thread = ThreadExecutor()
        defer { thread.end() }
        let store = try await Relux.Store {
            WorkSaga(cleanup: Self.cleanup) { _, _ in try await untilCancelled() }
                .module(ClosureSaga<Log.Action> { _, _ in })
        }
        let cleaned = store.actionStream(of: Log.Action.self)
        await store.dispatch(contentsOf: (1...count).map { Work(name: "\($0)") })

        await Task(executorPreference: thread.tasks) { await store.cancel(WorkSaga.self) }.value
        try await store.idle()

        #expect(try await store.log() == (1...count).map { "cleaned up \($0)" })
        var names: [Log.Action] = []
        for await action in cleaned {
            names.append(action)
            if names.count == count { break }
        }
        #expect(names == (1...count).map { .add("cleaned up \($0)") })
    }

    private struct Guest: Relux.Module {
        let saga: WorkSaga
        var sagas: [any Relux.Saga] { [saga] }
    }
}

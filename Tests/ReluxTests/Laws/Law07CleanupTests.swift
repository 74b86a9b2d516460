import Relux
import TestFixtures
import Testing

@Suite("Law 7: cleanup of cancelled runs", .timeLimit(.minutes(10)))
struct Law07CleanupTests: Staged {
    let scene = Scene()

    private static let cleanup: @Sendable (Work) -> Log.Action? = { .add("cleaned up \($0.name)") }

    /// Cleans up, and waits at the gate.
    private var errands: ClosureSaga<Errand> {
        ClosureSaga(cleanup: { _ in .add("cleaned up errand") }) { _, _ in await gate.pass() }
    }

    @Test("the cleanup action is reduced in the step that cancels, and nothing is reduced in between")
    func sameStep() async throws {
        let store = try await makeStore(observers: [observer], cleanup: Self.cleanup) { _, _ in await gate.pass() }
        await dispatching(Work(), in: store)

        // While the cancelling task is inside the store, all later calls wait to enter it.
        store.send(Log.Action.add("sent before"))
        await store.cancel(WorkSaga.self)
        store.send(Log.Action.add("sent after"))

        #expect(try await store.log() == ["sent before", "cleaned up work", "sent after"])
        _ = try await finalLog(of: store)
        #expect(observer.trace.entries.suffix(2) == ["4 add(\"sent after\")", "end 1 cancelled"])
        #expect(observer.records.entries.first { $0.sequence == 3 }?.cause?.id == 1)
    }

    @Test("a reader never sees a cancelled run without its cleanup")
    func noReaderInBetween() async throws {
        for _ in 0..<100 {
            let observer = TraceObserver()
            let store = try await makeStore(observers: [observer], cleanup: Self.cleanup) { _, context in
                // Dispatches until the store refuses: the refusal proves the cancellation. It yields, because a
                // dispatch keeps its thread.
                while await context.dispatch(Log.Action.add("write")).sequence != nil { await Task.yield() }
                let log = try await context.state(of: Log.self).entries
                context.send(Log.Action.add(log.last ?? ""))
            }

            await store.dispatch(Work())
            try await store.logged("write")
            await store.cancel(WorkSaga.self)
            try await store.idle()

            let seen = observer.refusals.entries.last?.action as? Log.Action
            #expect(seen == .add("cleaned up work"))
        }
    }

    @Test("a cancelled perform has been cleaned up when its caller calls next, and once, if it is cancelled again")
    func cancelledCaller() async throws {
        let store = try await makeStore(cleanup: Self.cleanup) { _, _ in await gate.pass() }
        let caller = await performing(Work(), in: store)

        caller.cancel()

        #expect(try await store.log() == ["cleaned up work"])
        await store.cancel(WorkSaga.self)
        caller.cancel()
        await store.cancel(WorkSaga.self)
        #expect(try await finalLog(of: store) == ["cleaned up work"])
        #expect(await caller.value == .cancelled)
    }

    @Test(
        "the children of a cancelled or superseded run are cleaned up before it, whatever their sagas",
        arguments: [false, true])
    func children(isSuperseded: Bool) async throws {
        let store = try await makeStore(
            WorkSaga(policy: .latest, cleanup: Self.cleanup) { work, context in
                if work.name == "old" { try await context.perform(Chore()) }
            },
            ClosureSaga<Chore>(cleanup: { _ in .add("cleaned up chore") }) { _, context in
                try await context.timeout(after: .seconds(60)) { try await $0.perform(Errand()) }
            },
            errands
        )
        await dispatching(Work(name: "old"), in: store)

        if isSuperseded { await store.dispatch(Work(name: "new")) } else { await store.cancel(WorkSaga.self) }
        let log = try await store.log()

        #expect(log == ["cleaned up errand", "cleaned up chore"] + (isSuperseded ? [] : ["cleaned up old"]))
        #expect(try await finalLog(of: store) == log)
    }

    @Test("a run that an unregistered module's run performed is cleaned up if it belongs to another module")
    func childrenOfAnUnregisteredModule() async throws {
        let removed = Gate()
        let store = try await makeStore(observers: [HookObserver(onRemoval: { removed.open() })], errands)
        try await store.register(
            Part<TagA>(sagas: [WorkSaga(cleanup: Self.cleanup) { _, context in try await context.perform(Errand()) }])
        )
        await dispatching(Work(), in: store)

        let unregistering = Task { await store.unregister(Part<TagA>.self) }
        await removed.pass()
        gate.open()
        await unregistering.value

        #expect(try await store.log() == ["cleaned up errand"])
    }

    @Test("a run that has ended isn't cleaned up")
    func endedRuns() async throws {
        let store = try await makeStore(cleanup: Self.cleanup) { _, _ in }
        try await store.perform(Work())

        await store.cancel(WorkSaga.self)

        #expect(try await store.log() == [])
    }

    // This used to overflow the stack: what one run left to tidy up was reduced inside the reduction of what the run
    // before it had left.
    @Test("cleaning up after twenty thousand cancelled runs takes little stack")
    func manyRuns() async throws {
        let names = (1...20_000).map { "\($0)" }
        let thread = ThreadExecutor()
        defer { thread.end() }
        let store = try await makeStore(
            WorkSaga(cleanup: Self.cleanup) { _, _ in try await untilCancelled() }, ClosureSaga<Log.Action> { _, _ in }
        )
        let cleaned = store.actionStream(of: Log.Action.self)
        await store.dispatch(contentsOf: names.map { Work(name: $0) })

        await Task(executorPreference: thread.tasks) { await store.cancel(WorkSaga.self) }.value
        try await store.idle()

        #expect(try await store.log() == names.map { "cleaned up \($0)" })
        let streamed = await cleaned.prefix(names.count).reduce(into: []) { $0.append($1) }
        #expect(streamed == names.map { .add("cleaned up \($0)") })
    }
}

import Relux
import ReluxTesting
import Testing

@Suite("Law 7: what a cancelled run has to tidy up")
struct Law07TidyingTests {
    private static let tidy: @Sendable (Work) -> Log.Action? = { .add("tidied \($0.name)") }

    @Test("the action is reduced in the step that cancels: nothing comes in between")
    func sameStep() async throws {
        let gate = Gate()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga(tidy: Self.tidy) { _, _ in await gate.pass() }.module()
        }
        await store.dispatch(Work())
        await gate.arrivals()

        // Everything after the cancellation waits at the store's door while the cancelling task is inside.
        store.send(Log.Action.add("sent before"))
        await store.cancel(WorkSaga.self)
        store.send(Log.Action.add("sent after"))
        let log = try await store.log()
        gate.open()
        try await store.idle()

        #expect(log == ["sent before", "tidied work", "sent after"])
        #expect(observer.trace.entries.suffix(2) == ["4 add(\"sent after\")", "end 1 cancelled"])
        #expect(observer.records.entries.first { $0.sequence == 3 }?.cause?.id == 1)
    }

    @Test("a reader never sees a cancelled run that has not been tidied up after")
    func noReaderInBetween() async throws {
        for _ in 0..<100 {
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) {
                WorkSaga(tidy: Self.tidy) { _, context in
                    // Dispatches until the store refuses: the refusal proves the cancellation.
                    while await context.dispatch(Log.Action.add("write")).sequence != nil {}
                    let log = try await context.state(of: Log.self).entries
                    context.send(Log.Action.add(log.last ?? ""))
                }.module()
            }

            await store.dispatch(Work())
            await store.cancel(WorkSaga.self)
            try await store.idle()

            let seen = observer.refusals.entries.last?.action as? Log.Action
            #expect(seen == .add("tidied work"))
        }
    }

    @Test("a cancelled perform has been tidied up after when its caller's next call comes")
    func cancelledCaller() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga(tidy: Self.tidy) { _, _ in await gate.pass() }.module()
        }
        let caller = Task { try await store.perform(Work()) }
        await gate.arrivals()

        caller.cancel()
        let log = try await store.log()
        gate.open()

        #expect(log == ["tidied work"])
        #expect(await Ending.of { try await caller.value } == .cancelled)
        #expect(try await store.log() == ["tidied work"])
    }

    @Test("active and queued runs are tidied up after, in the order of their starts")
    func activeAndQueued() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga(policy: .serial, tidy: Self.tidy) { _, _ in await gate.pass() }.module()
        }
        await store.dispatch {
            Work(name: "active")
            Work(name: "queued 1")
            Work(name: "queued 2")
        }
        await gate.arrivals()

        await store.cancel(WorkSaga.self)
        let log = try await store.log()
        gate.open()
        try await store.idle()

        #expect(log == ["tidied active", "tidied queued 1", "tidied queued 2"])
        #expect(try await store.log() == log)
    }

    @Test("a pending run is tidied up after")
    func pending() async throws {
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) {
            WorkSaga(policy: .debounce(.seconds(1)), tidy: Self.tidy) { work, context in
                await context.dispatch(Log.Action.add(work.name))
            }.module()
        }
        await store.dispatch(Work())

        await store.cancel(WorkSaga.self)
        try await store.idle()
        await clock.advance(by: .seconds(2))

        #expect(try await store.log() == ["tidied work"])
    }

    @Test("the children of a cancelled run are tidied up after, before it, whatever they run")
    func children() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga(tidy: Self.tidy) { _, context in try await context.perform(Errand()) },
                ClosureSaga<Errand>(tidy: { _ in .add("tidied errand") }) { _, context in
                    try await context.timeout(after: .seconds(60)) { try await $0.perform(Chore()) }
                },
                ClosureSaga<Chore>(tidy: { _ in .add("tidied chore") }) { _, _ in await gate.pass() },
            ])
        }
        await store.dispatch(Work())
        await gate.arrivals()

        await store.cancel(WorkSaga.self)
        let log = try await store.log()
        gate.open()
        try await store.idle()

        #expect(log == ["tidied chore", "tidied errand", "tidied work"])
        #expect(try await store.log() == log)
    }

    @Test("the children of a superseded run were cancelled, and are tidied up after")
    func childrenOfASupersededRun() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga(policy: .latest, tidy: Self.tidy) { work, context in
                    if work.name == "old" { try await context.perform(Errand()) }
                },
                ClosureSaga<Errand>(tidy: { _ in .add("tidied errand") }) { _, _ in await gate.pass() },
            ])
        }
        await store.dispatch(Work(name: "old"))
        await gate.arrivals()

        await store.dispatch(Work(name: "new"))
        let log = try await store.log()
        gate.open()
        try await store.idle()

        #expect(log == ["tidied errand"])
    }

    @Test("a superseded run isn't tidied up after, whether it was active, queued or pending")
    func superseded() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let store = try await Relux.Store(.init(clock: clock)) {
            ClosureSaga<Job>(policy: \.policy, tidy: { .add("tidied \($0.name)") }) { job, _ in
                if job.name == "active" { await gate.pass() }
            }.alone
        }
        await store.dispatch(Job("active", .serial))
        await store.dispatch(Job("queued", .serial))
        await store.dispatch(Job("pending", .debounce(.seconds(1))))
        await gate.arrivals()

        await store.dispatch(Job("latest", .latest))
        gate.open()
        try await store.idle()

        #expect(try await store.log() == [])
    }

    @Test("reset, unregister and shutdown tidy nothing up")
    func removals() async throws {
        for removal in 0..<3 {
            let gate = Gate()
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) {
                WorkSaga(policy: .serial, tidy: Self.tidy) { _, _ in await gate.pass() }.module()
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

    @Test("what was performed for an unregistered module, but belongs to another one, is tidied up after")
    func childrenOfAnUnregisteredModule() async throws {
        let gate = Gate()
        let removal = RemovalObserver()
        let store = try await Relux.Store(.init(observers: [removal])) {
            SagaModule(sagas: [
                ClosureSaga<Errand>(tidy: { _ in .add("tidied errand") }) { _, _ in await gate.pass() }
            ])
            Guest(saga: WorkSaga(tidy: Self.tidy) { _, context in try await context.perform(Errand()) })
        }
        await store.dispatch(Work())
        await gate.arrivals()

        let unregistering = Task { await store.unregister(Guest.self) }
        await removal.happened.pass()
        gate.open()
        await unregistering.value

        #expect(try await store.log() == ["tidied errand"])
    }

    @Test("a run that has ended has nothing to tidy up")
    func endedRuns() async throws {
        let store = try await Relux.Store { WorkSaga(tidy: Self.tidy) { _, _ in }.module() }
        try await store.perform(Work())

        await store.cancel(WorkSaga.self)

        #expect(try await store.log() == [])
    }

    @Test("a run that is cancelled twice is tidied up after once")
    func once() async throws {
        let gate = Gate()
        let store = try await Relux.Store { WorkSaga(tidy: Self.tidy) { _, _ in await gate.pass() }.module() }
        let caller = Task { try await store.perform(Work()) }
        await gate.arrivals()

        await store.cancel(WorkSaga.self)
        caller.cancel()
        await store.cancel(WorkSaga.self)
        gate.open()
        _ = await caller.result

        #expect(try await store.log() == ["tidied work"])
    }

    private struct Guest: Relux.Module {
        let saga: WorkSaga
        var sagas: [any Relux.Saga] { [saga] }
    }
}

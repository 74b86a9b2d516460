import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 15: clean ends", .timeLimit(.minutes(10)))
struct Law15CleanEndsTests: Staged {
    let scene = Scene()
    /// The verbs that end runs and wait for them.
    enum Verb: CaseIterable, Sendable {
        case unregister, reset, shutdown

        func callAsFunction(_ store: Relux.Store) async { await self(store, store) }

        /// Makes the call through a store or a context, which can't shut its store down.
        func callAsFunction(_ place: any Relux.ModuleManaging, _ store: Relux.Store?) async {
            switch self {
            case .unregister: await place.unregister(Part<TagA>.self)
            case .reset: await place.reset()
            case .shutdown: await store?.shutdown()
            }
        }

        /// The value of the counter afterwards.
        var count: Int? { self == .reset ? 0 : nil }
    }

    private let world = SeededExecutor(seed: 15)

    private func makeStore(_ sagas: any Relux.Saga...) async throws -> Relux.Store {
        let store = Relux.Store(.init(clock: clock, executor: world, observers: [observer]))
        link.connect(to: store)
        try await store.register(Part<TagA>(states: [Counter<TagA>()], sagas: sagas, dependencies: [Log.Module()]))
        return store
    }

    /// Returns a saga that ignores cancellation and writes once its gate is opened.
    private func deaf(_ policy: Relux.Policy = .concurrent) -> WorkSaga {
        WorkSaga(policy: policy) { work, context in
            await gate.pass()
            await context.dispatch(Counter<TagA>.Add(amount: 100))
            trace.note("ran \(work.name)")
        }
    }

    /// What is cancelled besides.
    enum Cancellation: CaseIterable, Sendable {
        case none, ofTheRunBefore, ofTheCaller
    }

    @Test(
        "One step, after what was sent before, cancels the runs and removes or resets the states; the call then waits for all dying runs",
        arguments: Verb.allCases, Cancellation.allCases)
    func endsFirstAndWaitsThen(_ end: Verb, cancellation: Cancellation) async throws {
        let store = try await makeStore(deaf())
        await store.dispatch(Counter<TagA>.Add())
        await world.settle { await store.dispatch(Work()) }
        if cancellation == .ofTheRunBefore { await store.cancel(WorkSaga.self) }

        let ending = await world.settle {
            store.send(Log.Action.add("before"))
            await end(store)
            trace.note("returned")
        }
        if cancellation == .ofTheCaller { ending.cancel() }
        await world.rest()

        #expect(trace.entries == [])
        #expect(await store.count(of: TagA.self) == end.count)
        await world.open(gate)
        #expect(trace.entries == ["ran work", "returned"])
        #expect(await store.count(of: TagA.self) == end.count)
        #expect(observer.records.entries.map(\.sequence) == [1, 2, 3])
        #expect(observer.refusals.entries.count == 1)
    }

    @Test("Runs that had not started never start, and the end doesn't wait for them", arguments: Verb.allCases)
    func endsWhatHasNotStarted(_ end: Verb) async throws {
        let store = try await makeStore(deaf(.debounce(.seconds(1))))
        let dispatched = await store.dispatch(Work())
        await world.settle { await dispatched.finished() }

        let ending = await world.settle { await end(store) }

        try await ending.value
        #expect(ends == ["end 1 cancelled"])
        #expect(clock.sleepers.isEmpty)
        await clock.advance(by: .seconds(2))
        await world.rest()
        #expect(trace.entries == [])
    }

    // MARK: From inside a run

    @Test(
        "A run that resets continues, through its context or the store, and what it writes stays",
        arguments: [true, false])
    func resetSparesTheCaller(throughContext: Bool) async throws {
        let store = try await makeStore(
            WorkSaga { work, context in
                guard work.name == "resetting" else { return }
                await context.dispatch(Log.Action.add("before"))
                if throughContext { await context.reset() } else { await link.store?.reset() }
                trace.note("cancelled: \(Task.isCancelled)")
                await context.dispatch(Log.Action.add("after"))
                try await context.perform(Work(name: "child"))
                context.send(Log.Action.add("sent"))
            }
        )

        let performing = await world.settle { try await store.perform(Work(name: "resetting")) }

        try await performing.value
        #expect(try await store.state(of: Log.self).entries == ["after", "sent"])
        #expect(trace.entries == ["cancelled: false"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test(
        "Runs that await the run that resets, from its trigger on, are also spared; others are not, and are waited for",
        arguments: [Relux.Execution.serially, .concurrently])
    func resetSparesAwaitingRuns(_ execution: Relux.Execution) async throws {
        for seed: UInt64 in 0..<100 {
            let (world, observer) = (SeededExecutor(seed: seed), TraceObserver())
            let (start, gate, hasReset) = (Gate(), Gate(), Trace<Bool>())
            let saga = WorkSaga { work, context in
                switch work.name {
                case "grandparent": await context.dispatch(Work(name: "parent")).finished()
                case "parent":
                    // By then, the grandparent waits for this run.
                    await start.pass()
                    #expect(await context.actions(execution) { Work(name: "child") }.endings == [.returned])
                case "child":
                    await context.reset()
                    hasReset.note(true)
                default: await gate.pass()
                }
                await context.dispatch(Log.Action.add(work.name))
            }
            let store = try await makeStore(executor: world, observers: [observer], saga)
            await world.settle { await store.dispatch(Work(name: "other")) }
            let family = await world.settle { try await store.perform(Work(name: "grandparent")) }
            await world.open(start)
            #expect(hasReset.entries == [], "seed \(seed)")

            await world.open(gate)

            try await family.value
            #expect(try await store.log() == ["child", "parent", "grandparent"], "seed \(seed)")
            #expect(observer.reasons == ["staleWrite"], "seed \(seed)")
        }
    }

    // None of them waited at all: the halted run still counted as one that waits for the calling run.
    @Test("A run that ends others waits for them, even if one of them waits for idleness", arguments: Verb.allCases)
    func othersWaitForIdleness(_ end: Verb) async throws {
        let store = try await makeStore(
            ClosureSaga<Job>(policy: \.policy) { job, context in
                switch job.name {
                case "idler": try await link.store?.idle()
                case "ender":
                    await end(context, link.store)
                    trace.note("ended")
                default: await gate.pass()
                }
            }
        )
        await world.settle { await store.dispatch(Job("other", .concurrent)) }
        await world.settle { await store.dispatch(Job("idler", .concurrent.background)) }

        await world.settle { await store.dispatch(Job("ender", .concurrent)) }
        #expect(trace.entries == [])
        await world.open(gate)

        #expect(trace.entries == ["ended"])
        #expect(observer.refusals.entries.isEmpty)
        withExtendedLifetime(store) {}
    }

    /// How a run awaits what it performs.
    enum Awaiting: CaseIterable, Sendable {
        case directly, inATask, inATaskOfASerialRun
    }

    @Test(
        "A run that ends things doesn't wait for the run that performs it, even if that awaits it in an unstructured task",
        arguments: Verb.allCases, Awaiting.allCases)
    func endsRunsThatAwaitTheCaller(_ end: Verb, awaiting: Awaiting) async throws {
        let parent = WorkSaga(policy: awaiting == .inATaskOfASerialRun ? .serial : .concurrent) { _, context in
            if awaiting == .directly {
                _ = try? await context.perform(Errand())
            } else {
                // Not a child task, so the store doesn't know that the run waits for it.
                let performing = Task { try await context.perform(Errand()) }
                try? await withTaskCancellationHandler {
                    try await performing.value
                } onCancel: {
                    performing.cancel()
                }
            }
            trace.note("parent")
        }
        let child = ClosureSaga<Errand> { _, _ in
            if let store = link.store { await end(store) }
            trace.note("child")
        }
        let store = try await Relux.Store { Part<TagA>(states: [Counter<TagA>()], sagas: [parent, child]) }
        link.connect(to: store)

        let ending = await Ending.of { try await store.perform(Work()) }

        #expect(trace.entries == ["child", "parent"])
        if end != .reset { #expect(ending != .returned) }
    }

    @Test("Other runs that the resetting run has performed are ended")
    func resetEndsChildren() async throws {
        let store = try await makeStore(
            WorkSaga { work, context in
                guard work.name == "parent" else { return await gate.pass() }
                async let child: Void = context.perform(Work(name: "child"))
                await gate.arrivals()
                await context.reset()
                trace.note("reset")
                do { try await child } catch { trace.note("\(error)") }
            }
        )
        let parent = await world.settle { try await store.perform(Work(name: "parent")) }
        #expect(trace.entries == [])

        await world.open(gate)

        try await parent.value
        #expect(trace.entries == ["reset", "The effect was cancelled."])
    }

    @Test(
        "A run that ends its own module or store is also ended, but isn't waited for",
        arguments: [Verb.unregister, .shutdown], [true, false])
    func endsTheCaller(_ end: Verb, throughContext: Bool) async throws {
        let store = try await makeStore(
            WorkSaga { work, context in
                guard work.name == "ending" else {
                    await gate.pass()
                    trace.note("other ended")
                    return
                }
                guard let store = link.store else { return }
                await end(throughContext ? context : store, store)
                trace.note("cancelled: \(Task.isCancelled)")
                await context.dispatch(Log.Action.add("after"))
            }
        )
        await world.settle { await store.dispatch(Work(name: "other")) }

        let performing = await world.settle { try await store.perform(Work(name: "ending")) }
        #expect(trace.entries == [])
        await world.open(gate)

        #expect(trace.entries == ["other ended", "cancelled: true"])
        await #expect(throws: Relux.EffectError.self) { try await performing.value }
        #expect(observer.refusals.entries.count == 1)
        #expect(observer.records.entries.count == 2)
    }

    // They used to wait for ever: only the run that the context belongs to was left out of what they wait for, and not
    // the run whose task had made the call.
    @Test(
        "a run that ends things through the context of another run waits for neither of them",
        arguments: [.reset, .unregister, nil] as [Verb?], [false, true])
    func endsThroughAnotherContext(_ end: Verb?, isTimeout: Bool) async throws {
        let contexts = Trace<Relux.SagaContext>()
        let replacement = Part<TagA>(states: [Counter<TagA>()], dependencies: [Log.Module()])
        let endThrough: @Sendable (Relux.SagaContext) async throws -> Void = { context in
            guard let end else { return try await context.replace(replacement) }
            await end(context, nil)
        }
        let store = try await makeStore(
            WorkSaga { _, context in
                contexts.note(context)
                if isTimeout {
                    try? await context.timeout(after: .seconds(86_400)) { _ in
                        try await endThrough(context)
                        trace.note("returned")
                    }
                } else {
                    try? await context.perform(Errand())
                }
                trace.note("ended")
            },
            ClosureSaga<Errand> { _, _ in
                guard let performer = contexts.entries.first else { return }
                try await endThrough(performer)
                trace.note("returned")
            }
        )

        let performing = await world.settle { await Ending.of { try await store.perform(Work()) } }

        try #require(trace.entries == ["returned", "ended"])
        #expect(try await performing.value == (end == .reset ? .returned : .cancelled))
    }

    @Test(
        "A run of another module that unregisters a module continues, and waits for all runs that don't wait for it",
        arguments: [false, true])
    func sparesOtherModules(isAwaited: Bool) async throws {
        let policy = Relux.Policy.serial.in(Relux.Lane("lane"))
        let waiting = ClosureSaga<Chore> { _, context in await context.dispatch(Job("next", policy)).finished() }
        let store = try await makeStore(deaf(), waiting)
        try await store.register(
            Part<TagB>(
                states: [Counter<TagB>()],
                sagas: [
                    ClosureSaga<Job>(policy: \.policy) { _, _ in },
                    ClosureSaga<Errand>(policy: { _ in policy }) { _, context in
                        if isAwaited {
                            context.send(Chore())
                            _ = try await context.first(of: Job.self)
                        }
                        await context.unregister(Part<TagA>.self)
                        trace.note("returned")
                        await context.dispatch(Counter<TagB>.Add())
                    },
                ]
            )
        )
        await world.settle { await store.dispatch(Work()) }

        let performing = await world.settle { try await store.perform(Errand()) }
        #expect(trace.entries == [])
        await world.open(gate)

        try await performing.value
        #expect(trace.entries == ["ran work", "returned"])
        #expect(await store.count(of: TagB.self) == 1)
    }

    @Test(
        "A run that resets continues, even if the reset closes the page whose run awaits it", arguments: [false, true])
    func resetClosesTheAwaitingPage(inATask: Bool) async throws {
        let resetting = ClosureSaga<Errand> { _, context in
            await context.reset()
            await context.dispatch(Log.Action.add("after"))
        }
        let page = WorkSaga { _, context in
            guard inATask else { return try await context.perform(Errand()) }
            try await Task { try await context.perform(Errand()) }.value
        }
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module(sagas: [resetting], dependencies: [Log.Module()]) { InstancePart(id: $0, sagas: [page]) }
        }
        await store.dispatch(Pages.Action.open("1"))

        await store.scope(of: InstancePart.self, id: "1").dispatch(Work()).finished()
        try await store.idle()

        #expect(try await store.log() == ["after"])
        #expect(observer.refusals.entries.isEmpty)
    }
}

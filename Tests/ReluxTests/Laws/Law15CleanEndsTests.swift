import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 15: clean ends", .timeLimit(.minutes(10)))
struct Law15CleanEndsTests {
    /// The verbs that end runs and wait for them.
    enum Ending: CaseIterable {
        case unregister
        case reset
        case shutdown

        func callAsFunction(_ store: Relux.Store) async {
            switch self {
            case .unregister: await store.unregister(Part<TagA>.self)
            case .reset: await store.reset()
            case .shutdown: await store.shutdown()
            }
        }

        /// Makes the call from inside a run. A context can't shut its store down.
        func callAsFunction(_ context: Relux.SagaContext, _ store: Relux.Store?) async {
            switch self {
            case .unregister: await context.unregister(Part<TagA>.self)
            case .reset: await context.reset()
            case .shutdown: await store?.shutdown()
            }
        }

        /// The value of the counter afterwards.
        var count: Int? { self == .reset ? 0 : nil }
    }

    private let world = SeededExecutor(seed: 15)
    private let gate = Gate()
    private let trace = Trace<String>()
    private let observer = TraceObserver()

    private func makeStore(_ sagas: any Relux.Saga...) async throws -> Relux.Store {
        let store = Relux.Store(.init(executor: world, observers: [observer]))
        try await store.register(
            Part<TagA>(states: [Counter<TagA>()], sagas: sagas, dependencies: [Log.Module()])
        )
        return store
    }

    /// Returns a saga that ignores cancellation and writes once its gate is opened.
    private func deaf(_ policy: Relux.Policy = .concurrent) -> WorkSaga {
        WorkSaga(policy: policy) { [gate, trace] work, context in
            await gate.pass()
            await context.dispatch(Counter<TagA>.Add(amount: 100))
            trace.note("ran \(work.name)")
        }
    }

    @Test(
        "One step cancels the runs and removes or resets the states, and the call then waits for the runs",
        arguments: Ending.allCases)
    func endsFirstAndWaitsThen(_ end: Ending) async throws {
        let store = try await makeStore(deaf())
        await store.dispatch(Counter<TagA>.Add())
        await world.settle { await store.dispatch(Work()) }

        await world.settle { [trace] in
            await end(store)
            trace.note("returned")
        }

        #expect(trace.entries == [])
        #expect(await store.count(of: TagA.self) == end.count)
        gate.open()
        await world.rest()
        #expect(trace.entries == ["ran work", "returned"])
        #expect(await store.count(of: TagA.self) == end.count)
        #expect(observer.records.entries.map(\.sequence) == [1, 2])
        #expect(observer.refusals.entries.count == 1)
    }

    @Test(
        "What was sent before the end is reduced, and nothing that a run writes after it is", arguments: Ending.allCases
    )
    func isOrdered(_ end: Ending) async throws {
        let written = Gate()
        let store = try await makeStore(
            WorkSaga { [gate] _, context in
                context.send(Log.Action.add("before"))
                written.open()
                await gate.pass()
                context.send(Log.Action.add("after"))
                await context.dispatch(Log.Action.add("after"))
                _ = try? await context.perform(Work(name: "after"))
                _ = await context.actions { Log.Action.add("after") }
            }
        )
        await world.settle { await store.dispatch(Work()) }
        await written.pass()

        await world.settle { await end(store) }
        gate.open()
        await world.rest()

        #expect(observer.records.entries.map { "\($0.action)" }.filter { $0.contains("before") }.count == 1)
        #expect(observer.records.entries.map { "\($0.action)" }.filter { $0.contains("after") }.isEmpty)
        #expect(observer.refusals.entries.count == 4)
    }

    @Test("Runs that had not started never start, and the end doesn't wait for them", arguments: Ending.allCases)
    func endsWhatHasNotStarted(_ end: Ending) async throws {
        let clock = ManualClock()
        let store = Relux.Store(.init(clock: clock, executor: world, observers: [observer]))
        try await store.register(
            Part<TagA>(states: [Counter<TagA>()], sagas: [deaf(.debounce(.seconds(1)))])
        )
        let dispatched = await store.dispatch(Work())
        await world.settle { await dispatched.finished() }

        let ending = await world.settle { await end(store) }

        try await ending.value
        #expect(observer.trace.entries.filter { $0.hasPrefix("end") } == ["end 1 cancelled"])
        #expect(clock.sleepers.isEmpty)
        await clock.advance(by: .seconds(2))
        await world.rest()
        #expect(trace.entries == [])
    }

    @Test("The end also waits for runs that were cancelled earlier", arguments: Ending.allCases)
    func waitsForTheDying(_ end: Ending) async throws {
        let store = try await makeStore(deaf())
        await world.settle { await store.dispatch(Work()) }
        await store.cancel(WorkSaga.self)

        await world.settle { [trace] in
            await end(store)
            trace.note("returned")
        }
        gate.open()
        await world.rest()

        #expect(trace.entries == ["ran work", "returned"])
    }

    @Test("Cancelling the task that waits for the end doesn't cut the wait short", arguments: Ending.allCases)
    func isNotCutShort(_ end: Ending) async throws {
        let store = try await makeStore(deaf())
        await world.settle { await store.dispatch(Work()) }
        let ending = await world.settle { [trace] in
            await end(store)
            trace.note("returned")
        }

        ending.cancel()
        await world.rest()

        #expect(trace.entries == [])
        gate.open()
        await world.rest()
        #expect(trace.entries == ["ran work", "returned"])
    }

    // MARK: From inside a run

    @Test(
        "A run that resets continues, through its context or the store, and what it writes stays",
        arguments: [true, false])
    func resetSparesTheCaller(throughContext: Bool) async throws {
        let reference = Reference()
        let store = try await makeStore(
            WorkSaga { [trace] work, context in
                guard work.name == "resetting" else { return }
                await context.dispatch(Log.Action.add("before"))
                if throughContext { await context.reset() } else { await reference.store?.reset() }
                trace.note("cancelled: \(Task.isCancelled)")
                await context.dispatch(Log.Action.add("after"))
                try await context.perform(Work(name: "child"))
                context.send(Log.Action.add("sent"))
            }
        )
        reference.store = store

        let performing = await world.settle { try await store.perform(Work(name: "resetting")) }

        try await performing.value
        #expect(try await store.state(of: Log.self).entries == ["after", "sent"])
        #expect(trace.entries == ["cancelled: false"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("Runs that await the run that resets are also spared; others are not, and the reset waits for them")
    func resetSparesAwaitingRuns() async throws {
        let store = try await makeStore(
            WorkSaga { [gate, trace] work, context in
                switch work.name {
                case "grandparent":
                    await context.dispatch(Work(name: "parent")).finished()
                case "parent":
                    _ = await context.actions(.concurrently) { Work(name: "child") }
                case "child":
                    await context.reset()
                    trace.note("reset")
                default:
                    await gate.pass()
                }
                await context.dispatch(Log.Action.add(work.name))
            }
        )
        await world.settle { await store.dispatch(Work(name: "other")) }
        let family = await world.settle { try await store.perform(Work(name: "grandparent")) }
        #expect(trace.entries == [])

        gate.open()
        await world.rest()

        try await family.value
        #expect(try await store.state(of: Log.self).entries == ["child", "parent", "grandparent"])
        #expect(observer.refusals.entries.map(\.isStale) == [true])
    }

    // None of them waited at all: the halted run still counted as one that waits for the calling run.
    @Test("A run that ends others waits for them, even if one of them waits for idleness", arguments: Ending.allCases)
    func othersWaitForIdleness(_ end: Ending) async throws {
        let reference = Reference()
        let store = try await makeStore(
            ClosureSaga<Job>(policy: \.policy) { [gate, trace] job, context in
                switch job.name {
                case "idler": try await reference.store?.idle()
                case "ender":
                    await end(context, reference.store)
                    trace.note("ended")
                default: await gate.pass()
                }
            }
        )
        reference.store = store
        await world.settle { await store.dispatch(Job("other", .concurrent)) }
        await world.settle { await store.dispatch(Job("idler", .concurrent.background)) }

        await world.settle { await store.dispatch(Job("ender", .concurrent)) }
        #expect(trace.entries == [])
        gate.open()
        await world.rest()

        #expect(trace.entries == ["ended"])
        #expect(observer.refusals.entries.isEmpty)
        reference.store = nil
    }

    @Test(
        "A run that triggers the run that resets awaits it from that moment on, and is spared",
        arguments: [Relux.Execution.serially, .concurrently])
    func resetSparesTheTrigger(_ execution: Relux.Execution) async throws {
        for seed: UInt64 in 0..<100 {
            let world = SeededExecutor(seed: seed)
            let observer = TraceObserver()
            let store = Relux.Store(.init(executor: world, observers: [observer]))
            try await store.register(
                WorkSaga { work, context in
                    if work.name == "parent" {
                        let result = await context.actions(execution) { Work(name: "child") }
                        #expect("\(result)" == "\(Relux.ActionResult.success)", "seed \(seed)")
                    } else {
                        await context.reset()
                    }
                    await context.dispatch(Log.Action.add(work.name))
                }.module()
            )

            let parent = await world.settle { try await store.perform(Work(name: "parent")) }

            try await parent.value
            #expect(try await store.state(of: Log.self).entries == ["child", "parent"], "seed \(seed)")
            #expect(observer.refusals.entries.isEmpty, "seed \(seed)")
        }
    }

    @Test(
        "A run that ends things doesn't wait for the run that performs it, even if that awaits it in an unstructured task",
        arguments: Ending.allCases, [Relux.Policy.concurrent, .serial])
    func endsRunsThatAwaitTasks(_ end: Ending, policy: Relux.Policy) async throws {
        let reference = Reference()
        let parent = ClosureSaga<Job>(policy: { $0.policy }) { [trace] _, context in
            // Not a child task, so the store doesn't know that the run waits for it.
            let performing = Task { try await context.perform(Errand()) }
            try? await withTaskCancellationHandler {
                try await performing.value
            } onCancel: {
                performing.cancel()
            }
            trace.note("parent")
        }
        let child = ClosureSaga<Errand> { [trace] _, _ in
            if let store = reference.store { await end(store) }
            trace.note("child")
        }
        let store = try await Relux.Store { Part<TagA>(states: [Counter<TagA>()], sagas: [parent, child]) }
        reference.store = store

        try? await store.perform(Job("parent", policy))

        #expect(trace.entries == ["child", "parent"])
    }

    @Test("Other runs that the resetting run has performed are ended")
    func resetEndsChildren() async throws {
        let store = try await makeStore(
            WorkSaga { [gate, trace] work, context in
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

        gate.open()
        await world.rest()

        try await parent.value
        #expect(trace.entries == ["reset", "The effect was cancelled."])
    }

    @Test(
        "A run that ends its own module or store is also ended, but isn't waited for",
        arguments: [Ending.unregister, .shutdown], [true, false])
    func endsTheCaller(_ end: Ending, throughContext: Bool) async throws {
        let reference = Reference()
        let store = try await makeStore(
            WorkSaga { [gate, trace] work, context in
                guard work.name == "ending" else {
                    await gate.pass()
                    trace.note("other ended")
                    return
                }
                if throughContext {
                    await end(context, reference.store)
                } else if let store = reference.store {
                    await end(store)
                }
                trace.note("cancelled: \(Task.isCancelled)")
                await context.dispatch(Log.Action.add("after"))
            }
        )
        reference.store = store
        await world.settle { await store.dispatch(Work(name: "other")) }

        let performing = await world.settle { try await store.perform(Work(name: "ending")) }
        #expect(trace.entries == [])
        gate.open()
        await world.rest()

        #expect(trace.entries == ["other ended", "cancelled: true"])
        await #expect(throws: Relux.EffectError.self) { try await performing.value }
        #expect(observer.refusals.entries.count == 1)
        #expect(observer.records.entries.count == 2)
    }

    @Test("A child that ends its parent's module waits for neither of them", arguments: [Ending.unregister, .shutdown])
    func endsTheParent(_ end: Ending) async throws {
        let reference = Reference()
        let store = try await makeStore(
            WorkSaga { [trace] work, context in
                if work.name == "parent" {
                    _ = try? await context.perform(Work(name: "child"))
                } else if let store = reference.store {
                    await end(store)
                }
                trace.note(work.name)
            }
        )
        reference.store = store

        let performing = await world.settle { try await store.perform(Work(name: "parent")) }

        await #expect(throws: Relux.EffectError.self) { try await performing.value }
        #expect(trace.entries == ["child", "parent"])
    }

    /// The verbs that a context has, and that wait for runs.
    enum Waiting: CaseIterable, Sendable {
        case reset, unregister, replace

        func callAsFunction(_ context: Relux.SagaContext, by module: Part<TagA>) async throws {
            switch self {
            case .reset: await context.reset()
            case .unregister: await context.unregister(Part<TagA>.self)
            case .replace: try await context.replace(module)
            }
        }
    }

    // They used to wait for ever: only the run that the context belongs to was left out of what they wait for, and not
    // the run whose task had made the call.
    @Test(
        "a run that ends things through the context of another run waits for neither of them",
        arguments: Waiting.allCases, [false, true])
    func endsThroughAnotherContext(_ end: Waiting, isTimeout: Bool) async throws {
        let contexts = Trace<Relux.SagaContext>()
        let replacement = Part<TagA>(states: [Counter<TagA>()], dependencies: [Log.Module()])
        let store = try await makeStore(
            WorkSaga { [trace] _, context in
                contexts.note(context)
                if isTimeout {
                    try? await context.timeout(after: .seconds(86_400)) { [trace] _ in
                        try await end(context, by: replacement)
                        trace.note("returned")
                    }
                } else {
                    try? await context.perform(Errand())
                }
                trace.note("ended")
            },
            ClosureSaga<Errand> { [trace] _, _ in
                guard let performer = contexts.entries.first else { return }
                try await end(performer, by: replacement)
                trace.note("returned")
            }
        )

        let performing = await world.settle { await ReluxTests.Ending.of { try await store.perform(Work()) } }

        try #require(trace.entries == ["returned", "ended"])
        #expect(try await performing.value == (end == .reset ? .returned : .cancelled))
    }

    @Test("A run of another module that unregisters a module continues")
    func sparesOtherModules() async throws {
        let store = try await makeStore(deaf())
        try await store.register(
            Part<TagB>(
                flows: [
                    QuestionFlow { [trace] _, context in
                        await context.unregister(Part<TagA>.self)
                        trace.note("returned")
                        await context.dispatch(Counter<TagB>.Add())
                        return 1
                    }
                ],
                dependencies: [Part<TagC>(states: [Counter<TagB>()])]
            )
        )
        await world.settle { await store.dispatch(Work()) }

        let asking = await world.settle { try await store.perform(Question()) }
        #expect(trace.entries == [])
        gate.open()
        await world.rest()

        #expect(try await asking.value == 1)
        #expect(trace.entries == ["ran work", "returned"])
        #expect(await store.count(of: TagB.self) == 1)
    }
}

/// Gives the sagas of a store's modules access to that store.
final class Reference: Sendable {
    private let contents = Lock<Relux.Store?>(nil)

    var store: Relux.Store? {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Reset", .timeLimit(.minutes(10)))
struct ResetTests: Staged {
    private let world = SeededExecutor(seed: 6)
    let scene = Scene()

    @Test("states return to the values that they were registered with, whatever the configuration says")
    func returnsToInitialValues() async throws {
        let store = try await Relux.Store(.init(states: [Counter<TagB>(value: 7)], observers: [observer])) {
            Part<TagA>.counting(from: 1)
            Part<TagB>.counting(from: 2)
        }
        await store.dispatch {
            Counter<TagA>.Add(amount: 10)
            Counter<TagB>.Add(amount: 10)
        }

        await store.reset()

        #expect(await store.count(of: TagA.self) == 1)
        #expect(await store.count(of: TagB.self) == 2)
        #expect(
            observer.trace.entries.last
                == "reset [ReluxTests.Counter<ReluxTests.TagA>, ReluxTests.Counter<ReluxTests.TagB>]")
        #expect(await store.dispatch(Counter<TagA>.Add()).sequence == 3)
    }

    @Test("kept states keep their values and wake no reader, others are restored and do, and runs end nevertheless")
    func keepsStates() async throws {
        let store = Relux.Store(.init(executor: world))
        let late = WorkSaga { [gate] _, context in
            await gate.pass()
            await context.dispatch(Counter<TagA>.Add(amount: 100))
        }
        try await store.register(Part<TagA>(states: [Counter<TagA>()], sagas: [late]), Part<TagB>.counting())
        await store.dispatch(Counter<TagA>.Add())
        await store.dispatch(Counter<TagB>.Add())
        await world.settle { [trace] in
            for await value in store.values(of: Counter<TagA>.self) { trace.note("a\(value.value)") }
        }
        await world.settle { [trace] in
            for await value in store.values(of: Counter<TagB>.self) { trace.note("b\(value.value)") }
        }
        await world.settle { await store.dispatch(Work()) }

        await world.settle { await store.reset(except: [Counter<TagA>.self, Counter<TagD>.self]) }
        await world.open(gate)

        #expect(trace.entries == ["a1", "b1", "b0"])
        #expect(await store.count(of: TagA.self) == 1)
        #expect(await store.count(of: TagB.self) == 0)
        await store.shutdown()
        await world.rest()
    }

    @Test("watchers restart, including those that had ended or thrown, once the old one has ended")
    func restartsWatchers() async throws {
        let starts = Trace<String>()
        let gate = gate
        let store = Relux.Store(.init(executor: world))
        try await store.register(
            Part<TagA>(
                watchers: [
                    ClosureWatcher { _ in
                        starts.note("deaf")
                        await gate.pass()
                    },
                    ClosureWatcher { _ in
                        starts.note("throwing")
                        throw TestFailure()
                    },
                    ClosureWatcher { _ in starts.note("ending") },
                    ClosureWatcher { context in
                        starts.note("listening")
                        for await _ in context.actionStream(of: Tick.self) {}
                    },
                ]
            )
        )
        await world.rest()
        #expect(starts.entries.sorted() == ["deaf", "ending", "listening", "throwing"])

        await world.settle { await store.reset() }
        #expect(
            starts.entries.sorted() == ["deaf", "ending", "ending", "listening", "listening", "throwing", "throwing"])
        await world.open(gate)

        #expect(starts.entries.filter { $0 == "deaf" }.count == 2)
        #expect(starts.entries.count == 8)
    }

    @Test("a watcher that resets continues and isn't restarted")
    func sparesTheWatcher() async throws {
        let store = Relux.Store(.init(executor: world, observers: [observer]))
        try await store.register(
            Part<TagA>(
                states: [Counter<TagA>()],
                watchers: [
                    ClosureWatcher(listens: [Tick.self]) { [trace] context in
                        trace.note("start")
                        for await _ in context.actionStream(of: Tick.self) {
                            await context.dispatch(Counter<TagA>.Add(amount: 100))
                            await context.reset()
                            await context.dispatch(Counter<TagA>.Add())
                        }
                        trace.note("end")
                    }
                ]
            )
        )

        for _ in 1...3 { await world.settle { await store.dispatch(Tick()) } }

        #expect(trace.entries == ["start"])
        #expect(observer.trace.entries.filter { $0.hasPrefix("start") || $0.hasPrefix("end") } == ["start 1"])
        #expect(await store.count(of: TagA.self) == 1)
    }

    @Test("if two runs reset at the same time, one continues, the other is ended, and neither waits forever")
    func resetsCross() async throws {
        for seed in 0..<50 {
            let world = SeededExecutor(seed: UInt64(seed))
            let observer = TraceObserver()
            let store = Relux.Store(.init(executor: world, observers: [observer]))
            try await store.register(
                WorkSaga { work, context in
                    await context.reset()
                    await context.dispatch(Log.Action.add(work.name))
                }.module()
            )

            await world.settle {
                for name in ["a", "b"] { await store.dispatch(Work(name: name)) }
            }

            let ends = observer.trace.entries.filter { $0.hasPrefix("end") }
            let entries = try await store.state(of: Log.self).entries
            #expect(ends.count == 2)
            #expect(
                entries.count == 1 || ends.allSatisfy { $0.hasSuffix("finished") }, "seed \(seed): \(ends) \(entries)")
        }
    }

    @Test("many concurrent resets all return, and later actions are kept")
    func manyResets() async throws {
        let store = try await Relux.Store {
            Part<TagA>(
                states: [Counter<TagA>()],
                sagas: [WorkSaga { _, context in await context.dispatch(Counter<TagA>.Add()) }]
            )
        }

        await withDiscardingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    if number % 2 == 0 { await store.reset() } else { _ = try? await store.perform(Work()) }
                }
            }
        }
        await store.reset()
        try await store.perform(Work())

        #expect(await store.count(of: TagA.self) == 1)
        #expect(await store.leftovers() == [:])
    }

    @Test("sparing nobody, it ends the calling run and the runs that await it, without waiting for them")
    func sparingNobody() async throws {
        let ended = Trace<String>()
        let store = try await Relux.Store(.init(observers: [TraceObserver()])) {
            WorkSaga { _, context in
                await context.reset(sparing: .nobody)
                ended.note("returned, cancelled: \(Task.isCancelled)")
                await context.dispatch(Log.Action.add("late"))
            }.module(
                ClosureSaga<Errand> { _, context in
                    _ = await Ending.of { try await context.perform(Work()) }
                    await context.dispatch(Log.Action.add("late"))
                }
            )
        }

        let ending = await Ending.of { try await store.perform(Errand()) }

        #expect(ending == .cancelled)
        #expect(ended.entries == ["returned, cancelled: true"])
        #expect(try await store.log() == [])
    }

    @Test("from outside, sparing nobody is the same as sparing the caller")
    func sparingNobodyOutside() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let job = await jobs.performing("a", .concurrent)
        await jobs.arrival(of: "a")

        async let reset: Void = jobs.store.reset(sparing: .nobody)
        _ = await jobs.store.values(of: Log.self).first { $0.entries.isEmpty }
        jobs.release("a")
        await reset

        #expect(await job.value == .cancelled)
    }

    @Test("sparing nobody, a watcher that resets restarts, too")
    func restartsTheCaller() async throws {
        let (starts, isOver) = (Trace<String>(), Gate())
        let watcher = ClosureWatcher { context in
            starts.note("start")
            if starts.entries.count > 1 { return isOver.open() }
            await context.reset(sparing: .nobody)
        }
        let store = try await Relux.Store { SagaModule(watchers: [watcher]) }

        await isOver.pass()
        await store.shutdown()

        #expect(starts.entries == ["start", "start"])
    }
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Each of these tests would hang without the law.
@Suite("Law 12: no hidden deadlock", .timeLimit(.minutes(10)))
struct Law12DeadlockTests {
    @Test("a serial run that performs its own lane immediately gets an error that names both runs")
    func serialSelfPerform() async throws {
        let (store, observer) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, context in
                guard work.name == "outer" else { return }
                let ending = await Ending.of { try await context.perform(Work(name: "inner")) }
                await context.dispatch(Log.Action.add("\(ending)"))
            }
        )

        let ending = await Ending.of { try await store.perform(Work(name: "outer")) }

        #expect(ending == .returned)
        #expect(try await store.log() == ["\(Ending.cycle(waiting: "outer", on: "inner"))"])
        let cycle = try #require(observer.refusals.entries.first?.cycle)
        #expect(cycle.waiting.id == 1)
        #expect(cycle.on.id == 2)
        #expect(!observer.trace.entries.contains("start 2"))
    }

    /// What a run performs by.
    enum Way: CaseIterable, Sendable {
        case context, store, dispatcher

        func perform(_ work: Work, _ context: Relux.SagaContext, _ store: Relux.Store?) async throws {
            switch self {
            case .context: try await context.perform(work)
            case .store: try await store?.perform(work)
            case .dispatcher: try await store?.dispatcher.perform(work)
            }
        }
    }

    /// What starts a run.
    enum Start: CaseIterable, Sendable {
        case dispatch, send, perform

        func submit(_ work: Work, to store: Relux.Store) async throws {
            switch self {
            case .dispatch: await store.dispatch(work)
            case .send: store.send(work)
            case .perform: try await store.perform(work)
            }
        }
    }

    // It used to get the error of a cycle, although nothing waited.
    @Test(
        "a serial run can perform its own lane in a task that it doesn't await: the performed run starts afterwards",
        arguments: Way.allCases, Start.allCases
    )
    func leftToATask(way: Way, start: Start) async throws {
        let endings = Trace<Task<Ending, Never>>()
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [observer]))
        try await store.register(
            WorkSaga(policy: .serial) { [weak store] work, context in
                if work.name == "outer" {
                    let works = context.actionStream(of: Work.self)
                    endings.note(
                        Task { [store] in
                            await Ending.of { try await way.perform(Work(name: "inner"), context, store) }
                        }
                    )
                    _ = await works.first { $0.name == "inner" }
                }
                await context.dispatch(Log.Action.add(work.name))
            }.module()
        )

        try await start.submit(Work(name: "outer"), to: store)
        try await store.idle()

        #expect(await endings.entries.first?.value == .returned)
        #expect(try await store.log() == ["outer", "inner"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("what a serial run performs can perform that lane in a task that it doesn't await", arguments: Start.allCases)
    func leftToATaskOfAPerformedRun(start: Start) async throws {
        let endings = Trace<Task<Ending, Never>>()
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(sagas: [
                WorkSaga(policy: .serial) { work, context in
                    if work.name == "outer" { try await context.perform(Errand()) }
                    await context.dispatch(Log.Action.add(work.name))
                },
                ClosureSaga<Errand> { _, context in
                    let works = context.actionStream(of: Work.self)
                    endings.note(Task { await Ending.of { try await context.perform(Work(name: "inner")) } })
                    _ = await works.first { $0.name == "inner" }
                },
            ])
        }

        try await start.submit(Work(name: "outer"), to: store)
        try await store.idle()

        #expect(observer.refusals.entries.isEmpty)
        #expect(try await store.log().first == "outer")
        _ = await endings.entries.first?.value
    }

    /// What a run performs in, if it waits for it.
    enum Structure: CaseIterable, Sendable {
        case asyncLet, taskGroup, nestedTaskGroup, timeout

        func execute(
            _ context: Relux.SagaContext, _ body: @escaping @Sendable () async throws -> Void
        ) async throws {
            switch self {
            case .asyncLet:
                async let result: Void = body()
                try await result
            case .taskGroup:
                try await withThrowingTaskGroup { group in
                    group.addTask { try await body() }
                    try await group.waitForAll()
                }
            case .nestedTaskGroup:
                try await withThrowingTaskGroup { group in
                    group.addTask { try await Self.taskGroup.execute(context, body) }
                    try await group.waitForAll()
                }
            case .timeout:
                try await context.timeout(after: .seconds(1)) { _ in
                    try await withThrowingTaskGroup { group in
                        group.addTask { try await body() }
                        try await group.waitForAll()
                    }
                }
            }
        }
    }

    @Test(
        "a serial run that performs its own lane in a child task gets the error immediately",
        arguments: Structure.allCases,
        Start.allCases
    )
    func inAChildTask(structure: Structure, start: Start) async throws {
        let (store, _) = try await Self.store()
        try await store.register(
            Part<TagA>(sagas: [
                WorkSaga(policy: .serial) { [weak store] work, context in
                    guard work.name == "outer" else { return }
                    for way in Way.allCases {
                        let ending = await Ending.of {
                            try await structure.execute(context) { [store] in
                                try await way.perform(Work(name: "inner"), context, store)
                            }
                        }
                        guard case .cycle(_, on: "inner") = ending else {
                            await context.dispatch(Log.Action.add("\(way) \(ending)"))
                            continue
                        }
                        await context.dispatch(Log.Action.add("cycle"))
                    }
                }
            ])
        )

        try await start.submit(Work(name: "outer"), to: store)
        try await store.idle()

        #expect(try await store.log() == ["cycle", "cycle", "cycle"])
    }

    @Test("a cycle through another run is found: A performs B, which performs A's lane")
    func throughAnother() async throws {
        let (store, _) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, context in
                if work.name == "outer" { try await context.perform(Errand()) }
            },
            ClosureSaga<Errand> { _, context in try await context.perform(Work(name: "inner")) }
        )

        let ending = await Ending.of { try await store.perform(Work(name: "outer")) }

        #expect(ending == .cycle(waiting: "errand", on: "inner"))
    }

    @Test("a cycle is found even if the effect is performed through another run's context")
    func throughAnotherContext() async throws {
        let borrowed = Lock<Relux.SagaContext?>(nil)
        let gate = Gate()
        let (store, observer) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, _ in
                guard work.name == "outer", let context = borrowed.withLock({ $0 }) else { return }
                try await context.perform(Work(name: "inner"))
            },
            ClosureSaga<Errand> { _, context in
                borrowed.withLock { $0 = context }
                await gate.pass()
            }
        )
        await store.dispatch(Errand())
        await gate.arrivals()

        // The wait used to be recorded for the owner of the context, so nobody noticed that the lane waits for itself.
        let ending = await Ending.of { try await store.perform(Work(name: "outer")) }
        gate.open()

        #expect(ending == .cycle(waiting: "outer", on: "inner"))
        #expect(observer.refusals.entries.first?.cycle != nil)
    }

    @Test("a cycle through the body of a timeout is found")
    func throughATimeout() async throws {
        let (store, _) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, context in
                guard work.name == "outer" else { return }
                try await context.timeout(after: .seconds(60)) { try await $0.perform(Work(name: "inner")) }
            }
        )

        let ending = await Ending.of { try await store.perform(Work(name: "outer")) }

        #expect(ending == .cycle(waiting: "timeout", on: "inner"))
    }

    @Test("a cycle behind other queued runs is found")
    func behindOthers() async throws {
        let gate = Gate()
        let (store, _) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, context in
                guard work.name == "outer" else { return }
                await gate.pass()
                try await context.perform(Work(name: "inner"))
            }
        )
        let outer = Task { await Ending.of { try await store.perform(Work(name: "outer")) } }
        await gate.arrivals()
        await store.dispatch(Work(name: "queued"))

        gate.open()

        #expect(await outer.value == .cycle(waiting: "outer", on: "inner"))
        try await store.idle()
    }

    @Test("the result of actions contains the cycle if a run uses it on its own lane")
    func throughActions() async throws {
        let (store, observer) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, context in
                if work.name == "inner" { return context.send(Log.Action.add("inner")) }
                let result = await context.actions { Work(name: "inner") }
                await context.dispatch(Log.Action.add("\(result.endings)"))
            }
        )

        await store.dispatch(Work(name: "outer"))
        try await store.idle()

        // The inner run was only dispatched, so it runs once the outer one has ended.
        #expect(try await store.log() == ["\([Ending.cycle(waiting: "outer", on: "inner")])", "inner"])
        #expect(observer.refusals.entries.first?.cycle?.waiting.id == 1)
    }

    @Test("finished of a run on its own lane returns immediately and is reported")
    func throughFinished() async throws {
        let (store, observer) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, context in
                if work.name == "outer" { await context.dispatch(Work(name: "inner")).finished() }
                await context.dispatch(Log.Action.add(work.name))
            }
        )

        await store.dispatch(Work(name: "outer"))
        try await store.idle()

        #expect(try await store.log() == ["outer", "inner"])
        #expect(observer.refusals.entries.map { $0.cycle?.on.id } == [2])
    }

    @Test("idle is also refused in a run that another run performs, and in the body of a timeout")
    func throughIdleOfAChild() async throws {
        let store = Relux.Store()
        let errors = Trace<Relux.NotIdle.Reason>()
        try await store.register(
            SagaModule(sagas: [
                WorkSaga { _, context in try await context.perform(Errand()) },
                ClosureSaga<Errand> { [weak store] _, context in
                    try await context.timeout(after: .seconds(60)) { [weak store] _ in
                        do throws(Relux.NotIdle) { try await store?.idle() } catch { errors.note(error.reason) }
                    }
                },
            ])
        )

        try await store.perform(Work())

        #expect(errors.entries == [.calledFromRun(3)])
    }

    @Test("of two runs that wait for each other, the one that closes the cycle gets the error")
    func waitingForEachOther() async throws {
        let executor = SeededExecutor(seed: 1)
        let handles = Trace<Relux.Dispatched>()
        let (first, second) = (Gate(), Gate())
        let (store, observer) = try await Self.store(
            executor,
            WorkSaga { _, context in
                await first.pass()
                await handles.entries[1].finished()
                await context.dispatch(Log.Action.add("first"))
            },
            ClosureSaga<Errand> { _, context in
                await second.pass()
                await handles.entries[0].finished()
                await context.dispatch(Log.Action.add("second"))
            }
        )
        handles.note(await store.dispatch(Work()))
        handles.note(await store.dispatch(Errand()))

        first.open()
        await executor.rest()
        second.open()
        await executor.rest()
        try await store.idle()

        #expect(try await store.log() == ["second", "first"])
        let cycle = try #require(observer.refusals.entries.first?.cycle)
        #expect(cycle.waiting.id == 2)
        #expect(cycle.on.id == 1)
    }

    @Test(
        "a run that performs its own lane with latest supersedes itself: no cycle, and the child may reset the store"
    )
    func resetByTheSuccessor() async throws {
        let (store, observer) = try await Self.store(
            nil,
            WorkSaga(policy: .latest) { work, context in
                if work.name == "old" { return try await context.perform(Work(name: "new")) }
                // The old run awaits this one, which would wait for it here.
                await context.reset()
                await context.dispatch(Log.Action.add("new"))
            }
        )

        let ending = await Ending.of { try await store.perform(Work(name: "old")) }

        #expect(ending == .superseded)
        #expect(try await store.log() == ["new"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a run whose wait has ended is not part of a cycle", arguments: [false, true])
    func endedWait(isOfFirstRun: Bool) async throws {
        let executor = SeededExecutor(seed: 1)
        let (works, errands) = (Trace<Relux.Dispatched>(), Trace<Relux.Dispatched>())
        let (start, end) = (Gate(), Gate())
        let (store, observer) = try await Self.store(
            executor,
            WorkSaga { _, context in
                await start.pass()
                await errands.entries[0].finished()
                await context.dispatch(Log.Action.add("work"))
            },
            ClosureSaga<Errand> { _, _ in
                await withTaskGroup { group in
                    group.addTask { await works.entries[0].finished() }
                    await executor.rest()
                    group.cancelAll()
                }
                await end.pass()
            }
        )
        if isOfFirstRun { errands.note(await store.dispatch(Errand())) }
        works.note(await store.dispatch(Work()))
        if !isOfFirstRun { errands.note(await store.dispatch(Errand())) }
        await executor.rest()

        start.open()
        await executor.rest()
        end.open()
        await executor.rest()
        try await store.idle()

        #expect(try await store.log() == ["work"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a wait that is cut short by a cancellation no longer counts, whatever the order of what follows")
    func cutShort() async throws {
        for seed in 0..<20 as Range<UInt64> {
            let executor = SeededExecutor(seed: seed)
            let handles = Trace<Relux.Dispatched>()
            let start = Gate()
            let (store, observer) = try await Self.store(
                executor,
                WorkSaga { _, _ in
                    await start.pass()
                    await handles.entries[1].finished()
                },
                ClosureSaga<Errand> { _, _ in await handles.entries[0].finished() }
            )
            handles.note(await store.dispatch(Work()))
            handles.note(await store.dispatch(Errand()))
            await executor.rest()

            // The errand waits for the work until this cancellation. Its task has yet to notice.
            await store.cancel(ClosureSaga<Errand>.self)
            start.open()
            await executor.rest()
            try await store.idle()

            #expect(observer.refusals.entries.isEmpty, "seed \(seed)")
        }
    }

    @Test("two runs that wait for the same third run are not a cycle")
    func diamond() async throws {
        let executor = SeededExecutor(seed: 1)
        let handles = Trace<Relux.Dispatched>()
        let end = Gate()
        let (store, observer) = try await Self.store(
            executor,
            WorkSaga { _, context in
                async let left: Void = context.perform(Errand(name: "left"))
                async let right: Void = context.perform(Errand(name: "right"))
                _ = try await (left, right)
                await context.dispatch(Log.Action.add("top"))
            },
            ClosureSaga<Errand> { errand, context in
                await handles.entries[0].finished()
                await context.dispatch(Log.Action.add(errand.name))
            },
            ClosureSaga<Chore> { _, context in
                await end.pass()
                await context.dispatch(Log.Action.add("bottom"))
            }
        )
        handles.note(await store.dispatch(Chore()))
        await store.dispatch(Work())
        await executor.rest()

        end.open()
        await executor.rest()
        try await store.idle()

        let log = try await store.log()
        #expect(log.first == "bottom")
        #expect(log.last == "top")
        #expect(log.count == 4)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a run that performs another lane of its saga waits for it as long as necessary")
    func anotherLane() async throws {
        let store = try await Relux.Store {
            ClosureSaga<Job>(policy: \.policy) { job, context in
                if job.name == "outer" { try await context.perform(Job("inner", .serial(id: 2))) }
                await context.dispatch(Log.Action.add(job.name))
            }.alone
        }

        try await store.perform(Job("outer", .serial(id: 1)))

        #expect(try await store.log() == ["inner", "outer"])
    }

    @Test("a refused wait affects neither the lane nor later waits of the run")
    func afterARefusal() async throws {
        let (store, _) = try await Self.store(
            nil,
            WorkSaga(policy: .serial) { work, context in
                if work.name == "outer" {
                    _ = await Ending.of { try await context.perform(Work(name: "inner")) }
                    try await context.perform(Errand())
                }
                await context.dispatch(Log.Action.add(work.name))
            },
            ClosureSaga<Errand> { _, context in await context.dispatch(Log.Action.add("errand")) }
        )

        try await store.perform(Work(name: "outer"))
        try await store.perform(Work(name: "next"))

        #expect(try await store.log() == ["errand", "outer", "next"])
    }

    // MARK: Fixtures

    private static func store(
        _ executor: SeededExecutor? = nil, _ sagas: any Relux.Saga...
    ) async throws -> (Relux.Store, TraceObserver) {
        let observer = TraceObserver()
        let store = try await Relux.Store(
            .init(clock: ManualClock(), executor: executor, observers: [observer])
        ) {
            SagaModule(sagas: sagas)
        }
        return (store, observer)
    }
}

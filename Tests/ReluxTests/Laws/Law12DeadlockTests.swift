import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Each of these tests would hang without the law.
@Suite("Law 12: no hidden deadlock", .timeLimit(.minutes(10)))
struct Law12DeadlockTests: Staged {
    let scene = Scene()
    private let world = SeededExecutor(seed: 1)

    private func observed(_ sagas: any Relux.Saga..., executor: SeededExecutor? = nil) async throws -> Relux.Store {
        try await makeStore(executor: executor, observers: [observer], sagas: sagas)
    }

    /// A serial saga whose outer run does something, and whose runs log their names.
    private func serialWork(
        outer: @escaping @Sendable (Relux.SagaContext) async throws -> Void
    ) -> WorkSaga {
        WorkSaga(policy: .serial) { work, context in
            if work.name == "outer" { try await outer(context) }
            await context.dispatch(Log.Action.add(work.name))
        }
    }

    private static let outer = Work(name: "outer")
    private static let inner = Work(name: "inner")
    /// How a serial run comes to wait for its own lane.
    enum Detour: CaseIterable, Sendable {
        case none, anotherRun, anotherContext, timeout, queuedRun
    }

    // Through the context of another run, the wait used to be recorded for the owner of the context, so nobody noticed
    // that the lane waits for itself.
    @Test(
        "a serial run that performs its own lane immediately gets an error that names both runs, whatever is between",
        arguments: zip(Detour.allCases, ["outer", "errand", "outer", "timeout", "outer"]))
    func cycles(detour: Detour, waiting: String) async throws {
        let borrowed = Trace<Relux.SagaContext>()
        let store = try await observed(
            serialWork { context in
                switch detour {
                case .none: try await context.perform(Self.inner)
                case .anotherRun: try await context.perform(Errand())
                case .anotherContext: try await borrowed.entries[0].perform(Self.inner)
                case .timeout: try await context.timeout(after: .seconds(60)) { try await $0.perform(Self.inner) }
                case .queuedRun:
                    await context.dispatch(Work(name: "queued"))
                    try await context.perform(Self.inner)
                }
            },
            ClosureSaga<Errand> { _, context in
                guard detour == .anotherContext else { return try await context.perform(Self.inner) }
                borrowed.note(context)
                await gate.pass()
            }
        )
        if detour == .anotherContext {
            await dispatching(Errand(), in: store)
        }

        let ending = await Ending.of { try await store.perform(Self.outer) }

        #expect(ending == .cycle(waiting: waiting, on: "inner"))
        #expect(observer.refusals.entries.compactMap(\.cycle).count == 1)
        // The inner run was withdrawn.
        #expect(try await finalLog(of: store) == (detour == .queuedRun ? ["queued"] : []))
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

    /// The run that leaves the task behind, if it isn't the serial one itself.
    private enum Around: CaseIterable { case nothing, performed, awaited, added }

    // It used to get the error of a cycle, although nothing waited.
    @Test(
        "a serial run, or one that it awaits, can perform its lane in a task that it doesn't await: that run starts later",
        arguments: Way.allCases, Start.allCases
    )
    func leftToATask(way: Way, start: Start) async throws {
        for around in way == .context ? Around.allCases : [.nothing] {
            let endings = Trace<Task<Ending, Never>>()
            let leave: @Sendable (Relux.SagaContext) async -> Void = { context in
                let works = context.actionStream(of: Work.self)
                endings.note(Task { await Ending.of { try await way.perform(Self.inner, context, link.store) } })
                _ = await works.first { $0 == Self.inner }
            }
            let store = try await observed(
                serialWork { context in
                    switch around {
                    case .nothing: await leave(context)
                    case .performed: try await context.perform(Errand())
                    case .awaited: await context.actions { Errand() }
                    case .added: try await context.perform(Chore())
                    }
                },
                ClosureSaga<Chore> { _, _ in }, ClosureSaga<Errand> { await leave($1) }
            )
            let rule = Relux.Rule(on: Chore.self) { _, _ in [Errand()] }
            try await store.register(Part<TagD>(rules: [rule]))

            try await start.submit(Self.outer, to: store)
            try await store.idle()

            let ending = await endings.entries.first?.value
            let log = try await store.log()
            #expect(log.first == "outer")
            // The context of another run ends with that.
            if around == .nothing {
                #expect(ending == .returned)
                #expect(log == ["outer", "inner"])
            }
            #expect(observer.refusals.entries.isEmpty)
        }
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
                try await context.timeout(after: .seconds(1)) { try await Self.taskGroup.execute($0, body) }
            }
        }
    }

    @Test(
        "a serial run that performs its own lane in a child task gets the error at once, and can wait for others later",
        arguments: Structure.allCases, Start.allCases)
    func inAChildTask(structure: Structure, start: Start) async throws {
        let store = try await observed(
            serialWork { context in
                for way in Way.allCases {
                    let ending = await Ending.of {
                        try await structure.execute(context) {
                            try await way.perform(Self.inner, context, link.store)
                        }
                    }
                    let isCycle = if case .cycle(_, on: "inner") = ending { true } else { false }
                    await context.dispatch(Log.Action.add(isCycle ? "cycle" : "\(way) \(ending)"))
                }
                try await context.perform(Errand())
            },
            ClosureSaga<Errand> { _, context in await context.dispatch(Log.Action.add("errand")) }
        )

        try await start.submit(Self.outer, to: store)
        try await store.perform(Work(name: "next"))

        #expect(try await store.log() == ["cycle", "cycle", "cycle", "errand", "outer", "next"])
    }

    @Test("actions on the own lane result in the cycle, finished returns immediately, and both are reported")
    func dispatchedInner() async throws {
        let store = try await observed(
            serialWork { context in
                let result = await context.actions { Self.inner }
                await context.dispatch(Log.Action.add("\(result.endings)"))
                await context.dispatch(Self.inner).finished()
            }
        )

        await store.dispatch(Self.outer)
        try await store.idle()

        // The inner runs were only dispatched, so they run once the outer one has ended.
        let cycle = "\([Ending.cycle(waiting: "outer", on: "inner")])"
        #expect(try await store.log() == [cycle, "outer", "inner", "inner"])
        #expect(observer.refusals.entries.map { $0.cycle?.waiting.id } == [1, 1])
        #expect(observer.refusals.entries.map { $0.cycle?.on.id } == [2, 3])
    }

    @Test(
        "idle is also refused in a run that another run performs, in the body of a timeout, and in a finished run",
        arguments: [false, true])
    func throughIdle(isFinished: Bool) async throws {
        let errors = Trace<Relux.NotIdle.Reason>()
        let waitForIdleness: @Sendable () async -> Void = {
            do throws(Relux.NotIdle) { try await link.store?.idle() } catch { errors.note(error.reason) }
        }
        let store = try await observed(
            WorkSaga { _, context in
                guard isFinished else { return try await context.perform(Errand()) }
                await context.finish(with: Log.Action.add("finished"))
                await waitForIdleness()
            },
            ClosureSaga<Errand> { _, context in
                try await context.timeout(after: .seconds(60)) { _ in await waitForIdleness() }
            }
        )

        try await store.perform(Work())

        #expect(errors.entries == [.calledFromRun(isFinished ? 1 : 3)])
    }

    @Test(
        "of two runs that wait for each other, the one that closes the cycle gets the error, even if the other finished",
        arguments: [false, true])
    func waitingForEachOther(isFirstFinished: Bool) async throws {
        let (handles, endings) = (Trace<Relux.Dispatched>(), Trace<[Ending]>())
        let second = Gate()
        let store = try await observed(
            WorkSaga { _, context in
                if isFirstFinished { await context.finish {} }
                await gate.pass()
                await handles.entries[1].finished()
                trace.note("first")
            },
            ClosureSaga<Errand> { _, _ in
                await second.pass()
                endings.note(await handles.entries[0].outcome().endings)
                trace.note("second")
            },
            executor: world
        )
        handles.note(await store.dispatch(Work()))
        handles.note(await store.dispatch(Errand()))

        await world.open(gate)
        await world.open(second)
        try await store.idle()

        #expect(trace.entries == ["second", "first"])
        #expect(endings.entries == [[.cycle(waiting: "errand", on: "work")]])
        let cycle = try #require(observer.refusals.entries.first?.cycle)
        #expect(cycle.waiting.id == 2)
        #expect(cycle.on.id == 1)
    }

    @Test(
        "a run that performs its own lane with latest supersedes itself: no cycle, and the child may reset the store"
    )
    func resetByTheSuccessor() async throws {
        let store = try await observed(
            WorkSaga(policy: .latest) { work, context in
                if work == Self.outer { return try await context.perform(Self.inner) }
                // The old run awaits this one, which would wait for it here.
                await context.reset()
                await context.dispatch(Log.Action.add("inner"))
            }
        )

        let ending = await Ending.of { try await store.perform(Self.outer) }

        #expect(ending == .superseded)
        #expect(try await store.log() == ["inner"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a run whose wait has ended is not part of a cycle", arguments: [false, true])
    func endedWait(isOfFirstRun: Bool) async throws {
        let (works, errands) = (Trace<Relux.Dispatched>(), Trace<Relux.Dispatched>())
        let start = Gate()
        let store = try await observed(
            WorkSaga { _, context in
                await start.pass()
                await errands.entries[0].finished()
                await context.dispatch(Log.Action.add("work"))
            },
            ClosureSaga<Errand> { _, _ in
                await withTaskGroup { group in
                    group.addTask { await works.entries[0].finished() }
                    await world.rest()
                    group.cancelAll()
                }
                await gate.pass()
            },
            executor: world
        )
        if isOfFirstRun { errands.note(await store.dispatch(Errand())) }
        works.note(await store.dispatch(Work()))
        if !isOfFirstRun { errands.note(await store.dispatch(Errand())) }
        await world.rest()

        await world.open(start)
        await world.open(gate)

        #expect(try await finalLog(of: store) == ["work"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test(
        "a wait that is cut short by a cancellation no longer counts, whatever the order of what follows",
        arguments: 0..<20 as Range<UInt64>)
    func cutShort(seed: UInt64) async throws {
        let executor = SeededExecutor(seed: seed)
        let handles = Trace<Relux.Dispatched>()
        let store = try await observed(
            WorkSaga { _, _ in
                await gate.pass()
                await handles.entries[1].finished()
            },
            ClosureSaga<Errand> { _, _ in await handles.entries[0].finished() },
            executor: executor
        )
        handles.note(await store.dispatch(Work()))
        handles.note(await store.dispatch(Errand()))
        await executor.rest()

        // The errand waits for the work until this cancellation. Its task has yet to notice.
        await store.cancel(ClosureSaga<Errand>.self)
        await executor.open(gate)
        try await store.idle()

        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("two runs that wait for the same third run are not a cycle")
    func diamond() async throws {
        let handles = Trace<Relux.Dispatched>()
        let store = try await observed(
            WorkSaga { work, context in
                async let left: Void = context.perform(Errand(name: "left"))
                async let right: Void = context.perform(Errand(name: "right"))
                _ = try await (left, right)
                await context.dispatch(Log.Action.add("top"))
            },
            ClosureSaga<Errand> { errand, context in
                await handles.entries[0].finished()
                await context.dispatch(Log.Action.add(errand.name))
            },
            ClosureSaga<Chore> { await logBehindGate($0, $1) },
            executor: world
        )
        handles.note(await store.dispatch(Chore(name: "bottom")))
        await world.settle { await store.dispatch(Work()) }

        await world.open(gate)
        let log = try await finalLog(of: store)

        #expect(log.first == "bottom")
        #expect(log.last == "top")
        #expect(log.count == 4)
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a run that performs another lane of its saga waits for it as long as necessary")
    func anotherLane() async throws {
        try await play(
            [.perform("outer", .serial(id: 1))], inner: .serial(id: 2), log: ["outer+", "inner+", "inner-", "outer-"])
    }

    @Test(
        "a finished run can wait for a later run of its lane, which doesn't wait for it",
        arguments: [Relux.Policy.serial, .leading, .shared, .latest, .conflated, .concurrent(limit: 1)])
    func ownLane(policy: Relux.Policy) async throws {
        let store = try await makeStore(policy) { work, context in
            if work.name == "outer" {
                await context.finish(with: Work(name: "inner")).finished()
                #expect(await Ending.of { try await context.perform(Work(name: "late")) } == .cancelled)
            } else {
                await context.finish(with: Log.Action.add(work.name))
            }
        }

        try await store.perform(Work(name: "outer"))

        #expect(try await store.log() == ["inner"])
    }
}

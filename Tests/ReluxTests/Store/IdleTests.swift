import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Idle", .timeLimit(.minutes(10)))
struct IdleTests: Staged {
    private let world = SeededExecutor(seed: 9)
    let scene = Scene()

    private func makeStore(_ module: any Relux.Module) async throws -> Relux.Store {
        let store = Relux.Store(.init(clock: clock, executor: world, observers: [observer]))
        link.connect(to: store)
        try await store.register(module)
        return store
    }

    private func deaf(_ policy: Relux.Policy = .concurrent) -> SagaModule {
        WorkSaga(policy: policy) { [gate] _, _ in await gate.pass() }.module()
    }

    /// Waits for the store to become idle and records the result.
    private func awaitIdleness(of store: Relux.Store, within limit: Duration? = nil) async -> Task<Void, any Error> {
        await world.settle { [trace] in
            do throws(Relux.NotIdle) {
                try await store.idle(within: limit)
                trace.note("idle")
            } catch {
                trace.note(error.description)
            }
        }
    }

    @Test(
        "active, queued, pending, and dying runs count as busy",
        arguments: [
            (Relux.Policy.concurrent, false), (.serial, false), (.debounce(.seconds(1)), false), (.concurrent, true),
        ])
    func runsCount(_ policy: Relux.Policy, isCancelled: Bool) async throws {
        let store = try await makeStore(deaf(policy))
        await world.settle {
            for _ in 1...2 { await store.dispatch(Work()) }
        }
        if isCancelled { await store.cancel(WorkSaga.self) }

        _ = await awaitIdleness(of: store)

        #expect(trace.entries == [])
        await world.open(gate)
        await clock.advance(by: .seconds(1))
        await world.rest()
        #expect(trace.entries == ["idle"])
    }

    @Test("a run's sends count: the store isn't idle between a run and the sends that it made")
    func sendsOfRunsCount() async throws {
        let store = try await makeStore(
            WorkSaga { [gate] work, context in
                guard let left = Int(work.name), left > 0 else { return }
                await gate.pass()
                context.send(Work(name: "\(left - 1)"))
            }.module()
        )
        await world.settle { await store.dispatch(Work(name: "10")) }
        let idle = await awaitIdleness(of: store)

        await world.open(gate)

        try await idle.value
        #expect(await store.dispatch(Work(name: "0")).sequence == 12)
    }

    @Test("watchers don't count but what they perform does, and a watcher may itself wait for idleness")
    func watchersDoNotCount() async throws {
        let gate = gate
        let store = try await makeStore(
            SagaModule(
                sagas: [WorkSaga { _, _ in await gate.pass() }],
                watchers: [
                    ClosureWatcher(listens: [Tick.self]) { context in
                        for await _ in context.actionStream(of: Tick.self) { try await context.perform(Work()) }
                    },
                    ClosureWatcher(listens: [Log.Action.self]) { [link, trace] context in
                        for await _ in context.actionStream(of: Log.Action.self) {
                            try await link.store?.idle()
                            trace.note("watcher")
                        }
                    },
                ]
            )
        )
        _ = await awaitIdleness(of: store)
        #expect(trace.entries == ["idle"])

        await world.settle { await store.dispatch(Tick()) }
        await world.settle { await store.dispatch(Log.Action.add("idle")) }
        _ = await awaitIdleness(of: store)
        #expect(trace.entries == ["idle"])
        await world.open(gate)

        #expect(trace.entries.sorted() == ["idle", "idle", "watcher"])
    }

    @Test("after the limit, the error names each busy run, its standing, and what it waits for")
    func limit() async throws {
        let gate = gate
        let store = try await makeStore(
            Part<TagA>(
                sagas: [
                    WorkSaga(policy: .serial) { _, _ in await gate.pass() },
                    ClosureSaga<Tick>(policy: { _ in .debounce(.seconds(10)) }) { _, _ in },
                ],
                flows: [
                    QuestionFlow { _, context in
                        try await context.perform(Work())
                        return 1
                    }
                ]
            )
        )
        await world.settle { await store.dispatch(Work(), fileID: "App/Here.swift", line: 1) }
        await world.settle { await store.dispatch(Question(), fileID: "App/Here.swift", line: 2) }
        await world.settle { await store.dispatch(Tick(), fileID: "App/Here.swift", line: 3) }
        await world.settle { await store.dispatch(Tick(), fileID: "App/Here.swift", line: 4) }
        _ = await awaitIdleness(of: store, within: .seconds(3))
        #expect(trace.entries == [])

        await clock.advance(by: .milliseconds(2_999))
        await world.rest()
        #expect(trace.entries == [])
        await clock.advance(by: .milliseconds(1))
        await world.rest()

        let lines = trace.entries.joined().split(separator: "\n").map(String.init)
        #expect(lines.first == "The store wasn't idle within 3 s.")
        #expect(
            lines.dropFirst().map { $0.replacing(/ReluxTests\/IdleTests\.swift:\d+/, with: "here") } == [
                "  WorkSaga #1 (active), triggered at App/Here.swift:1",
                "  QuestionFlow #2 (active), triggered at App/Here.swift:2, waits for WorkSaga #3",
                "  WorkSaga #3 (queued), triggered at here, waits for WorkSaga #1",
                "  ClosureSaga<Tick> #5 (pending), triggered at App/Here.swift:4",
            ]
        )
        gate.open()
        await clock.advance(by: .seconds(60))
        await world.rest()
    }

    @Test("a store that becomes idle in time doesn't throw, and leaves no timer")
    func inTime() async throws {
        let store = try await makeStore(deaf())
        await world.settle { await store.dispatch(Work()) }
        _ = await awaitIdleness(of: store, within: .seconds(3))

        await world.open(gate)

        #expect(trace.entries == ["idle"])
        #expect(clock.sleepers.isEmpty)
        // An idle store needs no time at all.
        try await store.idle(within: .zero)
    }

    @Test("a cancelled wait ends immediately with an error, and leaves nothing behind")
    func cancelled() async throws {
        let store = try await makeStore(deaf())
        await world.settle { await store.dispatch(Work(), fileID: "App/Here.swift", line: 1) }
        let waiting = await awaitIdleness(of: store, within: .seconds(3))

        waiting.cancel()
        await world.rest()

        #expect(
            trace.entries == [
                "The wait for the store to become idle was cancelled.\n"
                    + "  WorkSaga #1 (active), triggered at App/Here.swift:1"
            ]
        )
        #expect(await store.leftovers()["idlers"] == nil)
        #expect(clock.sleepers.isEmpty)
        await world.open(gate)
    }

    /// What makes a later trigger wait for the run that came before it.
    enum Relation: CaseIterable, Sendable {
        case queued, joined

        var policy: Relux.Policy { self == .queued ? .serial : .shared }
    }

    // Neither run ever ended: the one in the background isn't busy itself, so its wait was thought to be possible.
    @Test(
        "a background run can't wait for idleness, once or twice, while another trigger waits for it, whichever came first",
        arguments: Relation.allCases, [(true, 1), (true, 2), (false, 1), (false, 2)])
    func triggersBehindTheWaiter(relation: Relation, waits: (isFirst: Bool, count: Int)) async throws {
        let (waitsFirst, count) = waits
        let run: UInt64 = waitsFirst ? 2 : 1
        let store = try await makeWaitingStore(count, after: waitsFirst ? nil : gate)
        if waitsFirst { await world.settle { await store.dispatch(Work()) } }

        await world.settle { await store.dispatch(Job("first", relation.policy.background)) }
        let before = trace.entries
        await world.settle { await store.dispatch(Job("second", relation.policy)) }
        if !waitsFirst { gate.open() }
        await world.rest()
        let after = trace.entries
        await world.open(gate)

        #expect(before == [])
        #expect(
            after
                == Array(repeating: "calledFromRun(\(run))", count: count) + (relation == .queued ? ["second"] : []))
        let cycle = try #require(observer.refusals.entries.first?.cycle)
        #expect([cycle.waiting.id, cycle.on.id] == [run, run])
        #expect(observer.refusals.entries.count == count)
        try await store.idle()
        #expect(await store.leftovers().isEmpty)
    }

    /// A store with a job that waits for idleness, and with work that keeps the store busy.
    ///
    /// - Parameters:
    ///   - count: How often the job waits at the same time. What each wait throws is traced, as are other jobs.
    ///   - start: Where the job waits before.
    private func makeWaitingStore(_ count: Int = 1, after start: Gate? = nil) async throws -> Relux.Store {
        try await makeStore(
            SagaModule(sagas: [
                ClosureSaga<Job>(policy: \.policy) { [trace, link] job, _ in
                    guard job.name == "first" else { return trace.note(job.name) }
                    await start?.pass()
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 1...count {
                            group.addTask {
                                do throws(Relux.NotIdle) {
                                    try await link.store?.idle()
                                    trace.note("idle")
                                } catch {
                                    trace.note("\(error.reason)")
                                }
                            }
                        }
                    }
                },
                WorkSaga { [gate] _, _ in await gate.pass() },
            ])
        )
    }

    @Test("a run that is superseded while it waits for idleness is cancelled, and no cycle is reported")
    func supersededWaiter() async throws {
        let store = try await makeWaitingStore()
        await world.settle { await store.dispatch(Work()) }
        await world.settle { await store.dispatch(Job("first", .latest.background)) }

        await world.settle {
            await store.dispatch {
                Job("second", .latest.background)
                Job("third", .serial)
            }
        }

        #expect(trace.entries.sorted() == ["cancelled", "second", "third"])
        #expect(observer.refusals.entries.isEmpty)
        await world.open(gate)
        #expect(await store.leftovers().isEmpty)
    }

    @Test("a wait that ends too late names what is still busy, or finds the store idle")
    func limitAtTheEnd() async throws {
        var results: Set<String> = []
        for seed in 0..<50 as Range<UInt64> {
            let (world, clock, gate) = (SeededExecutor(seed: seed), ManualClock(), Gate())
            let store = Relux.Store(.init(clock: clock, executor: world))
            try await store.register(WorkSaga { _, _ in await gate.pass() }.module())
            await world.settle { await store.dispatch(Work()) }
            let waiting = await world.settle { try await store.idle(within: .seconds(3)) }

            gate.open()
            await clock.advance(by: .seconds(3))
            await world.rest()

            switch await waiting.result {
            case .success: results.insert("idle")
            case .failure(let error):
                results.insert("late")
                #expect((error as? Relux.NotIdle)?.busy.isEmpty == false, "seed \(seed)")
            }
        }
        #expect(results == ["idle", "late"])
    }
}

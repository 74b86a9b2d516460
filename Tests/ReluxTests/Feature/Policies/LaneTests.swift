import Relux
import TestFixtures
import Testing

@Suite("Law 9: lanes that several sagas name", .timeLimit(.minutes(10)))
struct LaneTests {
    private let gate = Gate()
    private let lane = Relux.Lane("session")

    /// A store whose sagas for work and errands have the same policy, with a gate for each.
    private struct Sharing {
        let store: Relux.Store
        let work = Gate()
        let errand = Gate()

        init(_ workPolicy: Relux.Policy, _ errandPolicy: Relux.Policy) async throws {
            let (work, errand) = (work, errand)
            store = try await Relux.Store {
                WorkSaga(policy: workPolicy, cleanup: { .add("cleaned up \($0.name)") }) { trigger, context in
                    await context.dispatch(Log.Action.add("\(trigger.name)+"))
                    await work.pass()
                    await context.dispatch(Log.Action.add("\(trigger.name)-"))
                }.module(
                    ClosureSaga<Errand>(policy: { _ in errandPolicy }) { trigger, context in
                        await context.dispatch(Log.Action.add("\(trigger.name)+"))
                        await errand.pass()
                        await context.dispatch(Log.Action.add("\(trigger.name)-"))
                    }
                )
            }
        }

        func finalLog() async throws -> [String] {
            work.open()
            errand.open()
            try await store.idle()
            return try await store.log()
        }
    }

    @Test("lanes are equal if their names are, which have the same type then, even if one is optional")
    func names() {
        func make() -> [Relux.Lane] {
            [
                Relux.Lane("a"), Relux.Lane("b"), Relux.Lane(Optional("a")), Relux.Lane(String?.none),
                Relux.Lane(Int?.none), Relux.Lane(1), Relux.Lane(1.0), Relux.Lane(UInt8(1)),
            ]
        }
        let (names, again) = (make(), make())

        for (index, name) in names.enumerated() {
            #expect(names.indices.filter { again[$0] == name } == [index])
            #expect(name.hashValue == again[index].hashValue)
        }
        #expect(Set(names.map(\.hashValue)).count > 2)
    }

    @Test("serial runs of different sagas in one lane never overlap")
    func serial() async throws {
        let sharing = try await Sharing(.serial.in(lane), .serial.in(lane))
        await sharing.store.dispatch(Work())
        await sharing.store.dispatch(Errand())
        await sharing.store.dispatch(Work(name: "again"))
        await sharing.work.arrivals()

        #expect(try await sharing.finalLog() == ["work+", "work-", "errand+", "errand-", "again+", "again-"])
    }

    @Test("a run in a named lane doesn't wait for one that its saga has in its own lane")
    func ownLane() async throws {
        let store = try await Relux.Store {
            SagaModule(sagas: [
                ClosureSaga<Errand>(policy: { $0.name == "own" ? .serial : .serial.in(.init("session")) }) { _, _ in
                    await gate.pass()
                }
            ])
        }
        await store.dispatch(Errand(name: "own"))
        await gate.arrivals()

        await store.dispatch(Errand(name: "named"))

        // This would hang if the second one waited for the first.
        await gate.arrivals(atLeast: 2)
        gate.open()
        try await store.idle()
    }

    @Test("a latest run supersedes that of another saga in its lane")
    func latest() async throws {
        let sharing = try await Sharing(.latest.in(lane), .latest.in(lane))
        let work = Task { [store = sharing.store] in await Ending.of { try await store.perform(Work()) } }
        await sharing.work.arrivals()

        await sharing.store.dispatch(Errand())

        #expect(try await sharing.finalLog().last == "errand-")
        #expect(await work.value == .superseded)
    }

    @Test("a leading run is dropped while one of another saga in its lane is active")
    func leading() async throws {
        let sharing = try await Sharing(.serial.in(lane), .leading.in(lane))
        await sharing.store.dispatch(Work())
        await sharing.work.arrivals()

        let ending = await Ending.of { try await sharing.store.perform(Errand()) }

        #expect(ending == .dropped)
        #expect(try await sharing.finalLog() == ["work+", "work-"])
    }

    @Test("a shared trigger joins the run of another saga in its lane if both promise the same type of value")
    func shared() async throws {
        let sharing = try await Sharing(.shared.in(lane), .shared.in(lane))
        let work = Task { [store = sharing.store] in await Ending.of { try await store.perform(Work()) } }
        await sharing.work.arrivals()
        await sharing.store.dispatch(Errand())

        #expect(try await sharing.finalLog() == ["work+", "work-"])
        #expect(await work.value == .returned)
    }

    @Test("a shared trigger of a flow without a value joins the run of a saga")
    func sharedByAFlow() async throws {
        struct Asking: Relux.Flow {
            let lane: Relux.Lane
            func policy(for trigger: Errand) -> Relux.Policy { .shared.in(lane) }
            func run(_ trigger: Errand, in context: Relux.SagaContext) async throws { Issue.record("a run of its own") }
        }
        let work = WorkSaga(policy: .shared.in(lane)) { _, _ in await gate.pass() }
        let store = try await Relux.Store { SagaModule(sagas: [work], flows: [Asking(lane: lane)]) }
        await store.dispatch(Work())
        await gate.arrivals()
        let asked = store.actionStream(of: Errand.self)
        let errand = Task { await Ending.of { try await store.perform(Errand()) } }
        _ = await asked.first { _ in true }

        gate.open()

        #expect(await errand.value == .returned)
    }

    @Test("a shared trigger that can't take the value of the active run starts a run of its own")
    func sharedWithoutValue() async throws {
        let store = try await Relux.Store {
            SagaModule(
                sagas: [WorkSaga(policy: .shared.in(lane)) { _, _ in await gate.pass() }],
                flows: [QuestionFlow(policy: .shared.in(lane)) { _, _ in 42 }]
            )
        }
        await store.dispatch(Work())
        await gate.arrivals()

        #expect(try await store.perform(Question()) == 42)
        gate.open()
        try await store.idle()
    }

    @Test("ids tell the runs of a lane apart, and so do the names of lanes")
    func ids() async throws {
        for (first, second): (Relux.Policy, Relux.Policy) in [
            (.serial(id: 1).in(lane), .serial(id: 2).in(lane)), (.serial.in(lane), .serial.in(Relux.Lane("other"))),
            (.serial.in(lane), .serial), (.serial.in(Relux.Lane(1)), .serial.in(Relux.Lane(1.0))),
        ] {
            let sharing = try await Sharing(first, second)
            await sharing.store.dispatch(Work())
            await sharing.store.dispatch(Errand())

            // Neither waits for the other.
            await sharing.work.arrivals()
            await sharing.errand.arrivals()
            _ = try await sharing.finalLog()
        }
    }

    @Test(
        "cancelling a lane cancels the runs of all its sagas, whatever their policies, and cleans up",
        arguments: [true, false])
    func cancel(inRun: Bool) async throws {
        let chore = ClosureSaga<Chore> { _, context in await context.cancel(lane) }
        let sharing = try await Sharing(.concurrent.in(lane), .serial(id: 1).in(lane))
        try await sharing.store.register(Part<TagA>(sagas: [chore]))
        let endings = [
            Task { [store = sharing.store] in await Ending.of { try await store.perform(Work()) } },
            Task { [store = sharing.store] in await Ending.of { try await store.perform(Errand()) } },
        ]
        await sharing.work.arrivals()
        await sharing.errand.arrivals()

        if inRun { try await sharing.store.perform(Chore()) } else { await sharing.store.cancel(lane) }
        let log = try await sharing.finalLog()

        for ending in endings { #expect(await ending.value == .cancelled) }
        #expect(Set(log) == ["work+", "errand+", "cleaned up work"])
    }

    @Test("cancelling a lane without runs does nothing and reports nothing")
    func cancelNothing() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Log.Module() }

        await store.cancel(Relux.Lane("session"))

        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a run that waits for one of another saga that waits for its lane gets an error")
    func cycle() async throws {
        let store = try await Relux.Store {
            WorkSaga(policy: .serial.in(lane)) { _, context in try await context.perform(Errand()) }
                .module(ClosureSaga<Errand>(policy: { _ in .serial.in(lane) }) { _, _ in })
        }

        #expect(await Ending.of { try await store.perform(Work()) } == .cycle(waiting: "work", on: "errand"))
        try await store.idle()
    }

    @Test("unregistering one module of a lane lets the waiting run of another one start")
    func unregister() async throws {
        let store = try await Relux.Store {
            Part<TagA>(sagas: [WorkSaga(policy: .serial.in(lane)) { _, _ in await gate.pass() }])
            Part<TagB>(sagas: [ClosureSaga<Errand>(policy: { _ in .serial.in(lane) }) { _, _ in }])
        }
        await store.dispatch(Work())
        await gate.arrivals()
        let errand = await store.dispatch(Errand())

        async let unregistered: Void = store.unregister(Part<TagA>.self)
        gate.open()
        await unregistered

        #expect(await errand.outcome().endings == [.returned])
    }
}

import Relux
import TestFixtures
import Testing

@Suite("Law 9: lanes that several sagas name", .timeLimit(.minutes(10)))
struct LaneTests: Staged {
    let scene = Scene()
    private let lane = Relux.Lane("session")

    /// A store whose sagas for work and errands have the same policy, with a gate for each.
    private struct Sharing {
        let store: Relux.Store
        let work = Gate()
        let errand = Gate()

        init(_ workPolicy: Relux.Policy, _ errandPolicy: Relux.Policy) async throws {
            let work: ClosureSaga<Work> = Self.saga(workPolicy, work)
            let errand: ClosureSaga<Errand> = Self.saga(errandPolicy, errand)
            store = try await Relux.Store { SagaModule(sagas: [work, errand]) }
        }

        private static func saga<T: Named>(_ policy: Relux.Policy, _ gate: Gate) -> ClosureSaga<T> {
            ClosureSaga(policy: { _ in policy }, cleanup: { .add("cleaned up \($0.name)") }) { trigger, context in
                await context.dispatch(Log.Action.add("\(trigger.name)+"))
                await gate.pass()
                await context.dispatch(Log.Action.add("\(trigger.name)-"))
            }
        }

        /// Performs work, which arrives at its gate.
        func performingWork() async -> Task<Ending, Never> {
            let task = await store.performing(Work())
            await work.arrivals()
            return task
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
        let saga = ClosureSaga<Errand>(policy: { [lane] in $0.name == "own" ? .serial : .serial.in(lane) }) { _, _ in
            await gate.pass()
        }
        let store = try await makeStore(saga)
        await dispatching(Errand(name: "own"), in: store)

        await store.dispatch(Errand(name: "named"))

        // This would hang if the second one waited for the first.
        await gate.arrivals(atLeast: 2)
        _ = try await finalLog(of: store)
    }

    @Test(
        "a trigger of another saga supersedes the run of a lane, is dropped, or joins it, as its policy says",
        arguments: [
            (.latest, .latest, [.superseded, .returned], ["work+", "errand+", "errand-"]),
            (.serial, .leading, [.returned, .dropped], ["work+", "work-"]),
            (.shared, .shared, [.returned, .returned], ["work+", "work-"]),
        ] as [(Relux.Policy, Relux.Policy, [Ending], [String])])
    func meeting(work: Relux.Policy, errand: Relux.Policy, endings: [Ending], log: [String]) async throws {
        let sharing = try await Sharing(work.in(lane), errand.in(lane))
        let first = await sharing.performingWork()
        let second = await sharing.store.performing(Errand())

        #expect(try await sharing.finalLog() == log)
        #expect(await [first.value, second.value] == endings)
    }

    @Test("a shared trigger of a flow without a value joins the run of a saga")
    func sharedByAFlow() async throws {
        struct Asking: Relux.Flow {
            let lane: Relux.Lane
            func policy(for trigger: Errand) -> Relux.Policy { .shared.in(lane) }
            func run(_ trigger: Errand, in context: Relux.SagaContext) async throws { Issue.record("a run of its own") }
        }
        let work = WorkSaga(policy: .shared.in(lane)) { _, _ in await gate.pass() }
        let store = try await makeStore(work, flows: [Asking(lane: lane)])
        await dispatching(Work(), in: store)
        let errand = await store.performing(Errand())

        gate.open()

        #expect(await errand.value == .returned)
    }

    @Test("a shared trigger that can't take the value of the active run starts a run of its own")
    func sharedWithoutValue() async throws {
        let work = WorkSaga(policy: .shared.in(lane)) { _, _ in await gate.pass() }
        let question = QuestionFlow(policy: .shared.in(lane)) { _, _ in 42 }
        let store = try await makeStore(work, flows: [question])
        await dispatching(Work(), in: store)

        #expect(try await store.perform(Question()) == 42)
        _ = try await finalLog(of: store)
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
        let work = await sharing.performingWork()
        let errand = await sharing.store.performing(Errand())
        await sharing.errand.arrivals()

        if inRun { try await sharing.store.perform(Chore()) } else { await sharing.store.cancel(lane) }
        let log = try await sharing.finalLog()

        #expect(await [work.value, errand.value] == [.cancelled, .cancelled])
        #expect(log.sorted() == ["cleaned up errand", "cleaned up work", "errand+", "work+"])
    }

    @Test("cancelling a lane without runs does nothing and reports nothing")
    func cancelNothing() async throws {
        let store = try await makeStore(observers: [observer])

        await store.cancel(lane)

        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a run that waits for one of another saga that waits for its lane gets an error")
    func cycle() async throws {
        let work = WorkSaga(policy: .serial.in(lane)) { _, context in try await context.perform(Errand()) }
        let store = try await makeStore(work, ClosureSaga<Errand>(policy: { [lane] _ in .serial.in(lane) }) { _, _ in })

        #expect(await Ending.of { try await store.perform(Work()) } == .cycle(waiting: "work", on: "errand"))
        try await store.idle()
    }

    @Test("a shared run ends with its module, even if only a trigger of another saga still waits for it")
    func sharedByAnother() async throws {
        let work = WorkSaga(policy: .shared.in(lane)) { [gate] _, context in
            await gate.pass()
            await context.dispatch(Log.Action.add("late"))
        }
        let errand = ClosureSaga<Errand>(policy: { [lane] _ in .shared.in(lane) }) { _, _ in }
        let store = try await Relux.Store { SagaModule(sagas: [errand]) }
        var lease: Relux.Lease? = try await store.attach(Part<TagA>(sagas: [work]))
        let first = await dispatching(Work(), in: store)
        let second = await store.dispatch(Errand())
        first.cancel()

        withExtendedLifetime(lease) {}
        // Posts the removal, before anything that the run does next.
        lease = nil
        gate.open()

        #expect(await second.outcome().endings == [.cancelled])
        #expect(try await store.log() == [])
    }

    @Test("unregistering one module of a lane lets the waiting run of another one start")
    func unregister() async throws {
        let store = try await Relux.Store {
            Part<TagA>(sagas: [WorkSaga(policy: .serial.in(lane)) { _, _ in await gate.pass() }])
            Part<TagB>(sagas: [ClosureSaga<Errand>(policy: { _ in .serial.in(lane) }) { _, _ in }])
        }
        await dispatching(Work(), in: store)
        let errand = await store.dispatch(Errand())

        async let unregistered: Void = store.unregister(Part<TagA>.self)
        gate.open()
        await unregistered

        #expect(await errand.outcome().endings == [.returned])
    }
}

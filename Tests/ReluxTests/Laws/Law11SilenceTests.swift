import Relux
import Testing

@Suite("Law 11: no silence", .timeLimit(.minutes(10)))
struct Law11SilenceTests: Staged {
    let scene = Scene()

    @Test("an effect that nothing handles is reduced, reported, and thrown to the caller of perform")
    func unhandledEffect() async throws {
        let store = try await observed(Self.noticing)

        let performed = await Ending.of { try await store.perform(Work(name: "performed")) }
        let dispatched = await store.dispatch(Work(name: "dispatched"))
        await dispatched.finished()
        store.send(Work(name: "sent"))
        let result = await store.actions { Work(name: "listed") }

        #expect(performed == .unhandled)
        #expect(dispatched.sequence == 2)
        #expect(result.endings == [.unhandled])
        #expect(try await store.log() == ["performed", "dispatched", "sent", "listed"])
        #expect(observer.reasons == Array(repeating: "effectNotTaken", count: 4))
    }

    @Test(
        "an effect that promises a value but has only sagas is unhandled when performed, after they have ended; not otherwise"
    )
    func effectWithoutFlow() async throws {
        let store = try await makeStore(
            observers: [observer],
            ClosureSaga<Question> { _, context in
                await gate.pass()
                trace.note("saga")
            }
        )

        let caller = Task { trace.note("\(await Ending.of { try await store.perform(Question()) })") }
        await gate.arrivals()
        gate.open()
        await caller.value

        #expect(trace.entries == ["saga", "unhandled"])
        #expect(observer.records.entries.map(\.sequence) == [1])
        #expect(observer.refusals.entries.count == 1)
        await store.dispatch(Question()).finished()
        #expect(observer.refusals.entries.count == 1)
    }

    @Test("an action that nothing handles is numbered and reported, unless a stream takes it")
    func unhandledAction() async throws {
        let store = try await observed(Log.Module())

        let dispatched = await store.dispatch(Tick())
        let stream = store.actionStream(of: Tick.self)
        let taken = await store.actions { Tick() }
        withExtendedLifetime(stream) {}

        #expect(dispatched.sequence == 1)
        #expect(taken.endings == [.returned])
        #expect(observer.reasons == ["actionNotTaken"])
        #expect(observer.refusals.entries.first?.callSite?.fileID.description.hasSuffix("Tests.swift") == true)
    }

    @Test("a read of a state that no module owns is thrown and reported, also if it is made now")
    func missingState() async throws {
        let store = try await observed(Log.Module())

        #expect(await Relux.StoreError.name { try await store.state(of: Counter<TagA>.self) } == "stateNotOwned")
        #expect(await Relux.StoreError.name { try store.lookNow(at: Counter<TagA>.self) } == "stateNotOwned")

        let missing = observer.refusals.entries.map { refusal in
            if case .stateNotOwned(let state) = refusal.reason { state == Counter<TagA>.self } else { false }
        }
        #expect(missing == [true, true])
    }

    @Test("after shutdown, every verb is refused and reported")
    func refusesEverything() async throws {
        let store = try await observed(WorkSaga { _, _ in }.module())
        let late = Log.Action.add("late")
        await store.shutdown()

        // Whether the caller sees the refusal.
        let verbs: KeyValuePairs<String, @Sendable () async -> Bool> = [
            "dispatch": { await store.dispatch(late).sequence == nil },
            "dispatch of a batch": { await store.dispatch(contentsOf: [late]).sequence == nil },
            "dispatch of a list": { await store.dispatch { late }.sequence == nil },
            "dispatchNow": { store.doNow(late).sequence == nil },
            "dispatchNow of a batch": { store.doNow(contentsOf: [late]).sequence == nil },
            "perform": { await Ending.of { try await store.perform(Work()) } == .storeShutDown },
            "actions": { await store.actions { late }.endings == [.storeShutDown] },
            "state": { await isShutDown { try await store.state(of: Log.self) } },
            "read": { await isShutDown { try await store.read { reader in try reader.state(of: Log.self) } } },
            "stateNow": { await isShutDown { try store.lookNow(at: Log.self) } },
            "readNow": { await isShutDown { try store.lookNow { reader in try reader.state(of: Log.self) } } },
            "register": { await isShutDown { try await store.register(Part<TagA>.counting()) } },
            "attach": { await isShutDown { try await store.attach(Part<TagA>.counting()) } },
            "values": { await store.values(of: Log.self).first { _ in true } == nil },
            "send": {
                store.send(late)
                return true
            },
            "unregister": {
                await store.unregister(Log.Module.self)
                return true
            },
            "reset": {
                await store.reset()
                return true
            },
        ]
        for (number, verb) in verbs.enumerated() {
            #expect(await verb.value(), "\(verb.key)")
            // What was sent has been refused by then.
            try await store.idle()
            #expect(observer.reasons == Array(repeating: "storeShutDown", count: number + 1), "\(verb.key)")
        }

        #expect(observer.records.entries.isEmpty)
    }

    /// Whether a call throws because the store was shut down.
    nonisolated(nonsending) private func isShutDown(
        _ call: nonisolated(nonsending) () async throws -> some Any
    ) async -> Bool {
        await Relux.StoreError.name(from: call) == "storeShutDown"
    }

    /// Takes what the observer has refused since, which must all be vain cancellations.
    private static func cancelledNothing(_ refusals: some Sequence<Relux.Refusal>) -> [String] {
        refusals.map { refusal in
            if case .cancelledNothing(let type) = refusal.reason { "\(type)" } else { "\(refusal)" }
        }
    }

    // Neither used to be reported.
    @Test("cancelling a saga, flow, or watcher that isn't registered is reported")
    func cancelledStrangers() async throws {
        let store = try await observed(
            SagaModule(
                sagas: [WorkSaga { _, context in await context.cancel(ClosureSaga<Chore>.self) }],
                flows: [QuestionFlow { _, _ in 1 }], watchers: [ClosureWatcher { _ in }]
            )
        )

        await store.cancel(WorkSaga.self)
        await store.cancel(QuestionFlow.self, id: 1)
        await store.cancel(ClosureWatcher.self)
        #expect(observer.refusals.entries.isEmpty)
        await store.cancel(ClosureSaga<Job>.self, fileID: "App/Here.swift", line: 7)
        await store.cancel(ClosureSaga<Errand>.self, id: 1)
        try await store.perform(Work())
        await store.unregister(SagaModule.self)
        await store.cancel(WorkSaga.self)

        #expect(
            Self.cancelledNothing(observer.refusals.entries) == [
                "ClosureSaga<Job>", "ClosureSaga<Errand>", "ClosureSaga<Chore>", "WorkSaga",
            ]
        )
        #expect(observer.refusals.entries.first?.callSite?.line == 7)
    }

    @Test("cancelling by an id or a predicate of another type than the ids of runs is reported; finding no run is not")
    func cancelledByAnotherType() async throws {
        let store = try await makeStore(
            observers: [observer], ClosureSaga<Job>(policy: \.policy) { _, _ in await gate.pass() })
        func cancelTexts() async {
            await store.cancel(ClosureSaga<Job>.self, id: "no run")
            await store.cancel(ClosureSaga<Job>.self) { (_: String) in true }
        }

        await cancelTexts()
        await store.dispatch(Job("no id", .concurrent))
        await cancelTexts()
        await store.dispatch(Job("number", .serial(id: 1)))
        await store.cancel(ClosureSaga<Job>.self, id: 2)
        await store.cancel(ClosureSaga<Job>.self) { (_: Int) in false }
        #expect(observer.refusals.entries.isEmpty)
        await cancelTexts()
        await store.cancel(ClosureSaga<Job>.self, id: UInt8(1))
        await store.cancel(ClosureSaga<Errand>.self) { (_: Int) in true }
        await store.dispatch(Job("text", .serial(id: "1")))
        await cancelTexts()
        _ = try await finalLog(of: store)

        let reported = Array(repeating: "ClosureSaga<Job>", count: 3) + ["ClosureSaga<Errand>"]
        #expect(Self.cancelledNothing(observer.refusals.entries) == reported)
    }

    @Test("unregistering a module that isn't registered, is still needed, or is leased is reported")
    func refusedUnregistrations() async throws {
        let store = try await observed(SagaModule())
        let lease = try await store.attach(Self.noticing)
        let before = observer.refusals.entries.count

        await store.unregister(Part<TagB>.self)
        await store.unregister(Log.Module.self)
        await store.unregister(Part<TagA>.self, fileID: "App/Here.swift", line: 7)
        let left = observer.moduleCount
        await lease.end()

        let reasons = observer.reasons.dropFirst(before)
        #expect(reasons == ["moduleNotRegistered", "moduleStillNeeded", "moduleHeldByLeases"])
        #expect(observer.refusals.entries.last?.description.contains("(App/Here.swift:7): 1 lease(s)") == true)
        #expect([left, observer.moduleCount] == [3, 2])
    }

    // MARK: Fixtures

    private func observed(_ module: any Relux.Module) async throws -> Relux.Store {
        try await Relux.Store(.init(observers: [observer])) { module }
    }

    /// A module with a reducer of `Work` but no saga.
    private static let noticing = Part<TagA>(
        reducers: [.init(of: Log.self, on: Work.self) { log, work in log.entries.append(work.name) }],
        dependencies: [Log.Module()])
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 25: what was saved is loaded", .timeLimit(.minutes(10)))
struct Law25LoadingTests {
    private static let saved = Log(entries: ["saved"])

    /// Says in the log what it finds there when it starts.
    private struct Starter: Relux.Watcher {
        func watch(in context: Relux.SagaContext) async throws {
            let found = try await context.state(of: Log.self).entries
            await context.dispatch(Log.Action.add("found \(found)"))
        }
    }

    @Test("a module starts with what was saved, and takes nothing before it is loaded")
    func startsLoaded() async throws {
        let gate = Gate()
        let shelf = Shelf(Self.saved, loads: gate)
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [observer]))

        let registration = Task {
            try await store.register(KeptLog(persistence: [Shelved(on: shelf)], watchers: [Starter()]))
        }
        await gate.arrivals()
        await store.dispatch(Log.Action.add("early"))
        gate.open()
        try await registration.value
        // The watcher may start late: it must have looked before more is added.
        for await log in store.values(of: Log.self) where log.entries.count == 2 { break }
        await store.dispatch(Log.Action.add("late"))

        #expect(try await store.state(of: Log.self).entries == ["saved", "found [\"saved\"]", "late"])
    }

    @Test("without a saved value, a module starts with its initial one, and that isn't saved")
    func startsEmpty() async throws {
        let shelf = Shelf<Log>()
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)]) }

        try await store.saved()

        #expect(try await store.state(of: Log.self) == Log())
        #expect(shelf.events == [.load])
    }

    @Test("all states of a call are loaded at once")
    func loadsAtOnce() async throws {
        let gate = Gate()
        let shelf = Shelf(Self.saved, loads: gate)
        let counts = Shelf(Total(number: 7), loads: gate)
        let store = Relux.Store()

        let registration = Task {
            try await store.register(
                KeptLog(persistence: [Shelved(on: shelf)]), KeptTotal(persistence: [Shelved(on: counts)]))
        }
        await gate.arrivals(atLeast: 2)
        gate.open()
        try await registration.value

        #expect(try await store.state(of: Log.self) == Self.saved)
        #expect(try await store.state(of: Total.self).number == 7)
    }

    @Test("a load that fails refuses the whole call, and nothing is changed or overwritten")
    func refuses() async throws {
        let shelf = Shelf(Self.saved)
        shelf.breakLoads(.damaged(TestFailure()))
        let store = Relux.Store()

        let error = await #expect(throws: Relux.StoreError.self) {
            try await store.register(Scales.Module(), KeptLog(persistence: [Shelved(on: shelf)]))
        }

        guard case .notLoaded(let state, .damaged(let cause)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(state is Log.Type)
        #expect(cause as? TestFailure == TestFailure())
        await #expect(throws: Relux.StoreError.self) { try await store.state(of: Scales.Left.self) }
        await store.shutdown()
        #expect(shelf.events == [.load])
    }

    @Test("a registration that was refused may be tried again")
    func triesAgain() async throws {
        let shelf = Shelf(Self.saved)
        shelf.breakLoads(.unavailable(TestFailure()))
        let store = Relux.Store()
        await #expect(throws: Relux.StoreError.self) {
            try await store.register(KeptLog(persistence: [Shelved(on: shelf)]))
        }

        shelf.breakLoads(nil)
        try await store.register(KeptLog(persistence: [Shelved(on: shelf)]))

        #expect(try await store.state(of: Log.self) == Self.saved)
    }

    @Test("a load that is cancelled with its caller is unavailable")
    func cancelled() async throws {
        let gate = Gate()
        let shelf = Shelf(Self.saved, loads: gate)
        let store = Relux.Store()

        let registration = Task { try await store.register(KeptLog(persistence: [Shelved(on: shelf)])) }
        await gate.arrivals()
        registration.cancel()
        gate.open()

        let error = await #expect(throws: Relux.StoreError.self) { try await registration.value }
        guard case .notLoaded(_, .unavailable(let cause)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is CancellationError)
    }

    @Test("what is damaged or too new is set aside, and this is reported", arguments: [true, false])
    func setsAside(isDamaged: Bool) async throws {
        let shelf = Shelf(Self.saved)
        shelf.breakLoads(isDamaged ? .damaged(TestFailure()) : .newer(version: 9))
        let observer = TraceObserver()

        let store = try await Relux.Store(.init(observers: [observer])) {
            KeptLog(persistence: [Shelved(on: shelf).with { $0.unreadable = .setAside }])
        }
        await store.dispatch(Log.Action.add("new"))
        try await store.saved()

        #expect(shelf.aside == [Self.saved])
        #expect(shelf.value == Log(entries: ["new"]))
        #expect(observer.reasons == ["notLoaded"])
        #expect(observer.refusals.entries.first?.state is Log.Type)
    }

    @Test("what is only unavailable is not set aside: the registration is refused")
    func keepsUnavailable() async throws {
        let shelf = Shelf(Self.saved)
        shelf.breakLoads(.unavailable(TestFailure()))
        let store = Relux.Store()

        await #expect(throws: Relux.StoreError.self) {
            try await store.register(
                KeptLog(persistence: [Shelved(on: shelf).with { $0.unreadable = .setAside }]))
        }

        #expect(shelf.events == [.load])
    }

    @Test("nothing is set aside if another load of the call fails, and a failure to set aside refuses")
    func setsAsideTogether() async throws {
        let shelf = Shelf(Self.saved)
        let other = Shelf(Total(number: 7))
        shelf.breakLoads(.damaged(TestFailure()))
        other.breakLoads(.damaged(TestFailure()))
        let store = Relux.Store()
        let log = KeptLog(persistence: [Shelved(on: shelf).with { $0.unreadable = .setAside }])

        await #expect(throws: Relux.StoreError.self) {
            try await store.register(log, KeptTotal(persistence: [Shelved(on: other)]))
        }
        #expect(shelf.events == [.load])

        shelf.failSettingAside()
        await #expect(throws: Relux.StoreError.self) { try await store.register(log) }
        #expect(shelf.value == Self.saved)
    }

    @Test("a state that starts unsaved is not saved until what was saved is discarded")
    func startsUnsaved() async throws {
        let shelf = Shelf(Self.saved)
        shelf.breakLoads(.newer(version: 3))
        let observer = TraceObserver()
        let persistence = Shelved(on: shelf).with { shelved in
            (shelved.unreadable, shelved.onReset, shelved.onRemoval) = (.startUnsaved, .erase, .erase)
        }
        let store = try await Relux.Store(.init(observers: [observer])) { KeptLog(persistence: [persistence]) }

        await store.dispatch(Log.Action.add("new"))
        let error = await #expect(throws: Relux.StoreError.self) { try await store.saved() }
        #expect(error?.name == "notLoaded")
        await store.reset()
        await store.dispatch(Log.Action.add("newer"))
        try await store.idle()
        #expect(shelf.events == [.load])

        try await store.discardSaved(Log.self)
        let newer = Log(entries: ["newer"])
        #expect(shelf.events.dropFirst() == [.erase, .erased, .save(newer), .saved(newer)])
        await store.dispatch(Log.Action.add("newest"))
        try await store.saved()
        #expect(shelf.value?.entries == ["newer", "newest"])
        #expect(observer.refusals.entries.count == 1)
    }

    @Test("a value of the configuration wins: nothing is loaded, and it replaces what was saved")
    func givenValueWins() async throws {
        let shelf = Shelf(Self.saved)
        let store = try await Relux.Store(.init(states: [Log(entries: ["given"])])) {
            KeptLog(persistence: [Shelved(on: shelf)])
        }

        try await store.saved()

        #expect(shelf.events == [.save(Log(entries: ["given"])), .saved(Log(entries: ["given"]))])
        #expect(try await store.state(of: Log.self).entries == ["given"])
    }

    @Test("a persistence of another module's state is refused, and so is a second one for the same state or place")
    func refusesPlans() async throws {
        let (shelf, counts) = (Shelf<Log>(), Shelf<Total>())
        let store = Relux.Store()

        let foreign = await #expect(throws: Relux.StoreError.self) {
            try await store.register(KeptLog(persistence: [Shelved(on: counts)]))
        }
        let twice = await #expect(throws: Relux.StoreError.self) {
            try await store.register(KeptLog(persistence: [Shelved(on: shelf), Shelved(on: Shelf<Log>())]))
        }
        let together = await #expect(throws: Relux.StoreError.self) {
            try await store.register(
                KeptPage(id: "1", persistence: [Shelved(on: shelf)]),
                KeptPage(id: "2", persistence: [Shelved(on: shelf)]))
        }
        try await store.register(KeptPage(id: "1", persistence: [Shelved(on: shelf)]))
        let later = await #expect(throws: Relux.StoreError.self) {
            try await store.register(KeptPage(id: "2", persistence: [Shelved(on: shelf)]))
        }

        guard case .foreignPersistence(of: _, in: _) = foreign, case .savedTwice(_, and: _) = twice,
            case .savedTwice(_, and: _) = together, case .savedTwice(_, and: _) = later
        else {
            Issue.record("\([foreign, twice, together, later])")
            return
        }
        #expect(shelf.events == [.load])
    }

    @Test("two calls that register the same module load it once, and both own it")
    func registersTwice() async throws {
        let gate = Gate()
        let shelf = Shelf(Self.saved, loads: gate)
        let store = Relux.Store()

        let first = Task { try await store.register(KeptLog(persistence: [Shelved(on: shelf)])) }
        await gate.arrivals()
        let second = Task { try await store.register(KeptLog(persistence: [Shelved(on: shelf)])) }
        gate.open()
        try await first.value
        try await second.value
        await store.unregister(KeptLog.self)

        #expect(try await store.state(of: Log.self) == Self.saved)
        #expect(shelf.events == [.load])
    }

    @Test("a registration after a removal loads what the removal saves last")
    func loadsAfterLastSave() async throws {
        let gate = Gate()
        let shelf = Shelf<Log>(saves: gate)
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf, pace: .within(.seconds(3600)))]) }
        await store.dispatch(Log.Action.add("last"))

        let removal = Task { await store.unregister(KeptLog.self) }
        await gate.arrivals()
        let registration = Task { try await store.register(KeptLog(persistence: [Shelved(on: shelf)])) }
        gate.open()
        await removal.value
        try await registration.value

        #expect(try await store.state(of: Log.self).entries == ["last"])
    }

    @Test("each property of a module is read once, although its states are loaded in between")
    func readsOnce() async throws {
        struct Counting: Relux.Module {
            let reads: Trace<String>
            let shelf: Shelf<Log>

            var states: [any Relux.State] {
                reads.note("states")
                return [Log()]
            }
            var sagas: [any Relux.Saga] {
                reads.note("sagas")
                return []
            }
            var persistence: [any Relux.StatePersistence] {
                reads.note("persistence")
                return [Shelved(on: shelf)]
            }
            var dependencies: [any Relux.Module] {
                reads.note("dependencies")
                return [Scales.Module()]
            }
        }
        let reads = Trace<String>()

        _ = try await Relux.Store { Counting(reads: reads, shelf: Shelf(Self.saved)) }

        #expect(reads.entries.sorted() == ["dependencies", "persistence", "sagas", "states"])
    }

    // MARK: Children

    @Test("a child that has to be loaded comes in a later step, and until then it doesn't exist")
    func childComesLater() async throws {
        let gate = Gate()
        let shelf = Shelf(Self.saved, loads: gate)
        let store = try await Relux.Store {
            Pages.Module { KeptPage(id: $0, persistence: [Shelved(on: shelf)]) }
        }
        let page = store.scope(of: KeptPage.self, id: "1")

        await store.dispatch(Pages.Action.open("1"))
        await gate.arrivals()
        await #expect(throws: Relux.StoreError.self) { try await page.state(of: Log.self) }
        #expect(await page.dispatch(Log.Action.add("early")).sequence == nil)
        let busy = await #expect(throws: Relux.NotIdle.self) { try await store.idle(within: .zero) }
        #expect(busy?.busy.map(\.run.kind) == [.load])
        gate.open()
        try await store.idle()

        #expect(try await page.state(of: Log.self) == Self.saved)
    }

    @Test("a child whose id goes while it is loaded never comes, and one that comes again is loaded again")
    func childGoes() async throws {
        let gate = Gate()
        let shelf = Shelf(Self.saved, loads: gate)
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { KeptPage(id: $0, persistence: [Shelved(on: shelf)]) }
        }

        await store.dispatch(Pages.Action.open("1"))
        await gate.arrivals()
        await store.dispatch(Pages.Action.close("1"))
        await store.dispatch(Pages.Action.open("1"))
        await store.dispatch(Pages.Action.close("1"))
        gate.open()
        try await store.idle()
        await #expect(throws: Relux.StoreError.self) {
            try await store.scope(of: KeptPage.self, id: "1").state(of: Log.self)
        }
        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()

        #expect(try await store.scope(of: KeptPage.self, id: "1").state(of: Log.self) == Self.saved)
        #expect(observer.trace.entries.count { $0.hasPrefix("registered KeptPage") } == 1)
    }

    /// A persistence whose loads pass a gate, and don't react to their cancellation.
    private struct Stubborn: Relux.StatePersistence {
        let gate: Gate

        func load(into initial: Log) async throws(Relux.LoadFailure) -> Log? {
            await gate.pass()
            return Law25LoadingTests.saved
        }
        func save(_ state: Log) async throws {}
        func erase() async throws {}
        func setAside() async throws {}
    }

    @Test(
        "a child whose id goes while it is loaded never comes, even if its load succeeds", arguments: [false, true],
        [false, true])
    func childGoesUnheard(comesAgain: Bool, isCancellable: Bool) async throws {
        let gate = Gate()
        let observer = RecordingObserver()
        let persistence: any Relux.StatePersistence =
            isCancellable ? Shelved(on: Shelf(Self.saved, loads: gate)) : Stubborn(gate: gate)
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { KeptPage(id: $0, persistence: [persistence]) }
        }
        await store.dispatch(Pages.Action.open("1"))
        await gate.arrivals()

        await store.dispatch(Pages.Action.close("1"))
        if comesAgain { await store.dispatch(Pages.Action.open("1")) }
        gate.open()
        try await store.idle()

        #expect(await store.isOpen(store.scope(of: KeptPage.self, id: "1")) == comesAgain)
        #expect(observer.refusals.isEmpty)
        await store.dispatch(Pages.Action.close("1"))
        #expect(await !store.isOpen(store.scope(of: KeptPage.self, id: "1")))
    }

    @Test("a child that can't be loaded is reported and left out, and tried again when its id comes again")
    func childFails() async throws {
        let shelf = Shelf(Self.saved)
        shelf.breakLoads(.damaged(TestFailure()))
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { KeptPage(id: $0, persistence: [Shelved(on: shelf)]) }
        }

        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()
        guard case .childNotRegistered(.notLoaded) = observer.refusals.entries.first?.reason else {
            Issue.record("\(observer.refusals.entries)")
            return
        }
        shelf.breakLoads(nil)
        await store.dispatch(Pages.Action.close("1"))
        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()

        #expect(try await store.scope(of: KeptPage.self, id: "1").state(of: Log.self) == Self.saved)
    }

    @Test("shutting down while a child is loaded leaves nobody waiting")
    func shutdownWhileLoading() async throws {
        let gate = Gate()
        let shelf = Shelf(Self.saved, loads: gate)
        let store = try await Relux.Store {
            Pages.Module { KeptPage(id: $0, persistence: [Shelved(on: shelf)]) }
        }
        await store.dispatch(Pages.Action.open("1"))
        await gate.arrivals()

        let idle = Task { try await store.idle() }
        await store.shutdown()
        gate.open()
        try await idle.value

        #expect(shelf.value == Self.saved)
    }
}

import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 25: what was saved is loaded", .timeLimit(.minutes(10)))
struct Law25LoadingTests: Staged {
    let scene = Scene()

    private static let saved = Log("saved")
    private let shelf = Shelf(saved)
    /// Its loads wait at the gate.
    private let held: Shelf<Log>

    init() { held = Shelf(Self.saved, loads: scene.gate) }

    /// Says in the log what it finds there when it starts.
    private struct Starter: Relux.Watcher {
        func watch(in context: Relux.SagaContext) async throws {
            let found = try await context.state(of: Log.self).entries
            await context.dispatch(Log.Action.add("found \(found)"))
        }
    }

    @Test("a module starts with what was saved, and takes nothing before it is loaded")
    func startsLoaded() async throws {
        let store = Relux.Store()

        let registration = Task { try await store.register(KeptLog(on: held, watchers: [Starter()])) }
        await gate.arrivals()
        await store.dispatch(Log.Action.add("early"))
        gate.open()
        try await registration.value
        // The watcher may start late: it must have looked before more is added.
        for await log in store.values(of: Log.self) where log.entries.count == 2 { break }
        await store.dispatch(Log.Action.add("late"))

        #expect(try await store.log() == ["saved", "found [\"saved\"]", "late"])
    }

    @Test("all states of a call are loaded at once")
    func loadsAtOnce() async throws {
        let total = KeptTotal(persistence: [Shelved(on: Shelf(Total(number: 7), loads: gate))])
        let store = Relux.Store()

        let registration = Task { try await store.register(KeptLog(on: held), total) }
        await gate.arrivals(atLeast: 2)
        gate.open()
        try await registration.value

        #expect(try await store.log() == ["saved"])
        #expect(try await store.state(of: Total.self).number == 7)
    }

    @Test("a load that fails refuses the whole call, nothing is changed or overwritten, and it may be tried again")
    func refuses() async throws {
        shelf.breakLoads(.damaged(TestFailure()))
        let store = Relux.Store()

        let error = await #expect(throws: Relux.StoreError.self) {
            try await store.register(Scales.Module(), KeptLog(on: shelf))
        }

        let cause = if case .notLoaded(is Log.Type, .damaged(let cause)) = error { cause } else { nil as (any Error)? }
        #expect(cause as? TestFailure == TestFailure())
        #expect(await Relux.StoreError.name { try await store.state(of: Scales.Left.self) } == "stateNotOwned")
        #expect(shelf.events == [.load])
        shelf.breakLoads(nil)
        try await store.register(KeptLog(on: shelf))
        #expect(try await store.log() == ["saved"])
        await store.shutdown()
        #expect(shelf.events == [.load, .load])
    }

    @Test("a load that is cancelled with its caller is unavailable")
    func cancelled() async throws {
        let store = Relux.Store()

        let registration = Task { try await store.register(KeptLog(on: held)) }
        await gate.arrivals()
        registration.cancel()
        gate.open()

        let error = await #expect(throws: Relux.StoreError.self) { try await registration.value }
        let cause = if case .notLoaded(_, .unavailable(let cause)) = error { cause } else { nil as (any Error)? }
        #expect(cause is CancellationError)
    }

    @Test("what is damaged or too new is set aside, and this is reported", arguments: [true, false])
    func setsAside(isDamaged: Bool) async throws {
        shelf.breakLoads(isDamaged ? .damaged(TestFailure()) : .newer(version: 9))

        let store = try await keep(on: shelf, observers: [observer]) { $0.unreadable = .setAside }
        await store.dispatch(Log.Action.add("new"))
        try await store.saved()

        #expect(shelf.aside == [Self.saved])
        #expect(shelf.value == Log("new"))
        #expect(observer.reasons == ["notLoaded"])
        #expect(observer.refusals.entries.first?.state is Log.Type)
    }

    @Test("what is only unavailable is not set aside: the registration is refused")
    func keepsUnavailable() async throws {
        shelf.breakLoads(.unavailable(TestFailure()))

        let error = await Relux.StoreError.name { try await keep(on: shelf) { $0.unreadable = .setAside } }

        #expect(error == "notLoaded")
        #expect(shelf.events == [.load])
    }

    @Test("nothing is set aside if another load of the call fails, and a failure to set aside refuses")
    func setsAsideTogether() async throws {
        let other = Shelf(Total(number: 7))
        shelf.breakLoads(.damaged(TestFailure()))
        other.breakLoads(.damaged(TestFailure()))
        let store = Relux.Store()
        let (log, total) = (
            KeptLog(on: shelf) { $0.unreadable = .setAside }, KeptTotal(persistence: [Shelved(on: other)])
        )

        #expect(await Relux.StoreError.name { try await store.register(log, total) } == "notLoaded")
        #expect(shelf.events == [.load])
        shelf.failSettingAside()
        #expect(await Relux.StoreError.name { try await store.register(log) } == "notLoaded")

        #expect(shelf.value == Self.saved)
    }

    @Test("what others have saved after setting the same data aside is loaded, and not set aside")
    func setAsideByOthers() async throws {
        let total = KeptTotal(persistence: [Shelved(on: Shelf(Total(number: 7), loads: gate))])
        let log = KeptLog(on: shelf) { $0.unreadable = .setAside }
        shelf.breakLoads(.damaged(TestFailure()))
        let world = SeededExecutor(seed: 25)
        let store = Relux.Store(.init(executor: world, observers: [observer]))

        let registration = await world.settle { try await store.register(log, total) }
        shelf.breakLoads(nil)
        await world.open(gate)
        try await registration.value

        #expect(try await store.log() == Self.saved.entries)
        #expect(shelf.aside == [])
        #expect(observer.reasons == [])
    }

    @Test("data that can't be read after setting aside refuse, too")
    func stillUnreadable() async throws {
        let broken = Unkept<Log>(unreadable: .setAside) { () throws(Relux.LoadFailure) in
            throw .damaged(TestFailure())
        }

        let error = await Relux.StoreError.name { try await Relux.Store { KeptLog(persistence: [broken]) } }

        #expect(error == "notLoaded")
    }

    @Test("a state that starts unsaved is not saved until what was saved is discarded")
    func startsUnsaved() async throws {
        shelf.breakLoads(.newer(version: 3))
        let store = try await keep(on: shelf, observers: [observer]) {
            ($0.unreadable, $0.onReset, $0.onRemoval) = (.startUnsaved, .erase, .erase)
        }

        await store.dispatch(Log.Action.add("new"))
        #expect(await Relux.StoreError.name { try await store.saved() } == "notLoaded")
        await store.reset()
        await store.dispatch(Log.Action.add("newer"))
        try await store.idle()
        #expect(shelf.events == [.load])

        try await store.discardSaved(Log.self)
        let newer = Log("newer")
        #expect(shelf.events.dropFirst() == [.erase, .erased, .save(newer), .saved(newer)])
        await store.dispatch(Log.Action.add("newest"))
        try await store.saved()
        #expect(shelf.value?.entries == ["newer", "newest"])
        #expect(observer.refusals.entries.count == 1)
    }

    @Test("a value of the configuration wins: nothing is loaded, and it replaces what was saved")
    func givenValueWins() async throws {
        let given = Log("given")
        let store = try await Relux.Store(.init(states: [given])) { KeptLog(on: shelf) }

        try await store.saved()

        #expect(shelf.events == [.save(given), .saved(given)])
        #expect(try await store.log() == ["given"])
    }

    @Test("a persistence of another module's state is refused, and so is a second one for the same state or place")
    func refusesPlans() async throws {
        let (first, second) = (KeptPage(id: "1", on: shelf), KeptPage(id: "2", on: shelf))
        let foreign = KeptLog(persistence: [Shelved(on: Shelf<Total>())])
        let twice = KeptLog(persistence: [Shelved(on: shelf), Shelved(on: Shelf<Log>())])
        let store = Relux.Store()

        #expect(await Relux.StoreError.name { try await store.register(foreign) } == "foreignPersistence")
        #expect(await Relux.StoreError.name { try await store.register(twice) } == "savedTwice")
        #expect(await Relux.StoreError.name { try await store.register(first, second) } == "savedTwice")
        try await store.register(first)
        #expect(await Relux.StoreError.name { try await store.register(second) } == "savedTwice")

        #expect(shelf.events == [.load])
    }

    @Test("two calls that register the same module load it once, and both own it")
    func registersTwice() async throws {
        let store = Relux.Store()

        let first = Task { try await store.register(KeptLog(on: held)) }
        await gate.arrivals()
        let second = Task { try await store.register(KeptLog(on: held)) }
        gate.open()
        try await first.value
        try await second.value
        await store.unregister(KeptLog.self)

        #expect(try await store.log() == ["saved"])
        #expect(held.events == [.load])
    }

    @Test("a registration after a removal loads what the removal saves last")
    func loadsAfterLastSave() async throws {
        let shelf = Shelf<Log>(saves: gate)
        let store = try await keep(on: shelf, pace: .slow)
        await store.dispatch(Log.Action.add("last"))

        let removal = Task { await store.unregister(KeptLog.self) }
        await gate.arrivals()
        let registration = Task { try await store.register(KeptLog(on: shelf)) }
        gate.open()
        await removal.value
        try await registration.value

        #expect(try await store.state(of: Log.self).entries == ["last"])
    }

    @Test("each property of a module is read once, although its states are loaded in between")
    func readsOnce() async throws {
        _ = try await Relux.Store { Asked(asked: trace, shelf: shelf) }

        #expect(trace.entries.sorted() == Asked.properties)
        #expect(shelf.events == [.load])
    }

    // MARK: Children

    @Test("a child that has to be loaded comes in a later step, and until then it doesn't exist")
    func childComesLater() async throws {
        let store = try await keepPages(on: Shelf(Self.saved, loads: gate))
        let page = store.scope(of: KeptPage.self, id: "1")

        await dispatching(Pages.Action.open("1"), in: store)
        await #expect(throws: Relux.StoreError.self) { try await page.state(of: Log.self) }
        #expect(await page.dispatch(Log.Action.add("early")).sequence == nil)
        let busy = await #expect(throws: Relux.NotIdle.self) { try await store.idle(within: .zero) }
        #expect(busy?.busy.map(\.run.kind) == [.load])
        gate.open()
        try await store.idle()

        #expect(try await page.state(of: Log.self) == Self.saved)
    }

    @Test(
        "a child whose id goes while it is loaded never comes, even if its load succeeds, unless the id comes again",
        arguments: 1...3, [false, true])
    func childGoes(changes: Int, isCancellable: Bool) async throws {
        let persistence: any Relux.StatePersistence =
            isCancellable ? Shelved(on: Shelf(Self.saved, loads: gate)) : Unkept.stubborn(Self.saved, behind: gate)
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { KeptPage(id: $0, persistence: [persistence]) }
        }
        let page = store.scope(of: KeptPage.self, id: "1")
        await dispatching(Pages.Action.open("1"), in: store)

        for change in 1...changes {
            await store.dispatch(change.isMultiple(of: 2) ? Pages.Action.open("1") : .close("1"))
        }
        gate.open()
        try await store.idle()

        let comesAgain = changes.isMultiple(of: 2)
        #expect(await store.isOpen(page) == comesAgain)
        #expect(observer.refusals.entries.isEmpty)
        await store.dispatch(Pages.Action.close("1"))
        #expect(await !store.isOpen(page))
        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()
        #expect(try await page.state(of: Log.self) == Self.saved)
        #expect(observer.trace.entries.count { $0.hasPrefix("registered KeptPage") } == (comesAgain ? 2 : 1))
    }

    @Test("a child that can't be loaded is reported and left out, and tried again when its id comes again")
    func childFails() async throws {
        shelf.breakLoads(.damaged(TestFailure()))
        let store = try await keepPages(on: shelf, observers: [observer])

        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()
        let reason = observer.refusals.entries.first?.reason
        let isNotLoaded = if case .childNotRegistered(.notLoaded) = reason { true } else { false }
        #expect(isNotLoaded, "\(observer.refusals.entries)")
        shelf.breakLoads(nil)
        await store.dispatch(Pages.Action.close("1"))
        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()

        #expect(try await store.scope(of: KeptPage.self, id: "1").state(of: Log.self) == Self.saved)
    }

    @Test("loads that are no longer wanted are cancelled in the order in which they began", arguments: [false, true])
    func cancelledInOrder(isShutdown: Bool) async throws {
        let ids = (0..<8).map { "\($0)" }
        let store = try await Relux.Store {
            Pages.Module { id in
                let held = Unkept<Log>(location: id) { () async throws(Relux.LoadFailure) in
                    await withTaskCancellationHandler {
                        await gate.pass()
                    } onCancel: {
                        trace.note(id)
                    }
                    return nil
                }
                return KeptPage(id: id, persistence: [held])
            }
        }
        for id in ids { await store.dispatch(Pages.Action.open(id)) }
        await gate.arrivals(atLeast: 8)

        if isShutdown { await store.shutdown() } else { await store.unregister(Pages.Module.self) }

        #expect(trace.entries == ids)
        gate.open()
    }

    @Test("shutting down while a child is loaded leaves nobody waiting")
    func shutdownWhileLoading() async throws {
        let store = try await keepPages(on: held)
        await dispatching(Pages.Action.open("1"), in: store)

        let idle = Task { try await store.idle() }
        await store.shutdown()
        gate.open()
        try await idle.value

        #expect(held.value == Self.saved)
    }
}

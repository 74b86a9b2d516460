import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 25: resets, removals, replacements, and what others save", .timeLimit(.minutes(10)))
struct Law25ChangingTests: Staged {
    let scene = Scene()
    private let shelf = Shelf(Log("saved"))
    private let world = SeededExecutor(seed: 25)
    private let others = AsyncStream.makeStream(of: Log.Action.self)

    // MARK: Resets

    @Test("a reset saves the initial value, not the loaded one")
    func resetSaves() async throws {
        let store = try await keep(on: shelf)

        await store.reset()
        try await store.saved()

        #expect(try await store.state(of: Log.self) == Log())
        #expect(shelf.value == Log())
    }

    @Test("a reset that keeps what was saved forgets unsaved changes, and later ones are saved")
    func resetKeeps() async throws {
        let store = try await keep(on: shelf, pace: .slow) { $0.onReset = .keep }

        await store.dispatch(Log.Action.add("unsaved"))
        await store.reset()
        try await store.saved()
        #expect(shelf.events == [.load])
        await store.dispatch(Log.Action.add("new"))
        try await store.saved()

        #expect(shelf.value == Log("new"))
    }

    @Test(
        "what follows a reset in its step is saved, whatever was unsaved before",
        arguments: [Relux.SavedRule.keep, .erase])
    func resetThen(rule: Relux.SavedRule) async throws {
        let store = try await keep(on: shelf, pace: .slow) { $0.onReset = rule }

        await store.dispatch(Log.Action.add("unsaved"))
        await store.reset(then: Log.Action.add("new"))
        try await store.saved()

        #expect(shelf.value == Log("new"))
    }

    @Test("a caller whose save a reset forgets is told so when the other saves that it waits for are done")
    func resetOfOneOfTwo() async throws {
        let (log, pages) = (Shelf<Log>(saves: gate), Shelf<Pages>(saves: gate))
        let store = Relux.Store(.init(executor: world))
        let module = Part<TagA>(
            states: [Log(), Pages()], persistence: [Shelved(on: log).with { $0.onReset = .keep }, Shelved(on: pages)])
        await world.settle { try await store.register(module) }
        await world.settle { await store.dispatch(Log.Action.add("a")) }
        await store.dispatch {
            Log.Action.add("b")
            Pages.Action.open("p")
        }
        let hasEnded = Trace<Bool>()
        let saving = await world.settle {
            defer { hasEnded.note(pages.value != nil) }
            try await store.saved()
        }

        await world.settle { await store.reset() }
        let before = hasEnded.entries
        await world.open(gate)

        await #expect(throws: CancellationError.self) { try await saving.value }
        #expect(before == [])
        #expect(hasEnded.entries == [true])
    }

    @Test("a reset that erases does so after the save under way, and waits for it")
    func resetErases() async throws {
        let shelf = Shelf<Log>(saves: gate)
        let store = try await keep(on: shelf) { $0.onReset = .erase }

        await dispatching(Log.Action.add("a"), in: store)
        await store.dispatch(Log.Action.add("b"))
        let reset = Task { await store.reset() }
        for await value in store.values(of: Log.self) where value == Log() { break }
        gate.open()
        await reset.value

        #expect(shelf.events == [.load, .save(Log("a")), .saved(Log("a")), .erase, .erased])
        #expect(shelf.value == nil)
    }

    @Test("an erasure that fails is reported, and comes before the next save")
    func erasureFails() async throws {
        let store = try await keep(on: shelf) { $0.onReset = .erase }
        let failures = store.failures

        shelf.failNext(1)
        await store.reset()
        #expect(await failures.first { _ in true }?.run.kind == .save)
        #expect(shelf.value == Log("saved"))
        await store.dispatch(Log.Action.add("new"))
        try await store.saved()

        #expect(shelf.events.dropFirst(3) == [.erase, .erased, .save(Log("new")), .saved(Log("new"))])
    }

    @Test("a reset doesn't wait for saves that keep their pace, also of a state that an earlier reset has erased")
    func resetWaitsForNothingElse() async throws {
        let store = try await keep(on: shelf, pace: .slow) { $0.onReset = .erase }
        try await store.register(Scales.Module())

        await store.dispatch(Log.Action.add("a"))
        await store.reset()
        store.send(Log.Action.add("b"))
        await store.unregister(Scales.Module.self)

        #expect(shelf.value == nil)
        #expect(try await store.state(of: Log.self) == Log("b"))
    }

    // MARK: Removals

    @Test("a removal that erases forgets what is unsaved, and a later registration finds nothing")
    func removalErases() async throws {
        let store = try await keep(on: shelf, pace: .slow) { $0.onRemoval = .erase }

        await store.dispatch(Log.Action.add("unsaved"))
        await store.unregister(KeptLog.self)
        #expect(shelf.events == [.load, .erase, .erased])
        try await store.register(KeptLog(on: shelf))

        #expect(try await store.state(of: Log.self) == Log())
    }

    @Test("a shutdown and a release are no removals", arguments: [false, true])
    func shutdownIsNoRemoval(isReleased: Bool) async throws {
        let saved = Log("saved", "new")
        var store: Relux.Store? = try await keep(on: shelf, pace: .slow) { $0.onRemoval = .erase }
        await store?.dispatch(Log.Action.add("new"))

        if !isReleased { await store?.shutdown() }
        store = nil
        await shelf.saved(saved)

        #expect(shelf.value == saved)
        #expect(!shelf.events.contains(.erase))
    }

    // MARK: Replacing

    @Test(
        "the old persistence saves what is unsaved, or this is reported; the new one continues and loads nothing",
        arguments: [false, true])
    func replaces(fails: Bool) async throws {
        let (old, new) = (Shelf<Log>(), Shelf(Log("elsewhere")))
        if fails { old.failNext(1) }
        let store = try await keep(on: old, pace: .slow)
        let failures = store.failures

        await store.dispatch(Log.Action.add("a"))
        try await store.replace(KeptLog(on: new))
        try await store.saved()
        if fails { #expect(await failures.first { _ in true }?.run.kind == .save) }
        #expect(old.value == (fails ? nil : Log("a")))
        // What the old one has failed to save.
        #expect(new.begun == (fails ? [Log("a")] : []))
        await store.dispatch(Log.Action.add("b"))
        try await store.saved()

        #expect(old.value == (fails ? nil : Log("a")))
        #expect(new.value == Log("a", "b"))
        #expect(!new.events.contains(.load))
    }

    @Test("in a store that ignores persistence, a module that persists a state can be replaced")
    func replacesWithoutSaving() async throws {
        let shelf = Shelf<Log>()
        var configuration = Relux.StoreConfiguration()
        configuration.ignoresPersistence = true
        let store = try await Relux.Store(configuration) { KeptLog(on: shelf) }

        try await store.replace(KeptLog(on: shelf))
        await store.dispatch(Log.Action.add("a"))
        try await store.saved()

        #expect(shelf.events == [])
    }

    @Test("what changes while the old persistence saves for the last time is saved by the new one")
    func changesWhileReplaced() async throws {
        let (old, new) = (Shelf<Log>(saves: gate), Shelf<Log>())
        let store = Relux.Store(.init(executor: world))
        await world.settle { try await store.register(KeptLog(on: old)) }
        await world.settle { await store.dispatch(Log.Action.add("a")) }

        let replacing = await world.settle { try await store.replace(KeptLog(on: new)) }
        await store.dispatch(Log.Action.add("b"))
        await world.open(gate)
        try await replacing.value

        #expect(old.begun == [Log("a")])
        #expect(new.value == Log("a", "b"))
    }

    @Test(
        "a reset or a removal goes by the rules of the new persistence, although the old one still saves",
        arguments: [false, true])
    func rulesOfReplacement(isReset: Bool) async throws {
        let (old, new) = (Shelf<Log>(saves: gate), Shelf<Log>())
        let store = Relux.Store(.init(executor: world))
        await world.settle { try await store.register(KeptLog(on: old)) }
        await store.dispatch(Log.Action.add("a"))
        await world.settle {
            try await store.replace(KeptLog(on: new) { ($0.onReset, $0.onRemoval) = (.erase, .erase) })
        }

        await world.settle { if isReset { await store.reset() } else { await store.unregister(KeptLog.self) } }
        await world.open(gate)

        #expect(new.events == [.erase, .erased])
    }

    @Test(
        "as long as the old persistence saves, nothing else uses its place, even if a reset has ended the wait for it")
    func placeOfReplaced() async throws {
        let (old, new) = (Shelf<Log>(saves: gate), Shelf<Log>())
        let page = KeptPage(id: "1", on: old)
        let store = Relux.Store(.init(executor: world))
        await world.settle { try await store.register(KeptLog(on: old) { $0.onReset = .keep }) }
        await world.settle { await store.dispatch(Log.Action.add("a")) }
        await store.dispatch(Log.Action.add("b"))
        await world.settle { try await store.replace(KeptLog(on: new)) }
        await world.settle { await store.reset() }

        let refused = await world.settle { await Relux.StoreError.name { try await store.register(page) } }
        await world.open(gate)

        #expect(try await refused.value == "savedTwice")
        #expect(old.events.count { $0 == .load } == 1)
        try await world.settle { try await store.register(page) }.value
    }

    @Test("a replacement saves no two states in one place, nor one where another state of the module is saved")
    func placesOfReplacement() async throws {
        @Sendable func module(_ log: String, _ pages: String) -> Part<TagA> {
            Part(
                states: [Log(), Pages()],
                persistence: [Unkept<Log>(location: log), Unkept<Pages>(location: pages)])
        }
        let store = try await Relux.Store { module("1", "2") }

        for (log, pages) in [("3", "3"), ("2", "3"), ("2", "1")] {
            #expect(await Relux.StoreError.name { try await store.replace(module(log, pages)) } == "savedTwice")
        }
        try await store.replace(module("1", "3"))
        try await store.replace(module("2", "3"))
    }

    @Test("a module that persists other states can't replace another, nor one that saves where a third does")
    func refusesReplacement() async throws {
        let page = Shelf<Log>()
        let store = try await keep(on: shelf)
        try await store.register(KeptPage(id: "1", on: page))

        #expect(await Relux.StoreError.name { try await store.replace(KeptLog(persistence: [])) } == "otherStates")
        #expect(await Relux.StoreError.name { try await store.replace(KeptLog(on: page)) } == "savedTwice")
    }

    // MARK: Others

    @Test("what others have saved is taken in, counts as saved, and isn't saved again")
    func takesIn() async throws {
        let store = try await keep(on: shelf) { $0.others = others.stream }
        let values = store.values(of: Log.self)

        others.continuation.yield(.add("theirs"))
        for await value in values where value.entries.last == "theirs" { break }
        try await store.idle()
        try await store.saved()
        #expect(shelf.events == [.load, .tookIn])
        await store.dispatch(Log.Action.add("ours"))
        try await store.saved()

        #expect(shelf.value == Log("saved", "theirs", "ours"))
    }

    @Test("unsaved changes are saved before what others have saved is taken in", arguments: [true, false])
    func takesInAfterSave(isUnderWay: Bool) async throws {
        let shelf = Shelf<Log>(saves: gate)
        let store = try await keep(on: shelf, pace: isUnderWay ? .atOnce : .slow) { $0.others = others.stream }
        let values = store.values(of: Log.self)

        await store.dispatch(Log.Action.add("ours"))
        if isUnderWay { await gate.arrivals() }
        others.continuation.yield(.add("theirs"))
        await gate.arrivals()
        gate.open()
        for await value in values where value.entries.last == "theirs" { break }

        #expect(shelf.events == [.load, .save(Log("ours")), .saved(Log("ours")), .tookIn])
    }

    @Test("what others have saved is no longer taken in when the module has gone")
    func stopsTakingIn() async throws {
        let shelf = Shelf<Log>()
        let store = try await keep(on: shelf) { $0.others = others.stream }

        let isOver = Gate()
        others.continuation.onTermination = { _ in isOver.open() }
        await store.unregister(KeptLog.self)
        await isOver.pass()

        #expect(shelf.events == [.load])
    }
}

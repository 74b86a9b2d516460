import ReluxTesting
import TestFixtures
import Testing

@testable import Relux

/// What modules, instances, waits, and saves must not leave behind.
@Suite("Leftovers", .timeLimit(.minutes(10)))
struct LeftoversTests {
    private typealias Page = InstancePart

    private let world = SeededExecutor(seed: 4)
    private let gate = Gate()
    private let shelf: Shelf<Log>
    private let store: Relux.Store

    init() {
        shelf = Shelf(saves: gate)
        store = Relux.Store(.init(executor: world))
    }

    /// Keeps a log on the shelf, and changes it.
    private func keepChangedLog(sagas: [any Relux.Saga] = []) async throws {
        let module = KeptLog(persistence: [Shelved(on: shelf)], sagas: sagas)
        try await world.settle { [store] in try await store.register(module) }.value
        await store.dispatch(Log.Action.add("a"))
    }

    enum End: CaseIterable { case shutdown, release }

    /// Expects that an object goes with the store into which the body puts it, whatever the body returns.
    private func expectRelease(
        with ending: End, of body: (Relux.Store, Probe) async throws -> Any
    ) async throws {
        var store: Relux.Store? = Relux.Store(.init(executor: world))
        var kept: Any?
        let gone = try await Probe.pass { kept = try await body(#require(store), $0) }

        switch ending {
        case .shutdown: await world.settle { [store] in await store?.shutdown() }
        case .release: store = nil
        }
        await world.rest()

        #expect(gone.hasFired)
        withExtendedLifetime((store, kept)) {}
    }

    // MARK: Modules and instances

    @Test("a child that requires the module that holds it is released with the store", arguments: End.allCases)
    func childRequiresItsHolder(_ ending: End) async throws {
        try await expectRelease(with: ending) { store, probe in
            let child = Relux.Children.each(of: Pages.self, \.open) { id, _ in Page(id: id, requires: [Part<TagA>.self])
            }
            try await store.register(Part<TagA>(states: [Pages(), ProbedState(probe: probe)], children: [child]))
            return await store.dispatch(Pages.Action.open("p"))
        }
    }

    @Test("a module in an instance that it requires is released with the store", arguments: End.allCases)
    func innerModuleRequiresItsInstance(_ ending: End) async throws {
        try await expectRelease(with: ending) { store, probe in
            let inner = Part<TagA>(states: [ProbedState(probe: probe)], requires: [Page.self])
            try await store.register(Page(id: "p"))
            return try await store.scope(of: Page.self, id: "p").register(inner)
        }
    }

    enum Kept: CaseIterable { case scope, dispatcher, iterator, viewState }

    @Test(
        "what is kept of an instance keeps no states of modules inside it", arguments: End.allCases, Kept.allCases)
    func keptOfInstance(_ ending: End, _ kept: Kept) async throws {
        try await expectRelease(with: ending) { store, probe in
            let inner = Part<TagA>(states: [ProbedState(probe: probe)])
            try await store.register(Page(id: "p", states: [Log()], dependencies: [inner]))
            let scope = store.scope(of: Page.self, id: "p")
            switch kept {
            case .scope:
                await scope.dispatch(Log.Action.add("a"))
                return scope
            case .dispatcher:
                await scope.dispatcher.dispatch(Log.Action.add("a"))
                return scope.dispatcher
            case .iterator:
                var iterator = scope.values(of: Log.self).makeAsyncIterator()
                _ = await iterator.next()
                return iterator
            case .viewState: return try await MainActor.run { try scope.viewState(of: Log.self) }
            }
        }
    }

    @Test("a module with several handlers of one action is no larger after it was replaced again and again")
    func replacements() async throws {
        let reducer = Relux.Reducer(of: Counter<TagA>.self, on: Counter<TagA>.Add.self) { state, _ in state.value += 1 }
        let module = Part<TagA>(states: [Counter<TagA>()], reducers: [reducer, reducer, .ticking(TagA.self)])
        try await store.register(
            module, Part<TagB>(reducers: [.ticking(TagA.self, by: 10)], requires: [Part<TagA>.self]))

        for _ in 0..<10 { try await store.replace(module) }

        #expect(await store.inside { core in core.tree.root.registrations.map(\.routes.count) } == [2, 1])
        await store.dispatch(Counter<TagA>.Add())
        #expect(await store.count(of: TagA.self) == 3)
        await store.unregister(Part<TagB>.self)
        await store.unregister(Part<TagA>.self)
        #expect(await store.contents() == [:])
    }

    @Test("a table of 100,000 numbers whose elements are removed is small again, and loses none on its way")
    func tablesOfNumbers() {
        var map = NumberMap<UInt64>()
        var slots: Int { Inside.count(of: "slots", in: map) ?? -1 }
        let kept: ClosedRange<UInt64> = 1...8

        for key in 1...100_000 as ClosedRange<UInt64> { map[key] = key }
        let full = slots
        for key in 9...100_000 as ClosedRange<UInt64> { map[key] = nil }

        #expect(full >= 100_000)
        #expect(slots <= 64)
        #expect(map.values.sorted() == Array(kept))
        #expect(kept.allSatisfy { map[$0] == $0 })
        // Elements that come and go at the limit don't rebuild it each time.
        let few = slots
        for key in 9...16 as ClosedRange<UInt64> {
            map[key] = key
            map[key] = nil
        }
        #expect(slots == few)
    }

    @Test("a policy's id that isn't equal to itself is an id like any other, and leaves nothing behind")
    func idsLikeNaN() async throws {
        struct Place: Hashable { var x, y: Double }
        let trace = Trace<String>()
        let saga = ClosureSaga<Job>(policy: \.policy) { [gate] job, _ in
            trace.note(job.name)
            await gate.pass()
        }
        try await store.register(Part<TagA>(sagas: [saga]))

        for (number, id) in [Place(x: .nan, y: 1), Place(x: .nan, y: 1), Place(x: .nan, y: 2)].enumerated() {
            await world.settle { await store.dispatch(Job("place \(number)", .leading(id: id))) }
        }
        let laneCount = await store.inside { core in core.lanes.count { !$0.isUnused } }
        let receipt = await store.dispatch(Job("number", .serial(id: Double.nan)))
        await store.cancel(ClosureSaga<Job>.self, id: Double.nan)
        await world.open(gate)

        #expect(trace.entries == ["place 0", "place 2"])
        #expect(await receipt.outcome().description == "cancelled")
        #expect(laneCount == 2)
        #expect(await store.leftovers() == [:])
        #expect(await store.inside { core in core.lanes.count { $0.key != nil } } == 0)
    }

    @Test("a wrapper of runs that leads to the store is released with it")
    func wrapper() async throws {
        var store: Relux.Store?
        let gone = await Probe.pass { probe in
            let dispatchers = Trace<Relux.Dispatcher>()
            store = Relux.Store(
                .init(
                    executor: world,
                    aroundRun: { _, body in
                        try await body()
                        withExtendedLifetime((probe, dispatchers)) {}
                    }))
            if let store { dispatchers.note(store.dispatcher) }
        }

        store = nil
        await world.rest()

        #expect(gone.hasFired)
    }

    // MARK: Runs

    @Test("what a saga listens to is not kept if the step of its trigger removes it")
    func listeningOfWhatGoes() async throws {
        let observer = RecordingObserver()
        let store = Relux.Store(.init(executor: world, observers: [observer]))
        let saga = Relux.Reaction(to: Pages.Action.self, listens: [Tick.self]) { _, _ in }
        try await store.register(Part<TagA>(sagas: [saga]))
        try await store.register(Pages.Module { Page(id: $0, requires: [Part<TagA>.self]) })
        await world.settle { await store.dispatch(Pages.Action.open("p")) }
        await store.unregister(Part<TagA>.self)

        await store.dispatch(Pages.Action.close("p"))
        await world.settle { await store.dispatch(Tick()) }

        #expect(await store.leftovers() == [:])
        #expect(observer.reasons == ["actionNotTaken"])
    }

    @Test("lanes whose windows are over are given up, whatever else is triggered")
    func lanes() async throws {
        let clock = ManualClock { [world] in await world.rest() }
        let store = Relux.Store(.init(clock: clock, executor: world))
        let numbered = ClosureSaga<Job>(policy: \.policy) { _, _ in }
        try await store.register(Part<TagA>(sagas: [numbered, WorkSaga(policy: .serial) { _, _ in }]))

        for number in 0..<300 {
            await store.dispatch(Job("\(number)", .throttle(.seconds(1), id: number)))
            await store.dispatch(Work())
            await world.rest()
            await clock.advance(by: .seconds(2))
        }

        #expect(await store.inside { core in core.lanes.count } <= 65)
    }

    // MARK: Loads and saves

    enum Closing: CaseIterable { case id, module, instance, replacement }

    @Test("the load of a child is cancelled with what wants the child", arguments: Closing.allCases)
    func loadsOfChildren(_ closing: Closing) async throws {
        let trace = Trace<String>()
        let endless = Unkept<ProbedState> { () async throws(Relux.LoadFailure) in
            trace.note("load")
            for await _ in AsyncStream.makeStream(of: Never.self).stream {}
            trace.note("cancelled")
            throw .unavailable(CancellationError())
        }
        let book = Pages.Module { Page(id: $0, states: [ProbedState()], persistence: [endless]) }
        if closing == .instance {
            try await store.register(Page(id: "t", states: [Pages(open: ["p"])], children: book.children))
        } else {
            try await store.register(book)
            await store.dispatch(Pages.Action.open("p"))
        }
        await world.rest()

        await world.settle {
            switch closing {
            case .id: await store.dispatch(Pages.Action.close("p"))
            case .module: await store.unregister(Pages.Module.self)
            case .instance: await store.unregister(Page.self, id: "t")
            case .replacement: try await store.replace(Pages.Module { Page(id: $0, states: [ProbedState()]) })
            }
        }

        #expect(trace.entries == ["load", "cancelled"])
        #expect(await store.leftovers() == [:])
    }

    @Test("a place that is replaced before anything was saved there is free", arguments: [false, true])
    func places(isRemoved: Bool) async throws {
        try await keepChangedLog()
        let shelves = [Shelf<Log>(), Shelf<Log>()]
        for shelf in shelves { await world.settle { try await store.replace(KeptLog(on: shelf)) } }
        let removal = await world.settle { if isRemoved { await store.unregister(KeptLog.self) } }
        await world.open(gate)
        try await removal.value

        #expect(await store.inside { core in core.count("places", in: core.savings) } == (isRemoved ? 0 : 1))
        let page = await world.settle { try await store.register(KeptPage(id: "p", on: shelves[0])) }
        await #expect(throws: Never.self) { try await page.value }
    }

    @Test(
        "a saved() that is cancelled, or ends with its run, leaves no group behind while the save takes long",
        arguments: [false, true])
    func cancelledSaved(inRun: Bool) async throws {
        try await keepChangedLog(sagas: [WorkSaga(policy: .latest) { _, context in try await context.saved() }])
        await world.settle { if inRun { await store.dispatch(Work()) } }
        let before = await store.inside { core in core.waitsForSaves }

        for _ in 0..<10 {
            // Each run supersedes the one before it.
            let wait = await world.settle {
                if inRun { await store.dispatch(Work()) } else { try await store.saved() }
            }
            wait.cancel()
            await world.rest()
        }

        #expect(await store.inside { core in core.waitsForSaves } == before)
        await world.open(gate)
    }

    @Test("a stream of failures that is given up after a shutdown is forgotten before the last saves end")
    func failuresAfterShutdown() async throws {
        try await keepChangedLog()
        func streamCount() async -> Int {
            await store.inside { core in core.count("failureStreams", in: core.reporter) }
        }
        var failures: Relux.FailureStream? = store.failures
        let shutdown = await world.settle { await store.shutdown() }
        let before = await streamCount()

        withExtendedLifetime(failures) {}
        failures = nil

        #expect(before == 1)
        #expect(await streamCount() == 0)
        await world.open(gate)
        try await shutdown.value
    }

    @Test("a state that others change keeps no earlier value")
    func followedState() async throws {
        let (others, continuation) = AsyncStream.makeStream(of: ProbedState.Action.self)
        let probes = Trace<Event>()
        let persistence = Unkept<ProbedState>(others: others) { () throws(Relux.LoadFailure) in
            let probe = Probe()
            probes.note(probe.gone)
            return ProbedState(probe: probe)
        }
        let dropping = Relux.Reducer(of: ProbedState.self, on: Tick.self) { state, _ in state.probe = nil }
        let page = Page(id: "p", states: [ProbedState()], reducers: [dropping], persistence: [persistence])
        await world.settle { try await store.register(page) }

        await store.scope(of: Page.self, id: "p").dispatch(Tick())
        await world.settle { try await store.saved() }

        #expect(probes.entries.map(\.hasFired) == [true])
        withExtendedLifetime(continuation) {}
    }

    @Test("a state that went right after its persistence was replaced can be loaded again")
    func replacedAndGone() async throws {
        /// Closes the page when it is cancelled.
        struct Closing: Relux.Saga {
            func run(_ trigger: Work, in context: Relux.SagaContext) async throws { try await untilCancelled() }
            func actionOnCancel(_ trigger: Work) -> (any Relux.Action)? { Pages.Action.close("p") }
        }
        @Sendable func library() -> Pages.Module {
            // Only one entry is worth saving.
            let persistence = Shelved(on: Shelf<Log>(), pace: .slow).with { $0.isWorth = { $1.entries.count == 1 } }
            return Pages.Module(sagas: [Closing()]) { KeptPage(id: $0, persistence: [persistence]) }
        }
        try await store.register(library())
        await world.settle { await store.dispatch(Pages.Action.open("p")) }
        let page = store.scope(of: KeptPage.self, id: "p")
        for entry in ["a", "b"] { await page.dispatch(Log.Action.add(entry)) }
        await store.dispatch(Work())

        try await world.settle { try await store.replace(library()) }.value
        let isOpen = (try? await page.state(of: Log.self)) != nil
        await world.settle { await store.dispatch(Pages.Action.open("p")) }

        #expect(!isOpen)
        #expect(try await page.state(of: Log.self) == Log())
    }

    @Test("a registration that waits for a save is resumed when the store is killed")
    func killedWhileWaiting() async throws {
        try await keepChangedLog()
        await world.settle { await store.unregister(KeptLog.self) }
        let registration = await world.settle { try await store.register(KeptLog(on: shelf)) }

        await world.settle { await store.kill() }

        await #expect(throws: Relux.StoreError.self) { try await registration.value }
        #expect(await store.inside { core in core.savings.isIdle })
        await world.open(gate)
    }

    // MARK: Views

    @Test("a screen whose observer refers to it is released after the observation") @MainActor
    func observation() async throws {
        @MainActor final class Screen {
            let probe = Probe()
            private let state: Relux.UI.ViewState<Log>
            private var observation: Relux.UI.ViewObservation?
            private var count = 0

            init(_ state: Relux.UI.ViewState<Log>) {
                self.state = state
                observation = state.observe { _, _ in self.count += 1 }
            }

            func stop() { observation = nil }
        }
        let store = try await Relux.Store { Log.Module() }
        func show() throws -> Event {
            let screen = Screen(try store.viewState(of: Log.self))
            screen.stop()
            return screen.probe.gone
        }

        let gone = try show()

        #expect(gone.hasFired)
    }

    /// A view state that shows -1 as long as there is nothing to show.
    @MainActor
    private func viewState(_ query: StateQuery<Int>, ofPageIn store: Relux.Store) throws -> Relux.UI.ViewState<Int> {
        var query = query
        query.otherwise = -1
        return try ViewHub.viewState(query, store.scope(of: Page.self, id: "p").handle, at: Relux.CallSite())
    }

    @Test("a view state shows that its instance has gone, even if it reads nothing") @MainActor
    func goneInstance() async throws {
        let store = try await Relux.Store { Page(id: "p") }
        let state = try viewState(.selection({ _ in 0 }), ofPageIn: store)
        let before = state.value

        await store.unregister(Page.self, id: "p")
        store.doNow(Tick())

        #expect([before, state.value] == [0, -1])
    }

    @Test("a view state of a missing instance shows it, whatever has taken actions of such instances") @MainActor
    func missedInstance() async throws {
        let store = Relux.Store()
        let reducer = Relux.Reducer(of: Counter<TagB>.self, on: Relux.ChildAction<Page, Counter<TagC>.Add>.self) {
            _, _ in
        }
        try await store.register(Part<TagB>(states: [Counter<TagB>()], reducers: [reducer]))
        let query = StateQuery<Int>.selection({ (state: Counter<TagC>) in state.value }, at: Relux.CallSite())
        let state = try viewState(query, ofPageIn: store)
        await store.unregister(Part<TagB>.self)

        try await store.register(Page(id: "p", states: [Counter<TagC>(value: 5)]))
        store.doNow(Tick())

        #expect(state.value == 5)
    }
}

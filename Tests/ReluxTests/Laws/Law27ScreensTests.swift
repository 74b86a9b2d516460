import Dispatch
import Relux
import ReluxTesting
import Testing

@Suite("Law 27: no tearing", .timeLimit(.minutes(10))) @MainActor
struct Law27ScreensTests {
    private typealias ViewState = Relux.UI.ViewState

    private func makeStore(_ configuration: Relux.StoreConfiguration = .init()) async throws -> Relux.Store {
        try await Relux.Store(configuration) {
            Part<TagA>(states: [Counter<TagA>()], reducers: [.ticking(TagA.self)])
            Part<TagB>(states: [Counter<TagB>()], reducers: [.ticking(TagB.self)])
            Log.Module()
        }
    }

    private func firstCount(of store: Relux.Store) throws -> ViewState<Int> {
        try store.viewState(of: Counter<TagA>.self, \.value)
    }

    private func secondCount(of store: Relux.Store) throws -> ViewState<Int> {
        try store.viewState(of: Counter<TagB>.self, \.value)
    }

    // MARK: One point of the order

    @Test("main-actor code sees all view states at one point, whatever is dispatched elsewhere")
    func noTearing() async throws {
        let store = try await makeStore()
        let first = try firstCount(of: store)
        let second = try secondCount(of: store)
        let both = try store.viewState { [$0[Counter<TagA>.self]?.value ?? 0, $0[Counter<TagB>.self]?.value ?? 0] }
        let dispatching = Task.detached {
            for _ in 0..<2_000 { await store.dispatch(Tick()) }
        }
        var torn = 0
        for round in 0..<500 {
            if round % 7 == 0 { store.doNow(Tick()) }
            // One that is made later shows the same point as well.
            let late = try secondCount(of: store)
            if Set([first.value, second.value, late.value] + both.value).count != 1 { torn += 1 }
            // Waits for nothing: it ends the turn of the main actor, so that an update can come between two rounds.
            await Task.yield()
        }
        await dispatching.value
        await turn()

        #expect(torn == 0)
        #expect(first.value == 2_000 + 72)
        #expect(both.value == [2_072, 2_072])
    }

    @Test("one that is made brings the others to the same point first")
    func madeLater() async throws {
        let store = try await makeStore()
        let first = try store.viewState(of: Log.self) { $0.entries.count }

        await Task.detached { _ = await store.dispatch(Log.Action.add("a")) }.value
        store.send(Log.Action.add("b"))
        let second = try store.viewState(of: Log.self) { $0.entries.count }

        #expect(second.value == 2)
        #expect(first.value == 2)
    }

    // MARK: Two phases

    @Test("every willChange and onChange comes before the first change, and every didChange after the last")
    func twoPhases() async throws {
        let store = try await makeStore()
        let first = try firstCount(of: store)
        let second = try secondCount(of: store)
        let calls = Trace<String>()
        let note: @MainActor @Sendable (String) -> Void = { calls.note("\($0): \(first.value) \(second.value)") }
        first.willChange = { new in note("first will be \(new)") }
        second.willChange = { new in note("second will be \(new)") }
        first.didChange = { old in note("first was \(old)") }
        second.didChange = { old in note("second was \(old)") }
        let observation = first.observe { old, new in note("first \(old) → \(new)") }
        beforeChange(of: (first.value, second.value)) { MainActor.assumeIsolated { note("onChange") } }

        store.doNow(Tick())

        #expect(
            calls.entries == [
                "first will be 1: 0 0", "second will be 1: 0 0", "onChange: 0 0", "first was 0: 1 1",
                "first 0 → 1: 1 1",
                "second was 0: 1 1",
            ]
        )
        withExtendedLifetime(observation) {}
    }

    @Test("a dispatchNow during an update is reduced at once, and shown before the outer call returns")
    func nested() async throws {
        let store = try await makeStore()
        let count = try firstCount(of: store)
        let log = try store.viewState(of: Log.self) { $0.entries }
        var seen: [String] = []
        count.didChange = { _ in
            store.doNow(Log.Action.add("nested \(count.value)"))
            let reduced = (try? store.lookNow(at: Log.self).entries) ?? []
            seen.append("reduced \(reduced), shown \(log.value)")
        }
        log.didChange = { _ in
            if log.value.count < 3 { store.doNow(Log.Action.add("again")) }
        }

        store.doNow(Tick())

        #expect(seen == ["reduced [\"nested 1\"], shown []"])
        #expect(log.value == ["nested 1", "again", "again"])
    }

    @Test("one that is made during an update joins in the further round")
    func madeDuringUpdate() async throws {
        let store = try await makeStore()
        let count = try firstCount(of: store)
        var made: ViewState<Int>?
        var others: [Int] = []
        count.willChange = { _ in
            guard made == nil else { return }
            store.doNow(Tick())
            made = try? secondCount(of: store)
            made?.didChange = { others.append($0) }
        }

        store.doNow(Tick())

        #expect(made?.value == 2)
        #expect(count.value == 2)
        #expect(others == [])
    }

    // MARK: Turns

    /// Makes a store whose updates' turns of the main actor are counted.
    private func countingTurns() async throws -> (store: Relux.Store, turns: RelaxedCounter) {
        let turns = RelaxedCounter()
        var configuration = Relux.StoreConfiguration()
        configuration.mainActor = MainActorContext(isCurrent: MainActorContext.mainActor.isCurrent) { body in
            turns.increment()
            MainActorContext.mainActor.enqueue(body)
        }
        return (try await makeStore(configuration), turns)
    }

    @Test("an update takes one turn, however many view states change and however many actions were reduced")
    func turns() async throws {
        let (store, turns) = try await countingTurns()
        let states = try (0..<100).map { number in
            try store.viewState(of: Log.self) { "\(number): \($0.entries.count)" }
        }

        for number in 0..<1_000 { store.send(Log.Action.add("\(number)")) }
        let changed = AsyncStream.makeStream(of: Void.self)
        states[0].didChange = { _ in changed.continuation.yield() }
        var changes = changed.stream.makeAsyncIterator()
        while states[0].value != "0: 1000" { await changes.next() }

        #expect(states.map(\.value) == (0..<100).map { "\($0): 1000" })
        // One, unless the mail was collected in several parts.
        #expect(turns.count <= 3)
    }

    @Test("a dispatchNow on the main actor takes no turn, and one elsewhere takes one")
    func turnsOfVerbs() async throws {
        let (store, turns) = try await countingTurns()
        let state = try store.viewState(of: Log.self) { $0.entries.count }

        for number in 0..<10 { store.doNow(Log.Action.add("\(number)")) }
        let onMainActor = turns.count
        await Task.detached { _ = store.doNow(Log.Action.add("elsewhere")) }.value
        await turn()

        #expect(onMainActor == 0)
        #expect(turns.count == 1)
        #expect(state.value == 11)
    }

    @Test("an action that concerns no view state causes no update")
    func unconcerned() async throws {
        let (store, turns) = try await countingTurns()
        let selections = Trace<Int>()
        let state = try store.viewState(of: Log.self) { log in
            selections.note(log.entries.count)
            return log.entries.count
        }

        await Task.detached { for _ in 0..<100 { await store.dispatch(Tick()) } }.value
        store.doNow(Tick())
        await turn()

        #expect(turns.count == 0)
        #expect(selections.entries == [0])
        #expect(state.value == 0)
    }

    // MARK: Where a call is made

    /// Calls a body on a queue.
    private func on(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) } }
    }

    @Test("the executor decides whether a call is on the main actor, not the thread")
    func executors() async throws {
        let isCurrent = MainActorContext.mainActor.isCurrent
        // The first one runs its jobs on the main queue, without being the main actor.
        let (main, pool) = (
            ClosureExecutor { job in DispatchQueue.main.async { job() } },
            ClosureExecutor { job in DispatchQueue.global().async { job() } }
        )
        let inDrivenJob = Trace<Bool>()
        let executor = SeededExecutor(seed: 1)
        Task(executorPreference: executor) { inDrivenJob.note(isCurrent()) }
        executor.drain()

        #expect(isCurrent())
        #expect(await Task(executorPreference: pool) { @MainActor in isCurrent() }.value)
        #expect(await !Task.detached { isCurrent() }.value)
        #expect(await on(.main, isCurrent))
        #expect(await !on(.global(), isCurrent))
        #expect(await !Task(executorPreference: main) { isCurrent() }.value)
        #expect(inDrivenJob.entries == [false])
    }

    // MARK: Animations

    @Test("the apply closures of all that change are nested around one change phase")
    func applying() async throws {
        let store = try await makeStore()
        let first = try firstCount(of: store)
        let second = try secondCount(of: store)
        let log = try store.viewState(of: Log.self)
        var calls: [String] = []
        func note(_ name: String) { calls.append("\(name): \(first.value) \(second.value)") }
        first.apply = { change in
            note("first begins")
            change()
            note("first ends")
        }
        second.apply = { change in
            note("second begins")
            change()
            change()
            note("second ends")
        }
        log.apply = { _ in calls.append("never") }
        first.willChange = { _ in note("will") }
        second.didChange = { _ in note("did") }

        await Task.detached { _ = await store.dispatch(Tick()) }.value
        await turn()
        let animated = calls
        calls = []
        store.doNow(Tick())

        #expect(
            animated == [
                "will: 0 0", "first begins: 0 0", "second begins: 0 0", "second ends: 1 1", "first ends: 1 1",
                "did: 1 1",
            ]
        )
        #expect(calls == ["will: 1 1", "did: 2 2"])
    }

    @Test("what an apply closure doesn't change is changed after it has returned")
    func notApplied() async throws {
        let store = try await makeStore()
        let state = try firstCount(of: store)
        var values: [Int] = []
        state.apply = { _ in values.append(state.value) }
        state.didChange = { _ in values.append(state.value) }

        await Task.detached { _ = await store.dispatch(Tick()) }.value
        await turn()

        #expect(values == [0, 1])
    }
}

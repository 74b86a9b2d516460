import Relux
import ReluxTesting
import Testing

@Suite("Law 25: what changes is saved", .timeLimit(.minutes(10)))
struct Law25SavingTests: Staged {
    let scene = Scene()
    private let shelf = Shelf<Log>()
    /// Its saves wait at the gate.
    private let held: Shelf<Log>

    init() { held = Shelf(saves: scene.gate) }

    // MARK: When

    @Test("a change is saved within its pace, together with those that follow it, and idle waits for that")
    func pace() async throws {
        let store = try await keep(on: shelf, pace: .within(.seconds(2)))

        await store.dispatch(Log.Action.add("a"))
        let notIdle = await #expect(throws: Relux.NotIdle.self) { try await store.idle(within: .zero) }
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
        await store.dispatch(Log.Action.add("b"))
        #expect(shelf.events == [.load])
        let idle = Task { try await store.idle() }
        await clock.advance(by: .seconds(1))
        try await idle.value

        #expect(notIdle?.busy.map(\.run.kind) == [.save])
        #expect(notIdle?.busy.first?.run.saga == Log.self)
        #expect(shelf.begun == [Log("a", "b")])
        #expect(shelf.value == Log("a", "b"))
    }

    @Test("saves of one state run one at a time, each with the newest value")
    func oneAtATime() async throws {
        let store = try await keep(on: held)

        await dispatching(Log.Action.add("a"), in: store)
        for entry in ["b", "c", "d"] { await store.dispatch(Log.Action.add(entry)) }
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)
        gate.open()
        try await store.idle()

        #expect(held.begun == [Log("a"), Log("a", "b", "c", "d")])
    }

    @Test("saved() waits for no pace, and like idle includes what the task has sent before", arguments: [false, true])
    func includesSends(isIdle: Bool) async throws {
        let store = try await keep(on: shelf, pace: isIdle ? .atOnce : .slow)

        for round in 0..<100 {
            await store.dispatch(Log.Action.add("d\(round)"))
            store.send(Log.Action.add("s\(round)"))
            if isIdle { try await store.idle() } else { try await store.saved(Log.self) }
            #expect(shelf.value?.entries.suffix(2) == ["d\(round)", "s\(round)"])
        }
    }

    @Test("what saved() has returned for is saved, whatever fails and changes meanwhile, over 300 seeds")
    func savedModel() async throws {
        let report = await Simulation.explore(seeds: 0..<300) { world in
            let shelf = Shelf<Log>()
            let store = try await world.store { KeptLog(on: shelf, pace: .within(.milliseconds(5))) }
            world.expectFailure(TestFailure.self)
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<3 {
                    group.addTask {
                        for round in 0..<4 {
                            let entry = "\(task).\(round)"
                            await store.dispatch(Log.Action.add(entry))
                            if world.random(in: 0...1) == 1 { shelf.failNext(1) }
                            do {
                                try await store.saved()
                                if shelf.value?.entries.contains(entry) != true { Issue.record("\(entry) is lost") }
                            } catch {}
                        }
                    }
                }
            }
            shelf.failNext(0)
            try await store.saved()
            #expect(try await shelf.value == store.state(of: Log.self))
        }

        #expect(report.failure == nil, "\(report)")
    }

    @Test("saved() covers the given states or all, in nested instances too, and those that aren't kept count as saved")
    func savedScopes() async throws {
        let (total, page) = (Shelf<Total>(saves: gate), Shelf<Log>())
        let store = try await Relux.Store(.init(clock: clock)) {
            KeptTotal(persistence: [Shelved(on: total, pace: .slow)])
            KeptPage(id: "1", on: page, pace: .slow)
            Scales.Module()
        }
        let scope = store.scope(of: KeptPage.self, id: "1")
        await store.dispatch(Total.Action.add(1))
        await scope.dispatch(Log.Action.add("page"))

        try await store.saved(Log.self, Scales.Left.self, Pages.self)
        #expect(page.value == Log("page"))
        #expect(total.value == nil)
        try await scope.saved()
        let all = Task { try await store.saved() }
        await gate.arrivals()
        gate.open()
        try await all.value

        #expect(total.value?.number == 1)
    }

    @Test("only a value that is worth saving is saved, and not one that has changed back")
    func worthSaving() async throws {
        let shelf = Shelf<Total>()
        let persistence = Shelved(on: shelf, pace: .within(.seconds(1))).with {
            $0.isWorth = { $0.number != $1.number }
        }
        let store = try await Relux.Store(.init(clock: clock)) { KeptTotal(persistence: [persistence]) }

        await store.dispatch(Total.Action.show(9))
        try await store.idle()
        await store.dispatch(Total.Action.add(1))
        await store.dispatch(Total.Action.add(-1))
        try await store.saved()
        #expect(shelf.events == [.load])
        await store.dispatch(Total.Action.add(2))
        try await store.saved()

        #expect(shelf.value == Total(number: 2, shown: 9))
    }

    @Test("a store that is killed saves nothing of what was sent before, over 20 seeds")
    func killed() async {
        await Simulation.explore(seeds: 0..<20) { world in
            let shelf = Shelf<Log>()
            let store = try await world.store { KeptLog(on: shelf) }

            store.send(Log.Action.add("a"))
            await world.crash(store)
            // Time passes only when nothing else can be done.
            try await world.clock.sleep(for: .seconds(1))

            #expect(shelf.begun.isEmpty)
        }
    }

    // MARK: Failures

    @Test("a failed save is reported, thrown, and tried again by saved()")
    func failure() async throws {
        shelf.failNext(2)
        let store = try await keep(on: shelf)
        let failures = store.failures

        await store.dispatch(Log.Action.add("a"))
        try await store.idle()
        let failure = await failures.first { _ in true }
        #expect(failure?.run.kind == .save)
        #expect(failure?.run.saga == Log.self)
        #expect(failure?.error as? TestFailure == TestFailure())
        #expect(await Ending.of { try await store.saved() } == .threw(TestFailure()))
        try await store.saved()

        #expect(shelf.value == Log("a"))
        #expect(shelf.begun == [Log("a"), Log("a"), Log("a")])
    }

    @Test("after a failed save, the next change is saved, even one back to what was saved before")
    func failureAndChange() async throws {
        let shelf = Shelf<Total>()
        shelf.failNext(1)
        let store = try await Relux.Store { KeptTotal(persistence: [Shelved(on: shelf)]) }

        await store.dispatch(Total.Action.add(1))
        try await store.idle()
        await store.dispatch(Total.Action.add(-1))
        try await store.idle()

        #expect(shelf.begun == [Total(number: 1), Total(number: 0)])
        #expect(shelf.value == Total(number: 0))
    }

    // MARK: Ends

    /// What has happened to a change before the shutdown.
    enum Attempt: CaseIterable, Sendable {
        case none, saved, failed
    }

    @Test("after a shutdown, the last value is there, over 200 rounds", arguments: Attempt.allCases)
    func shutdownSaves(attempt: Attempt) async throws {
        for round in 0..<200 {
            let shelf = Shelf<Log>()
            if attempt == .failed { shelf.failNext(1) }
            let store = try await keep(on: shelf, pace: attempt == .none ? .slow : .atOnce)
            await store.dispatch(Log.Action.add("\(round)"))
            if attempt != .none { try await store.idle() }

            await store.shutdown()

            #expect(shelf.value == Log("\(round)"))
        }
    }

    @Test("the failures of a shutdown's last saves are still reported, and then the streams end")
    func lastFailures() async throws {
        held.failNext(1)
        let store = try await keep(on: held, pace: .slow)
        let failures = store.failures
        await store.dispatch(Log.Action.add("a"))

        let shutdown = Task { await store.shutdown() }
        await gate.arrivals()
        gate.open()
        await shutdown.value

        #expect(await failures.elements().map(\.run.kind) == [.save])
        #expect(await Relux.StoreError.name { try await store.saved() } == "storeShutDown")
    }

    @Test("every call of shutdown waits for the last saves")
    func shutdownTwice() async throws {
        let store = try await keep(on: held)
        await dispatching(Log.Action.add("a"), in: store)

        let first = Task { await store.shutdown() }
        let second = Task { await store.shutdown() }
        gate.open()
        await first.value
        #expect(held.value == Log("a"))
        await second.value
    }

    @Test("when a store is released, what is under way ends, the rest is saved once more, and nobody waits any longer")
    func release() async throws {
        let world = SeededExecutor(seed: 25)
        let (shelf, last) = (Shelf<Log>(saves: gate), Log("a", "b"))
        var store: Relux.Store? = Relux.Store(.init(executor: world))
        let page = try #require(store?.scope(of: KeptPage.self, id: "1"))
        await world.settle { [store] in try await store?.register(KeptPage(id: "1", on: shelf)) }
        await world.settle { await page.dispatch(Log.Action.add("a")) }
        await page.dispatch(Log.Action.add("b"))
        let waiting = await world.settle { await Relux.StoreError.name { try await page.saved() } }

        store = nil
        await world.rest()

        // The save under way waits at the gate.
        #expect(try await waiting.value == "storeShutDown")
        #expect(shelf.begun == [Log("a")])
        await world.open(gate)
        #expect(shelf.begun == [Log("a"), last])
        #expect(shelf.value == last)
    }

    @Test("unregistering and ending a lease wait for the last save")
    func removal() async throws {
        let page = KeptPage(id: "1", on: shelf, pace: .slow)
        let store = Relux.Store(.init(clock: clock))
        let lease = try await store.attach(page)

        await lease.scope.dispatch(Log.Action.add("a"))
        await lease.end()
        #expect(shelf.value == Log("a"))
        try await store.register(page)
        await store.scope(of: KeptPage.self, id: "1").dispatch(Log.Action.add("b"))
        await store.unregister(KeptPage.self, id: "1")

        #expect(shelf.value == Log("a", "b"))
    }

    enum Retry: CaseIterable {
        case saved, shutdown, registration
    }

    @Test(
        "what couldn't be saved or erased when its module went is tried again", arguments: Retry.allCases,
        [true, false])
    func failureAtTheEnd(retry: Retry, erases: Bool) async throws {
        let shelf = Shelf<Log>(erases ? Log("old") : nil)
        let store = try await keep(on: shelf, pace: .slow) { $0.onRemoval = erases ? .erase : .keep }
        await store.dispatch(Log.Action.add("a"))
        shelf.failNext(1)
        await store.unregister(KeptLog.self)
        #expect(shelf.value == (erases ? Log("old") : nil))

        switch retry {
        case .saved: try await store.saved()
        case .shutdown: await store.shutdown()
        case .registration:
            try await store.register(KeptLog(on: shelf))
            #expect(try await store.state(of: Log.self) == (erases ? Log() : Log("a")))
        }

        #expect(shelf.value == (erases ? nil : Log("a")))
    }

    @Test("a registration doesn't wait for ever for what can't be saved")
    func hopelessSave() async throws {
        let shelf = Shelf<Log>(Log("old"))
        let store = try await keep(on: shelf, pace: .slow)
        await store.dispatch(Log.Action.add("a"))
        shelf.failNext(2)
        await store.unregister(KeptLog.self)

        try await store.register(KeptLog(on: shelf))

        #expect(try await store.log() == ["old"])
    }

    @Test("what the step that removes an instance has changed is saved too")
    func lastStep() async throws {
        let store = try await keepPages(on: shelf, pace: .slow)
        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()

        await store.dispatch {
            Relux.ChildAction(KeptPage.self, id: "1", Log.Action.add("last"))
            Pages.Action.close("1")
        }
        try await store.saved()

        #expect(shelf.value == Log("last"))
    }

    // MARK: Cancellation

    @Test("saved() throws at once when its task is cancelled, and the save continues")
    func cancelledTask() async throws {
        let store = try await keep(on: held)
        await store.dispatch(Log.Action.add("a"))

        let waiting = Task { await Ending.of { try await store.saved() } }
        await gate.arrivals()
        waiting.cancel()
        #expect(await waiting.value == .cancellationError)
        gate.open()
        try await store.idle()

        #expect(held.value == Log("a"))
    }

    @Test("saved() throws when its run is cancelled, in whichever task it waits")
    func cancelledRun() async throws {
        let endings = Trace<Ending>()
        let saga = WorkSaga { _, context in
            await Task.detached {
                await context.dispatch(Log.Action.add("a"))
                endings.note(await Ending.of { try await context.saved() })
            }.value
        }
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: held)], sagas: [saga]) }

        let run = await performing(Work(), in: store)
        await store.cancel(WorkSaga.self)
        _ = await run.value
        gate.open()

        #expect(endings.entries == [.cancellationError])
    }
}

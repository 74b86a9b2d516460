import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 25: what changes is saved", .timeLimit(.minutes(10)))
struct Law25SavingTests {
    private func log(_ entries: String...) -> Log { Log(entries: entries) }

    // MARK: When

    @Test("a change is saved within its pace, together with those that follow it")
    func pace() async throws {
        let clock = ManualClock()
        let shelf = Shelf<Log>()
        let store = try await Relux.Store(.init(clock: clock)) {
            KeptLog(persistence: [Shelved(on: shelf, pace: .within(.seconds(2)))])
        }

        await store.dispatch(Log.Action.add("a"))
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
        await store.dispatch(Log.Action.add("b"))
        #expect(shelf.events == [.load])
        await clock.advance(by: .seconds(1))
        await shelf.events { $0 == .saved(Log(entries: ["a", "b"])) }

        #expect(shelf.begun == [log("a", "b")])
    }

    @Test("saves of one state run one at a time, each with the newest value")
    func oneAtATime() async throws {
        let gate = Gate()
        let shelf = Shelf<Log>(saves: gate)
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)]) }

        await store.dispatch(Log.Action.add("a"))
        await gate.arrivals()
        for entry in ["b", "c", "d"] { await store.dispatch(Log.Action.add(entry)) }
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)
        gate.open()
        try await store.idle()

        #expect(shelf.begun == [log("a"), log("a", "b", "c", "d")])
    }

    @Test("saved() waits for no pace, and includes what the task has sent before")
    func savedIncludesSends() async throws {
        let shelf = Shelf<Log>()
        let store = try await Relux.Store(.init(clock: ManualClock())) {
            KeptLog(persistence: [Shelved(on: shelf, pace: .within(.seconds(3600)))])
        }

        for round in 0..<100 {
            await store.dispatch(Log.Action.add("d\(round)"))
            store.send(Log.Action.add("s\(round)"))
            try await store.saved(Log.self)
            #expect(shelf.value?.entries.suffix(2) == ["d\(round)", "s\(round)"])
        }
    }

    @Test("what saved() has returned for is saved, whatever fails and changes meanwhile, over 300 seeds")
    func savedModel() async throws {
        let report = await Simulation.explore(seeds: 0..<300) { world in
            let shelf = Shelf<Log>()
            let store = try await world.store {
                KeptLog(persistence: [Shelved(on: shelf, pace: .within(.milliseconds(5)))])
            }
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
        let gate = Gate()
        let (total, page) = (Shelf<Total>(saves: gate), Shelf<Log>())
        let store = try await Relux.Store(.init(clock: ManualClock())) {
            KeptTotal(persistence: [Shelved(on: total, pace: .within(.seconds(3600)))])
            KeptPage(id: "1", persistence: [Shelved(on: page, pace: .within(.seconds(3600)))])
            Scales.Module()
        }
        let scope = store.scope(of: KeptPage.self, id: "1")
        await store.dispatch(Total.Action.add(1))
        await scope.dispatch(Log.Action.add("page"))

        try await store.saved(Log.self, Scales.Left.self, Pages.self)
        #expect(page.value == log("page"))
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
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) {
            KeptTotal(
                persistence: [
                    Shelved(on: shelf, pace: .within(.seconds(1))).with { $0.isWorth = { $0.number != $1.number } }
                ])
        }

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

    @Test("idle waits for saves with their pace, and says which state it waits for")
    func idleWaits() async throws {
        let clock = ManualClock()
        let shelf = Shelf<Log>()
        let store = try await Relux.Store(.init(clock: clock)) {
            KeptLog(persistence: [Shelved(on: shelf, pace: .within(.seconds(2)))])
        }
        await store.dispatch(Log.Action.add("a"))

        let notIdle = await #expect(throws: Relux.NotIdle.self) { try await store.idle(within: .zero) }
        let idle = Task { try await store.idle() }
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(2))
        try await idle.value

        #expect(notIdle?.busy.map(\.run.kind) == [.save])
        #expect(notIdle?.busy.first?.run.saga == Log.self)
        #expect(shelf.value == log("a"))
    }

    @Test("idle includes what the task has sent before")
    func idleIncludesSends() async throws {
        let shelf = Shelf<Log>()
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)]) }

        for round in 0..<100 {
            store.send(Log.Action.add("s\(round)"))
            try await store.idle()
            #expect(shelf.value?.entries.last == "s\(round)")
        }
    }

    @Test("a store that is killed saves nothing of what was sent before, over 20 seeds")
    func killed() async {
        await Simulation.explore(seeds: 0..<20) { world in
            let shelf = Shelf<Log>()
            let store = try await world.store { KeptLog(persistence: [Shelved(on: shelf)]) }

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
        let shelf = Shelf<Log>()
        shelf.failNext(2)
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)]) }
        let failures = store.failures

        await store.dispatch(Log.Action.add("a"))
        try await store.idle()
        let failure = await failures.first { _ in true }
        #expect(failure?.run.kind == .save)
        #expect(failure?.run.saga == Log.self)
        #expect(failure?.error as? TestFailure == TestFailure())
        #expect(await Ending.of { try await store.saved() } == .threw(TestFailure()))
        try await store.saved()

        #expect(shelf.value == log("a"))
        #expect(shelf.begun == [log("a"), log("a"), log("a")])
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

    @Test("a failed save is tried again at shutdown")
    func failureAndShutdown() async throws {
        let shelf = Shelf<Log>()
        shelf.failNext(1)
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)]) }
        await store.dispatch(Log.Action.add("a"))
        try await store.idle()

        await store.shutdown()

        #expect(shelf.value == log("a"))
    }

    // MARK: Ends

    @Test("after idle and shutdown, the last value is there, over 200 rounds", arguments: [true, false])
    func shutdownSaves(isIdleFirst: Bool) async throws {
        for round in 0..<200 {
            let shelf = Shelf<Log>()
            let store = try await Relux.Store {
                KeptLog(persistence: [Shelved(on: shelf, pace: isIdleFirst ? .atOnce : .within(.seconds(3600)))])
            }
            await store.dispatch(Log.Action.add("\(round)"))
            if isIdleFirst { try await store.idle() }

            await store.shutdown()

            #expect(shelf.value == log("\(round)"))
        }
    }

    @Test("the failures of a shutdown's last saves are still reported, and then the streams end")
    func lastFailures() async throws {
        let gate = Gate()
        let shelf = Shelf<Log>(saves: gate)
        shelf.failNext(1)
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf, pace: .within(.seconds(3600)))]) }
        let failures = store.failures
        await store.dispatch(Log.Action.add("a"))

        let shutdown = Task { await store.shutdown() }
        await gate.arrivals()
        gate.open()
        await shutdown.value
        var kinds: [Relux.RunRecord.Kind] = []
        for await failure in failures { kinds.append(failure.run.kind) }

        #expect(kinds == [.save])
        #expect(await Ending.of { try await store.saved() } != .returned)
    }

    @Test("every call of shutdown waits for the last saves")
    func shutdownTwice() async throws {
        let gate = Gate()
        let shelf = Shelf<Log>(saves: gate)
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)]) }
        await store.dispatch(Log.Action.add("a"))
        await gate.arrivals()

        let first = Task { await store.shutdown() }
        let second = Task { await store.shutdown() }
        gate.open()
        await first.value
        #expect(shelf.value == log("a"))
        await second.value
    }

    @Test("when a store is released, what is under way ends, the rest is saved once more, and nobody waits any longer")
    func release() async throws {
        let gate = Gate()
        let shelf = Shelf<Log>(saves: gate)
        var store: Relux.Store? = try await Relux.Store { KeptPage(id: "1", persistence: [Shelved(on: shelf)]) }
        let page = try #require(store?.scope(of: KeptPage.self, id: "1"))
        await page.dispatch(Log.Action.add("a"))
        await gate.arrivals()
        await page.dispatch(Log.Action.add("b"))
        let waiting = Task { await Ending.of { try await page.saved() } }
        store = nil

        #expect(await waiting.value != .returned)
        gate.open()
        await shelf.events { $0 == .saved(Log(entries: ["a", "b"])) }
    }

    @Test("unregistering and ending a lease wait for the last save")
    func removal() async throws {
        let shelf = Shelf<Log>()
        let store = Relux.Store(.init(clock: ManualClock()))
        let lease = try await store.attach(
            KeptPage(id: "1", persistence: [Shelved(on: shelf, pace: .within(.seconds(3600)))]))

        await lease.scope.dispatch(Log.Action.add("a"))
        await lease.end()
        #expect(shelf.value == log("a"))
        try await store.register(KeptPage(id: "1", persistence: [Shelved(on: shelf, pace: .within(.seconds(3600)))]))
        await store.scope(of: KeptPage.self, id: "1").dispatch(Log.Action.add("b"))
        await store.unregister(KeptPage.self, id: "1")

        #expect(shelf.value == log("a", "b"))
    }

    enum Retry: CaseIterable {
        case saved, shutdown, registration
    }

    @Test(
        "what couldn't be saved or erased when its module went is tried again", arguments: Retry.allCases,
        [true, false])
    func failureAtTheEnd(retry: Retry, erases: Bool) async throws {
        let shelf = Shelf<Log>(erases ? log("old") : nil)
        var persistence = Shelved(on: shelf, pace: .within(.seconds(3600)))
        persistence.onRemoval = erases ? .erase : .keep
        let module = KeptLog(persistence: [persistence])
        let store = try await Relux.Store(.init(clock: ManualClock())) { module }
        await store.dispatch(Log.Action.add("a"))
        shelf.failNext(1)
        await store.unregister(KeptLog.self)
        #expect(shelf.value == (erases ? log("old") : nil))

        switch retry {
        case .saved: try await store.saved()
        case .shutdown: await store.shutdown()
        case .registration: try await store.register(module)
        }

        #expect(shelf.value == (erases ? nil : log("a")))
        if retry == .registration {
            #expect(try await store.state(of: Log.self) == (erases ? Log() : log("a")))
        }
    }

    @Test("a registration doesn't wait for ever for what can't be saved")
    func hopelessSave() async throws {
        let shelf = Shelf<Log>(log("old"))
        let module = KeptLog(persistence: [Shelved(on: shelf, pace: .within(.seconds(3600)))])
        let store = try await Relux.Store(.init(clock: ManualClock())) { module }
        await store.dispatch(Log.Action.add("a"))
        shelf.failNext(2)
        await store.unregister(KeptLog.self)

        try await store.register(module)

        #expect(try await store.state(of: Log.self) == log("old"))
    }

    @Test("what the step that removes an instance has changed is saved too")
    func lastStep() async throws {
        struct CloseBoth: Relux.Action {}
        let shelf = Shelf<Log>()
        let store = try await Relux.Store(.init(clock: ManualClock())) {
            Pages.Module { KeptPage(id: $0, persistence: [Shelved(on: shelf, pace: .within(.seconds(3600)))]) }
        }
        await store.dispatch(Pages.Action.open("1"))
        try await store.idle()

        await store.dispatch {
            Relux.ChildAction(KeptPage.self, id: "1", Log.Action.add("last"))
            Pages.Action.close("1")
        }
        try await store.saved()

        #expect(shelf.value == log("last"))
    }

    // MARK: Cancellation

    @Test("saved() throws at once when its task is cancelled, and the save continues")
    func cancelledTask() async throws {
        let gate = Gate()
        let shelf = Shelf<Log>(saves: gate)
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)]) }
        await store.dispatch(Log.Action.add("a"))

        let waiting = Task { await Ending.of { try await store.saved() } }
        await gate.arrivals()
        waiting.cancel()
        #expect(await waiting.value == .cancellationError)
        gate.open()
        try await store.idle()

        #expect(shelf.value == log("a"))
    }

    @Test("saved() throws when its run is cancelled, in whichever task it waits")
    func cancelledRun() async throws {
        let gate = Gate()
        let shelf = Shelf<Log>(saves: gate)
        let (endings, isWaiting) = (Trace<Ending>(), Gate())
        let saga = ClosureSaga<Job>(policy: \.policy, cleanup: { _ in nil }) { _, context in
            await Task.detached {
                await context.dispatch(Log.Action.add("a"))
                await isWaiting.pass()
                endings.note(await Ending.of { try await context.saved() })
            }.value
        }
        let store = try await Relux.Store { KeptLog(persistence: [Shelved(on: shelf)], sagas: [saga]) }

        let run = Task { await Ending.of { try await store.perform(Job("job", .concurrent)) } }
        await isWaiting.arrivals()
        isWaiting.open()
        await gate.arrivals()
        await store.cancel(ClosureSaga<Job>.self)
        _ = await run.value
        gate.open()

        #expect(endings.entries == [.cancellationError])
    }
}

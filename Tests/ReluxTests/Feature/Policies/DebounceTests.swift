import Relux
import ReluxTesting
import Testing

@Suite("Law 9: the debounce policy", .timeLimit(.minutes(10)))
struct DebounceTests {
    private static let policy = Relux.Policy.debounce(.seconds(2))

    @Test("active runs are superseded unless the policy says otherwise, with and without an id")
    func defaults() {
        #expect(Relux.Policy.debounce(.seconds(1)) == .debounce(.seconds(1), keepingActive: false))
        #expect(Relux.Policy.debounce(.seconds(1), id: 1) == .debounce(.seconds(1), keepingActive: false, id: 1))
        #expect(Relux.Policy.debounce(.seconds(1), id: 1) != .debounce(.seconds(1), keepingActive: true, id: 1))
    }

    @Test("a run starts once the delay has passed without another trigger")
    func startsAfterTheQuietTime() async throws {
        let jobs = try await JobStore()
        let performed = await jobs.performing("a", Self.policy)
        await jobs.clock.advance(by: .milliseconds(1_999), pastSleepers: 1)
        let logBefore = try await jobs.store.log()
        await jobs.clock.advance(by: .milliseconds(1))

        #expect(await performed.value == .returned)
        #expect(logBefore == [])
        #expect(try await jobs.store.log() == ["a+", "a-"])
    }

    @Test("each new trigger supersedes the pending run and restarts the delay")
    func supersedesThePending() async throws {
        let jobs = try await JobStore()
        var earlier: [Task<Ending, Never>] = []
        for name in ["a", "b", "c"] {
            earlier.append(await jobs.performing(name, Self.policy))
            await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)
        }

        // The last trigger was dispatched one second ago, the first one three seconds ago.
        let logBefore = try await jobs.store.log()
        await jobs.clock.advance(by: .seconds(1))
        var endings: [Ending] = []
        for task in earlier { endings.append(await task.value) }

        #expect(logBefore == [])
        #expect(endings == [.superseded, .superseded, .returned])
        #expect(try await jobs.store.log() == ["c+", "c-"])
    }

    @Test("a run that is still active is superseded when the next one starts, and not before")
    func supersedesTheActive() async throws {
        let jobs = try await JobStore(gated: ["old"])
        let old = await jobs.performing("old", Self.policy)
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)
        await jobs.arrival(of: "old")

        let new = await jobs.performing("new", Self.policy)
        await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)
        let endsBefore = jobs.ends
        await jobs.clock.advance(by: .seconds(1))
        let newEnding = await new.value
        jobs.release("old")

        #expect(endsBefore == [])
        #expect(newEnding == .returned)
        #expect(await old.value == .superseded)
        #expect(try await jobs.finalLog() == ["old+", "new+", "new-"])
    }

    @Test("an active run of the same batch is superseded like any other")
    func supersedesInABatch() async throws {
        let jobs = try await JobStore(gated: ["active"])
        await jobs.store.dispatch {
            Job("active", .serial)
            Job("pending", Self.policy)
        }
        await jobs.arrival(of: "active")

        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)

        #expect(Set(try await jobs.finalLog()) == ["active+", "pending+", "pending-"])
    }

    @Test("a delay of zero or less means immediately", arguments: [Duration.zero, .seconds(-1)])
    func noTime(delay: Duration) async throws {
        let jobs = try await JobStore()

        // The clock is never advanced, so this would hang if it waited.
        #expect(await jobs.perform("a", .debounce(delay)) == .returned)
        #expect(try await jobs.finalLog() == ["a+", "a-"])
    }

    @Test("cancelling the caller removes the pending run and doesn't affect a later one")
    func cancellation() async throws {
        let jobs = try await JobStore()
        let first = await jobs.performing("first", Self.policy)
        await jobs.clock.sleepers(atLeast: 1)

        first.cancel()
        let ending = await first.value
        let second = await jobs.performing("second", Self.policy)
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)

        #expect(ending == .cancelled)
        #expect(await second.value == .returned)
        #expect(try await jobs.finalLog() == ["cleaned up first", "second+", "second-"])
    }

    @Test("finished waits for a pending run, and for a superseded one only until it is superseded")
    func finished() async throws {
        let jobs = try await JobStore()
        let first = await jobs.dispatch("first", Self.policy)
        let second = await jobs.dispatch("second", Self.policy)

        // This would hang if it waited for the second run.
        await first.finished()
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)
        await second.finished()

        #expect(try await jobs.store.log() == ["second+", "second-"])
    }

    @Test("a run that performs its own id is superseded when its child starts, and the child continues")
    func selfPerform() async throws {
        let jobs = try await JobStore(gated: ["inner"]) { job, context in
            if job.name == "outer" { try await context.perform(Job("inner", Self.policy)) }
        }
        let outer = await jobs.performing("outer", Self.policy)
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)
        await jobs.clock.advance(by: .seconds(2), pastSleepers: 1)
        await jobs.arrival(of: "inner")
        let endsWhileTheChildIsAtWork = jobs.ends
        jobs.release("inner")

        #expect(await outer.value == .superseded)
        #expect(endsWhileTheChildIsAtWork == [])
        #expect(try await jobs.finalLog() == ["outer+", "inner+", "inner-"])
    }

    @Test(
        "a run that performs its own id through another run is superseded when that child starts, which continues"
    )
    func selfPerformThroughAnother() async throws {
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) {
            SagaModule(sagas: [
                WorkSaga(policy: Self.policy) { work, context in
                    await context.dispatch(Log.Action.add("\(work.name)+"))
                    if work.name == "outer" { try await context.perform(Errand()) }
                    await context.dispatch(Log.Action.add("\(work.name)-"))
                },
                ClosureSaga<Errand> { _, context in try await context.perform(Work(name: "inner")) },
            ])
        }

        let outer = Task { await Ending.of { try await store.perform(Work(name: "outer")) } }
        await clock.advance(by: .seconds(2), pastSleepers: 1)
        await clock.advance(by: .seconds(2), pastSleepers: 1)

        #expect(await outer.value == .superseded)
        try await store.idle()
        #expect(try await store.log() == ["outer+", "inner+", "inner-"])
    }

    @Test("keeping active runs, it supersedes only pending triggers")
    func keepingActive() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let policy = Relux.Policy.debounce(.seconds(1), keepingActive: true)
        let a = await jobs.performing("a", policy)
        await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)
        await jobs.arrival(of: "a")

        let b = await jobs.performing("b", policy)
        let c = await jobs.performing("c", policy)
        let early = await b.value
        await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)
        let ending = await c.value
        jobs.release("a")

        #expect([early, ending] == [.superseded, .returned])
        #expect(await a.value == .returned)
        #expect(try await jobs.finalLog() == ["a+", "c+", "c-", "a-"])
    }
}

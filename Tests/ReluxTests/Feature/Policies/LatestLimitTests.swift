import Relux
import Testing

@Suite("Law 9: the latest policy with a limit")
struct LatestLimitTests {
    @Test("latest with a limit of 1, or less, is latest", arguments: [1, 0, -1, Int.min])
    func smallestLimit(limit: Int) {
        #expect(Relux.Policy.latest(limit: limit) == .latest)
        #expect(Relux.Policy.latest(limit: limit, id: "a") == .latest(id: "a"))
        #expect(Relux.Policy.latest(limit: 2, id: "a") != .latest(id: "a"))
    }

    @Test("a new trigger supersedes the oldest run beyond the limit and starts immediately")
    func supersedesTheOldest() async throws {
        let jobs = try await JobStore(gated: ["a", "b", "c"])
        let a = await jobs.performing("a", .latest(limit: 2))
        let b = await jobs.performing("b", .latest(limit: 2))
        await jobs.arrival(of: "a")
        await jobs.arrival(of: "b")

        let c = await jobs.performing("c", .latest(limit: 2))
        // The oldest run ignores cancellation, so this would hang if the new run waited for it.
        await jobs.arrival(of: "c")
        let d = await jobs.perform("d", .latest(limit: 2))
        let log = try await jobs.finalLog()

        #expect(d == .returned)
        #expect(await [a.value, b.value, c.value] == [.superseded, .superseded, .returned])
        #expect(Set(log) == ["a+", "b+", "c+", "d+", "c-", "d-"])
    }

    @Test("a run that has failed makes room")
    func failure() async throws {
        let jobs = try await JobStore(gated: ["a"]) { job, _ in if job.name == "bad" { throw TestFailure() } }
        let a = await jobs.performing("a", .latest(limit: 2))
        await jobs.arrival(of: "a")

        #expect(await jobs.perform("bad", .latest(limit: 2)) == .failed(TestFailure()))
        #expect(await jobs.perform("good", .latest(limit: 2)) == .returned)
        jobs.release("a")
        #expect(await a.value == .returned)
    }

    @Test("a cancelled run makes room at once, even if it ignores cancellation")
    func cancellation() async throws {
        let jobs = try await JobStore(gated: ["deaf", "b"])
        let deaf = await jobs.performing("deaf", .latest(limit: 2))
        let b = await jobs.performing("b", .latest(limit: 2))
        await jobs.arrival(of: "deaf")
        await jobs.arrival(of: "b")

        deaf.cancel()
        _ = await jobs.store.values(of: Log.self).first { $0.entries.contains("cleaned up deaf") }
        let c = await jobs.perform("c", .latest(limit: 2))
        jobs.release("deaf")
        jobs.release("b")

        #expect(c == .returned)
        #expect(await [deaf.value, b.value] == [.cancelled, .returned])
    }

    @Test("each id has its own limit")
    func ids() async throws {
        let jobs = try await JobStore(gated: ["a", "b", "c"])
        let a = await jobs.performing("a", .latest(limit: 2, id: 1))
        let b = await jobs.performing("b", .latest(limit: 2, id: 1))
        let c = await jobs.performing("c", .latest(limit: 2, id: 2))

        let d = await jobs.perform("d", .latest(limit: 2, id: 1))
        _ = try await jobs.finalLog()

        #expect(d == .returned)
        #expect(await [a.value, b.value, c.value] == [.superseded, .returned, .returned])
    }

    @Test("runs that wait their turn or their deadline count, and are superseded in the order of their triggers")
    func mixed() async throws {
        let jobs = try await JobStore(gated: ["active"])
        let pending = await jobs.performing("pending", .debounce(.seconds(1)))
        let active = await jobs.performing("active", .serial)
        let queued = await jobs.performing("queued", .serial)
        await jobs.arrival(of: "active")

        let latest = await jobs.perform("latest", .latest(limit: 3))
        let ending = await pending.value
        jobs.release("active")

        #expect(latest == .returned)
        #expect(ending == .superseded)
        #expect(await [active.value, queued.value] == [.returned, .returned])
    }

    @Test("a run that performs its own id continues beside its child if the limit permits")
    func selfPerform() async throws {
        let jobs = try await JobStore { job, context in
            if job.name == "outer" { try await context.perform(Job("inner", .latest(limit: 2))) }
        }

        #expect(await jobs.perform("outer", .latest(limit: 2)) == .returned)
        #expect(try await jobs.finalLog() == ["outer+", "inner+", "inner-", "outer-"])
    }

    @Test("the sagas of one performed action in one lane don't supersede each other, but count")
    func siblings() async throws {
        let gate = Gate()
        let lane = Relux.Lane("lane")
        let store = try await Relux.Store {
            SagaModule(sagas: [
                WorkSaga(policy: .latest(limit: 2).in(lane)) { work, context in
                    if work.name == "old" { await gate.pass() }
                    await context.dispatch(Log.Action.add("first \(work.name)"))
                },
                ClosureSaga<Work>(policy: { _ in .latest(limit: 2).in(lane) }) { work, context in
                    if work.name == "old" { await gate.pass() }
                    await context.dispatch(Log.Action.add("second \(work.name)"))
                },
            ])
        }
        await store.dispatch(Work(name: "old"))
        await gate.arrivals(atLeast: 2)

        try await store.perform(Work(name: "new"))
        gate.open()
        try await store.idle()

        #expect(try await Set(store.log()) == ["first new", "second new"])
    }
}

import Relux
import ReluxTesting
import Testing

@Suite("Law 9: the conflated policy", .timeLimit(.minutes(10)))
struct ConflatedTests {
    @Test("of the triggers that wait for the active run, only the newest starts; the others are superseded")
    func newest() async throws {
        let jobs = try await JobStore(gated: ["a"])
        let a = await jobs.performing("a", .conflated)
        let b = await jobs.performing("b", .conflated)
        let c = await jobs.performing("c", .conflated)
        let early = await b.value

        jobs.release("a")

        #expect(early == .superseded)
        #expect(await [a.value, c.value] == [.returned, .returned])
        #expect(try await jobs.finalLog() == ["a+", "a-", "c+", "c-"])
    }

    @Test("a trigger starts at once if nothing is active")
    func immediately() async throws {
        let jobs = try await JobStore()

        #expect(await jobs.perform("a", .conflated) == .returned)
        #expect(await jobs.perform("b", .conflated) == .returned)
        #expect(try await jobs.finalLog() == ["a+", "a-", "b+", "b-"])
    }

    @Test("a failure lets the waiting run start")
    func failure() async throws {
        let jobs = try await JobStore(gated: ["bad"]) { job, _ in if job.name == "bad" { throw TestFailure() } }
        let bad = await jobs.performing("bad", .conflated)
        let next = await jobs.performing("next", .conflated)

        jobs.release("bad")

        #expect(await [bad.value, next.value] == [.failed(TestFailure()), .returned])
    }

    @Test("cancelling the waiting run removes it, and it never starts")
    func cancelledWaiting() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .conflated)
        let b = await jobs.performing("b", .conflated)
        await jobs.arrival(of: "a")

        b.cancel()

        #expect(await b.value == .cancelled)
        #expect(try await jobs.finalLog() == ["a+", "cleaned up b", "a-"])
    }

    @Test("a cancelled run that ignores cancellation occupies its lane until it has ended")
    func cancelledActive() async throws {
        let jobs = try await JobStore(gated: ["deaf"])
        let deaf = await jobs.performing("deaf", .conflated)
        let next = await jobs.performing("next", .conflated)
        await jobs.arrival(of: "deaf")

        deaf.cancel()
        _ = await jobs.store.values(of: Log.self).first { $0.entries.contains("cleaned up deaf") }
        let logBefore = try await jobs.store.log()
        jobs.release("deaf")

        #expect(logBefore == ["deaf+", "cleaned up deaf"])
        #expect(await next.value == .returned)
    }

    @Test("each id has its own lane")
    func ids() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .conflated(id: 1))
        await jobs.arrival(of: "a")

        #expect(await jobs.perform("b", .conflated(id: 2)) == .returned)
        #expect(await jobs.perform("c", .conflated) == .returned)
        jobs.release("a")
        try await jobs.store.idle()
    }

    @Test("it supersedes waiting and pending triggers of other policies, but not the active run")
    func mixed() async throws {
        let jobs = try await JobStore(gated: ["active"])
        let active = await jobs.performing("active", .latest)
        let queued = await jobs.performing("queued", .serial)
        let pending = await jobs.performing("pending", .debounce(.seconds(1)))
        let conflated = await jobs.performing("conflated", .conflated)
        await jobs.arrival(of: "active")

        jobs.release("active")

        #expect(await [queued.value, pending.value] == [.superseded, .superseded])
        #expect(await [active.value, conflated.value] == [.returned, .returned])
    }

    @Test("a reset removes the waiting run")
    func reset() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .conflated)
        let waiting = await jobs.performing("b", .conflated)
        await jobs.arrival(of: "a")

        async let reset: Void = jobs.store.reset()
        #expect(await waiting.value == .cancelled)
        jobs.release("a")
        await reset

        #expect(try await jobs.finalLog() == [])
    }

    @Test("a run that performs its own id gets an error, because its child would wait for it")
    func selfPerform() async throws {
        let jobs = try await JobStore { job, context in
            let ending = await Ending.of { try await context.perform(Job("inner", .conflated)) }
            #expect(ending == .cycle(waiting: "outer", on: "inner"))
        }

        #expect(await jobs.perform("outer", .conflated) == .returned)
    }
}

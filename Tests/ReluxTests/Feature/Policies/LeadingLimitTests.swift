import Relux
import Testing

@Suite("Law 9: the leading policy with a limit")
struct LeadingLimitTests {
    @Test("leading with a limit of 1, or less, is leading", arguments: [1, 0, -1, Int.min])
    func smallestLimit(limit: Int) {
        #expect(Relux.Policy.leading(limit: limit) == .leading)
        #expect(Relux.Policy.leading(limit: limit, id: "a") == .leading(id: "a"))
        #expect(Relux.Policy.leading(limit: 2, id: "a") != .leading(id: "a"))
    }

    @Test("a new trigger runs alongside the others below the limit, and is dropped at the limit")
    func drops() async throws {
        let jobs = try await JobStore(gated: ["a", "b"])
        let a = await jobs.performing("a", .leading(limit: 2))
        let b = await jobs.performing("b", .leading(limit: 2))
        await jobs.arrival(of: "a")
        await jobs.arrival(of: "b")

        #expect(await jobs.perform("c", .leading(limit: 2)) == .dropped)
        jobs.release("a")
        #expect(await a.value == .returned)
        #expect(await jobs.perform("d", .leading(limit: 2)) == .returned)
        jobs.release("b")

        #expect(await b.value == .returned)
        #expect(try await Set(jobs.finalLog()) == ["a+", "b+", "a-", "d+", "d-", "b-"])
    }

    @Test("a run that has failed makes room")
    func failure() async throws {
        let jobs = try await JobStore(gated: ["a"]) { job, _ in if job.name == "bad" { throw TestFailure() } }
        let a = await jobs.performing("a", .leading(limit: 2))
        await jobs.arrival(of: "a")

        #expect(await jobs.perform("bad", .leading(limit: 2)) == .failed(TestFailure()))
        #expect(await jobs.perform("good", .leading(limit: 2)) == .returned)
        jobs.release("a")
        #expect(await a.value == .returned)
    }

    @Test("a cancelled run makes room at once, even if it ignores cancellation")
    func cancellation() async throws {
        let jobs = try await JobStore(gated: ["deaf", "b"])
        let deaf = await jobs.performing("deaf", .leading(limit: 2))
        let b = await jobs.performing("b", .leading(limit: 2))
        await jobs.arrival(of: "deaf")
        await jobs.arrival(of: "b")

        deaf.cancel()
        _ = await jobs.store.values(of: Log.self).first { $0.entries.contains("cleaned up deaf") }
        let c = await jobs.perform("c", .leading(limit: 2))
        jobs.release("deaf")
        jobs.release("b")

        #expect(c == .returned)
        #expect(await [deaf.value, b.value] == [.cancelled, .returned])
    }

    @Test("each id has its own limit")
    func ids() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .leading(limit: 1, id: 1))
        await jobs.arrival(of: "a")

        #expect(await jobs.perform("b", .leading(limit: 1, id: 1)) == .dropped)
        #expect(await jobs.perform("c", .leading(limit: 2, id: 1)) == .returned)
        #expect(await jobs.perform("d", .leading(limit: 1, id: 2)) == .returned)
        _ = try await jobs.finalLog()
    }

    @Test("runs that wait their turn count, whatever their policies")
    func mixed() async throws {
        let jobs = try await JobStore(gated: ["active"])
        await jobs.dispatch("active", .serial)
        await jobs.dispatch("queued", .serial)
        await jobs.arrival(of: "active")

        #expect(await jobs.perform("beyond", .leading(limit: 2)) == .dropped)
        #expect(await jobs.perform("within", .leading(limit: 3)) == .returned)
        _ = try await jobs.finalLog()
    }

    @Test("a run that performs its own id drops its child only at the limit")
    func selfPerform() async throws {
        let jobs = try await JobStore { job, context in
            guard job.name != "child" else { return }
            let limit = job.name == "alone" ? 1 : 2
            let ending = await Ending.of { try await context.perform(Job("child", .leading(limit: limit))) }
            #expect(ending == (limit == 1 ? .dropped : .returned))
        }

        #expect(await jobs.perform("alone", .leading(limit: 1)) == .returned)
        #expect(await jobs.perform("two", .leading(limit: 2)) == .returned)
    }
}

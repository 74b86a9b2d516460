import Relux
import Testing

@Suite("Law 9: the concurrent policy with a limit", .timeLimit(.minutes(10)))
struct LimitedTests {
    @Test("at most as many runs as the limit overlap, and the others wait their turn, first in, first out")
    func limit() async throws {
        let policy = Relux.Policy.concurrent(limit: 2)
        let log = try await play([
            .begin("a", policy), .begin("b", policy), .perform("c", policy), .perform("d", policy),
            .log(["a+", "b+"]), .release("b"), .arrive("c"), .log(["a+", "b+", "b-", "c+"]),
        ])

        #expect(log.sorted() == ["a+", "a-", "b+", "b-", "c+", "c-", "d+", "d-"])
    }

    @Test("the limit of the first in the queue decides, so a serial trigger holds up those behind it")
    func mixed() async throws {
        let policy = Relux.Policy.concurrent(limit: 3)
        let log = try await play([
            .begin("a", policy), .begin("b", policy), .perform("serial", .serial), .perform("last", policy),
            .started(2), .release("a"), .release("b"), .end("last"),
        ])

        #expect(log.firstIndex(of: "serial+") ?? 0 > log.firstIndex(of: "b-") ?? .max)
        #expect(log.firstIndex(of: "serial+") ?? 0 > log.firstIndex(of: "a-") ?? .max)
    }

    @Test("cancelling runs that would start one another starts none of them")
    func cancelledTogether() async throws {
        let jobs = try await JobStore(gated: ["a", "b"])
        await jobs.dispatch("a", .concurrent(limit: 3, id: 1))
        await jobs.dispatch("b", .concurrent(limit: 3, id: 1))
        await jobs.arrival(of: "a")
        await jobs.arrival(of: "b")
        let receipt = await jobs.store.dispatch {
            Job("serial", .serial(id: 1))
            Job("limited", .concurrent(limit: 3, id: 1))
        }

        receipt.cancel()

        #expect(await receipt.outcome().endings == [.cancelled])
        #expect(
            try await Set(jobs.finalLog()) == [
                "a+", "b+", "cleaned up serial", "cleaned up limited", "a-", "b-",
            ]
        )
    }

    @Test("a run that performs its own id gets no error if another run can make room for its child")
    func selfPerform() async throws {
        let policy = Relux.Policy.concurrent(limit: 2)
        let log = try await play(
            [.begin("other", policy), .perform("outer", policy), .release("other"), .end("outer")], inner: policy)

        #expect(log.suffix(3) == ["inner+", "inner-", "outer-"])
    }

    @Test("the last of several runs that wait for each other's room gets an error, and the others continue")
    func deadlockOfAll() async throws {
        let jobs = try await JobStore(gated: ["a", "b"]) { job, context in
            if job.name.count == 1 {
                try await context.perform(Job("child of \(job.name)", .concurrent(limit: 2)))
            }
        }
        let (a, b) = await (
            jobs.performing("a", .concurrent(limit: 2)), jobs.performing("b", .concurrent(limit: 2))
        )
        await jobs.arrival(of: "a")
        await jobs.arrival(of: "b")
        let stream = jobs.store.actionStream(of: Job.self)

        jobs.release("a")
        _ = await stream.first { _ in true }
        jobs.release("b")

        #expect(await a.value == .returned)
        #expect(await b.value == .cycle(waiting: "b", on: "child of b"))
        try await jobs.store.idle()
    }
}

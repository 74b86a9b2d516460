import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 9: the leading policy", .timeLimit(.minutes(10)))
struct LeadingTests: Staged {
    let scene = Scene()

    @Test("a new trigger is dropped while a run is active: it is reduced, but its run never starts")
    func drops() async throws {
        let jobs = try await JobStore(gated: ["first"])
        await jobs.dispatch("first", .leading)
        await jobs.arrival(of: "first")

        let dispatched = await jobs.dispatch("second", .leading)
        let ending = await jobs.perform("third", .leading)

        #expect(dispatched.sequence == 3)
        #expect(ending == .dropped)
        #expect(try await jobs.finalLog() == ["first+", "first-"])
        #expect(jobs.ends == ["end 2 dropped", "end 3 dropped", "end 1 finished"])
        #expect(jobs.observer.trace.entries.filter { $0.hasPrefix("start") } == ["start 1"])
    }

    @Test(
        "the saga of a dropped trigger isn't entered",
        arguments: [Relux.Policy.leading, .throttle(.seconds(1), trailing: false)]
    )
    func dropsBeforeTheSaga(policy: Relux.Policy) async throws {
        let world = SeededExecutor(seed: 1)
        let saga = ClosureSaga<Job>(policy: \.policy) { [gate, trace] job, _ in
            trace.note(job.name)
            await gate.pass()
        }
        let store = try await makeStore(executor: world, saga)

        await world.settle {
            await store.dispatch(Job("first", policy))
            await store.dispatch(Job("second", policy))
        }
        gate.open()
        await world.settle { try? await store.idle() }

        #expect(trace.entries == ["first"])
    }

    @Test("with a limit, a new trigger runs alongside the others below it, and is dropped at it")
    func dropsAtTheLimit() async throws {
        let policy = Relux.Policy.leading(limit: 2)
        try await play(
            [
                .begin("a", policy), .begin("b", policy), .perform("c", policy), .end("c"), .release("a"), .end("a"),
                .perform("d", policy), .end("d"),
            ], endings: ["c": .dropped], log: ["a+", "b+", "a-", "d+", "d-", "b-"])
    }

    @Test("runs that wait their turn count towards the limit, whatever their policies")
    func othersCount() async throws {
        try await play(
            [
                .begin("active", .serial), .perform("queued", .serial),
                .perform("beyond", .leading(limit: 2)), .end("beyond"),
                .perform("within", .leading(limit: 3)), .end("within"),
            ], endings: ["beyond": .dropped])
    }
}

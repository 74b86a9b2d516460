import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 9: the leading policy", .timeLimit(.minutes(10)))
struct LeadingTests {
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
        let entered = Trace<String>()
        let gate = Gate()
        let store = try await Relux.Store(.init(clock: ManualClock(), executor: world)) {
            ClosureSaga<Job>(policy: \.policy) { job, _ in
                entered.note(job.name)
                await gate.pass()
            }.alone
        }

        await world.settle {
            await store.dispatch(Job("first", policy))
            await store.dispatch(Job("second", policy))
        }
        gate.open()
        await world.settle { try? await store.idle() }

        #expect(entered.entries == ["first"])
    }

    @Test("with a limit, a new trigger runs alongside the others below it, and is dropped at it")
    func dropsAtTheLimit() async throws {
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

    @Test("runs that wait their turn count towards the limit, whatever their policies")
    func othersCount() async throws {
        let jobs = try await JobStore(gated: ["active"])
        await jobs.dispatch("active", .serial)
        await jobs.dispatch("queued", .serial)
        await jobs.arrival(of: "active")

        #expect(await jobs.perform("beyond", .leading(limit: 2)) == .dropped)
        #expect(await jobs.perform("within", .leading(limit: 3)) == .returned)
        _ = try await jobs.finalLog()
    }
}

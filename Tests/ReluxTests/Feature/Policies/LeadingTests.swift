import Relux
import ReluxTesting
import Testing

@Suite("Law 9: the leading policy")
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

    @Test("the next run starts once the active one has ended, successfully or not")
    func runsAgain() async throws {
        let jobs = try await JobStore { job, _ in if job.name == "bad" { throw TestFailure() } }

        #expect(await jobs.perform("first", .leading) == .returned)
        #expect(await jobs.perform("bad", .leading) == .failed(TestFailure()))
        #expect(await jobs.perform("third", .leading) == .returned)
    }

    @Test("a cancelled run is no longer active even if it ignores cancellation: the next one runs alongside it")
    func cancellation() async throws {
        let jobs = try await JobStore(gated: ["first"])
        let first = await jobs.performing("first", .leading)
        await jobs.arrival(of: "first")

        first.cancel()
        let second = await jobs.perform("second", .leading)
        let third = await jobs.perform("third", .leading)
        let log = try await jobs.finalLog()

        #expect([second, third] == [.returned, .returned])
        #expect(await first.value == .cancelled)
        #expect(log == ["first+", "cleaned up first", "second+", "second-", "third+", "third-"])
    }

    @Test("a trigger with another id runs")
    func ids() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .leading(id: 1))
        await jobs.arrival(of: "a")

        #expect(await jobs.perform("b", .leading(id: 1)) == .dropped)
        #expect(await jobs.perform("c", .leading(id: 2)) == .returned)
        #expect(await jobs.perform("d", .leading) == .returned)
        jobs.release("a")
        try await jobs.store.idle()
    }

    @Test("a run that performs its own id continues, and its child is dropped")
    func selfPerform() async throws {
        let jobs = try await JobStore { job, context in
            #expect(await Ending.of { try await context.perform(Job("inner", .leading)) } == .dropped)
        }

        #expect(await jobs.perform("outer", .leading) == .returned)
        #expect(try await jobs.finalLog() == ["outer+", "outer-"])
    }

    @Test("a dropped run doesn't reduce a cleanup action")
    func noCleanup() async throws {
        let jobs = try await JobStore(gated: ["first"])
        await jobs.dispatch("first", .leading)
        await jobs.dispatch("second", .leading)
        await jobs.arrival(of: "first")

        #expect(try await jobs.finalLog() == ["first+", "first-"])
    }
}

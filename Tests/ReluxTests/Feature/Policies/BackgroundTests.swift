import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 9: runs in the background", .timeLimit(.minutes(10)))
struct BackgroundTests: Staged {
    let scene = Scene()

    /// A saga in the background that waits for its cancellation.
    private let waiting = WorkSaga(policy: .concurrent.background) { _, _ in try await untilCancelled() }

    @Test("idleness doesn't wait for them, in any phase")
    func idle() async throws {
        let jobs = try await JobStore(gated: ["active"])
        await jobs.dispatch("active", .serial.background)
        await jobs.dispatch("queued", .serial.background)
        await jobs.dispatch("pending", .debounce(.seconds(1), id: 1).background)
        await jobs.arrival(of: "active")

        // The clock is never advanced and the gate is closed, so these would hang if they waited.
        try await jobs.store.idle()
        await jobs.dispatch("busy", .latest(id: 2))
        try await jobs.store.idle()

        #expect(try await jobs.store.log().contains("busy-"))
        await jobs.clock.advance(by: .seconds(1), pastSleepers: 1)
        _ = try await jobs.finalLog()
        await jobs.store.shutdown()
    }

    @Test("what they perform counts by its own policy")
    func performed() async throws {
        let work = WorkSaga(policy: .concurrent.background) { _, context in try await context.perform(Errand()) }
        let store = try await makeStore(work, ClosureSaga<Errand> { [gate] _, _ in await gate.pass() })
        await dispatching(Work(), in: store)

        let error = await #expect(throws: Relux.NotIdle.self) {
            let task = Task { try await store.idle() }
            task.cancel()
            try await task.value
        }

        #expect(error?.busy.map(\.run.trigger).count == 1)
        #expect(error?.busy.first?.run.trigger is Errand)
        _ = try await finalLog(of: store)
    }

    @Test("a timeout in one of them is in the background as well")
    func timeout() async throws {
        let store = try await makeStore(.concurrent.background) { [gate] _, context in
            try await context.timeout(after: .seconds(1)) { _ in await gate.pass() }
        }
        await dispatching(Work(), in: store)

        try await store.idle()

        gate.open()
    }

    @Test("they may wait for idleness, unless something busy waits for them")
    func idleInside() async throws {
        let waiting = ClosureSaga<Chore>(policy: { _ in .concurrent.background }) { [link] _, context in
            try await link.store?.idle()
            await context.dispatch(Log.Action.add("idle"))
        }
        let errand = ClosureSaga<Errand> { _, context in try await context.perform(Chore()) }
        let store = try await makeStore(waiting, errand)

        try await store.perform(Chore())
        let ending = await Ending.of { try await store.perform(Errand()) }

        #expect(try await store.log() == ["idle"])
        #expect(ending != .returned)
    }

    @Test(
        "a reset, an unregistration, and a shutdown cancel and await them",
        arguments: [Halt.reset, .unregistered, .shutDown])
    func ends(halt: Halt) async throws {
        let store = try await makeStore(.concurrent.background) { [gate, trace] _, _ in
            defer { trace.note("ended") }
            await gate.pass()
            try await untilCancelled()
        }
        gate.open()
        let caller = await performing(Work(), in: store)

        await halt.happen(to: caller, in: store)

        #expect(trace.entries == ["ended"])
    }

    @Test("a busy trigger that shares one in the background keeps the store busy")
    func shared() async throws {
        let jobs = try await JobStore(gated: ["a"])
        await jobs.dispatch("a", .shared.background)
        await jobs.dispatch("b", .shared)
        await jobs.arrival(of: "a")

        let error = await #expect(throws: Relux.NotIdle.self) { try await jobs.store.idle(within: .zero) }

        #expect(error?.busy.map(\.run.id) == [2])
        _ = try await jobs.finalLog()
    }

    @Test("a test store's finish doesn't wait for them")
    func testStore() async throws {
        let store = try await TestStore { waiting.module() }

        await store.dispatch(Work())

        await store.finish()
    }

    @Test("a simulation doesn't wait for them")
    func simulation() async throws {
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store { waiting.module() }
            await store.dispatch(Work())
        }
    }
}

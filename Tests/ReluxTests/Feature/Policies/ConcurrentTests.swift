import Relux
import TestFixtures
import Testing

@Suite("Law 9: the concurrent policy", .timeLimit(.minutes(10)))
struct ConcurrentTests {
    @Test("runs overlap")
    func sideBySide() async throws {
        let jobs = try await JobStore(gated: ["a", "b"])

        await jobs.dispatch("a", .concurrent)
        await jobs.arrival(of: "a")
        await jobs.dispatch("b", .concurrent)
        await jobs.arrival(of: "b")
        let ending = await jobs.perform("c", .concurrent)

        #expect(ending == .returned)
        #expect(try await jobs.store.log() == ["a+", "b+", "c+", "c-"])
        jobs.release("b")
        jobs.release("a")
        try await jobs.store.idle()
    }

    @Test("it is the default of sagas and flows")
    func isTheDefault() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            SagaModule(sagas: [PlainSaga(gate: gate)], flows: [PlainFlow(gate: gate)])
        }

        await store.dispatch(Work())
        await store.dispatch(Work())
        await store.dispatch(Question())
        await store.dispatch(Question())

        // This would hang if one run waited for another or superseded it.
        await gate.arrivals(atLeast: 4)
        gate.open()
        try await store.idle()
    }

    @Test("a failure or a cancellation of one run doesn't affect the others")
    func independence() async throws {
        let jobs = try await JobStore(gated: ["stays", "goes"]) { job, _ in
            if job.name == "bad" { throw TestFailure() }
        }
        await jobs.dispatch("stays", .concurrent)
        let goes = await jobs.performing("goes", .concurrent)
        await jobs.arrival(of: "stays")
        await jobs.arrival(of: "goes")

        let bad = await jobs.perform("bad", .concurrent)
        goes.cancel()
        let log = try await jobs.finalLog()

        #expect(bad == .failed(TestFailure()))
        #expect(await goes.value == .cancelled)
        #expect(log.contains("stays-"))
        #expect(!log.contains("goes-"))
    }

    private struct PlainSaga: Relux.Saga {
        let gate: Gate

        func run(_ trigger: Work, in context: Relux.SagaContext) async throws { await gate.pass() }
    }

    private struct PlainFlow: Relux.Flow {
        let gate: Gate

        func run(_ trigger: Question, in context: Relux.SagaContext) async throws -> Int {
            await gate.pass()
            return 0
        }
    }
}

import Relux
import TestFixtures
import Testing

@Suite("Law 9: the concurrent policy", .timeLimit(.minutes(10)))
struct ConcurrentTests {
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

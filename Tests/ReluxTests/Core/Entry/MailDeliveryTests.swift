import ReluxTesting
import Testing

@testable import Relux

@Suite("Delivered mail", .timeLimit(.minutes(10)))
struct MailDeliveryTests {
    private let world = SeededExecutor(seed: 1)
    private let trace = Trace<String>()

    /// A store whose errand sends work that supersedes other work.
    private func makeStore(on executor: SeededExecutor? = nil) async throws -> Relux.Store {
        let store = Relux.Store(.init(executor: executor))
        try await store.register(
            SagaModule(sagas: [
                ClosureSaga<Work>(policy: { _ in .latest }) { [trace] work, _ in
                    do { try await untilCancelled() } catch { trace.note("\(work.name) cancelled") }
                },
                ClosureSaga<Errand> { [trace] _, context in
                    context.send(Work(name: "second"))
                    trace.note("sent")
                },
            ])
        )
        return store
    }

    @Test("supersedes runs, whose tasks are cancelled when a run delivers it as it ends")
    func cancelsTasks() async throws {
        let store = try await makeStore()
        await store.dispatch(Work(name: "first"))

        try await store.perform(Errand())
        await trace.entries(satisfy: { $0.contains("first cancelled") })

        await store.shutdown()
    }

    @Test("supersedes runs, whose tasks are cancelled in their turn by a store with an executor")
    func cancelsTasksInTurn() async throws {
        let store = try await makeStore(on: world)
        await world.settle { await store.dispatch(Work(name: "first")) }

        await world.settle { await store.dispatch(Errand()) }
        let entries = trace.entries
        await world.settle { await store.cancel(ClosureSaga<Work>.self) }

        #expect(entries == ["sent", "first cancelled"])
        #expect(trace.entries == ["sent", "first cancelled", "second cancelled"])
    }
}

import ReluxTesting
import Testing

@testable import Relux

@Suite("Delivered mail", .timeLimit(.minutes(10)))
struct MailDeliveryTests {
    private let world = SeededExecutor(seed: 1)

    @Test("supersedes runs, whose tasks are cancelled when a run delivers it as it ends")
    func cancelsTasks() async throws {
        let cancelled = Signal()
        let store = try await Relux.Store {
            SagaModule(sagas: [
                ClosureSaga<Work>(policy: { _ in .latest }) { _, _ in
                    do { try await untilCancelled() } catch { cancelled.fire() }
                },
                ClosureSaga<Errand> { _, context in context.send(Work(name: "second")) },
            ])
        }
        await store.dispatch(Work(name: "first"))

        try await store.perform(Errand())
        await cancelled.wait()

        await store.shutdown()
    }

    @Test("supersedes runs, whose tasks are cancelled in their turn by a store with an executor")
    func cancelsTasksInTurn() async throws {
        let trace = Trace<String>()
        let store = Relux.Store(.init(executor: world))
        try await store.register(
            SagaModule(sagas: [
                ClosureSaga<Work>(policy: { _ in .latest }) { work, _ in
                    do { try await untilCancelled() } catch { trace.note("\(work.name) cancelled") }
                },
                ClosureSaga<Errand> { _, context in
                    context.send(Work(name: "second"))
                    trace.note("sent")
                },
            ])
        )
        await world.settle { await store.dispatch(Work(name: "first")) }

        await world.settle { await store.dispatch(Errand()) }
        let entries = trace.entries
        await world.settle { await store.cancel(ClosureSaga<Work>.self) }

        #expect(entries == ["sent", "first cancelled"])
        #expect(trace.entries == ["sent", "first cancelled", "second cancelled"])
    }
}

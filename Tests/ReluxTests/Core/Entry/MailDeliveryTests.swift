import ReluxTesting
import Testing

@testable import Relux

@Suite("Delivered mail", .timeLimit(.minutes(10)))
struct MailDeliveryTests {
    private let world = SeededExecutor(seed: 1)

    // Without observers, an action that concerns nothing but reducers isn't published.
    @Test("wakes the readers of the states that it changes")
    func wakesReaders() async throws {
        let seen = Trace<Int>()
        let store = Relux.Store(.init(executor: world))
        try await store.register(Part<TagA>.counting())
        Task(executorPreference: world) {
            for await value in store.values(of: Counter<TagA>.self, \.value) {
                seen.note(value)
                if value == 1 { break }
            }
        }
        await world.rest()

        store.send(Counter<TagA>.Add())
        await world.rest()

        #expect(seen.entries == [0, 1])
    }

    @Test("is shown to the middleware, even if it concerns nothing but reducers")
    func middleware() async throws {
        let seen = Trace<Int>()
        let middleware = HookMiddleware { action, _ in
            guard let add = action as? Counter<TagA>.Add else { return .proceed }
            seen.note(add.amount)
            return add.amount == 1 ? .drop(reason: "one") : .proceed
        }
        let store = Relux.Store(.init(executor: world, middleware: [middleware]))
        try await store.register(Part<TagA>.counting())

        for amount in [1, 10] { store.send(Counter<TagA>.Add(amount: amount)) }
        await world.rest()

        #expect(seen.entries == [1, 10])
        #expect(await store.count(of: TagA.self) == 10)
    }

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
        await store.dispatch(Work(name: "first"))
        await world.rest()

        await store.dispatch(Errand())
        await world.rest()
        let entries = trace.entries
        Task(executorPreference: world) { await store.cancel(ClosureSaga<Work>.self) }
        await world.rest()

        #expect(entries == ["sent", "first cancelled"])
        #expect(trace.entries == ["sent", "first cancelled", "second cancelled"])
    }
}

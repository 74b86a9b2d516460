import Relux
import TestFixtures
import Testing

/// Actions of runs that concern nothing but reducers take a way of their own if nothing observes the store.
@Suite("Dispatching in runs", .timeLimit(.minutes(10)))
struct DispatchInRunTests {
    /// Consists of plain bits.
    private struct Tally: Relux.State {
        var count = 0

        struct Action: Relux.Action { let amount: Int }

        mutating func reduce(_ action: Action) { count += action.amount }
    }

    private struct Module: Relux.Module {
        var states: [any Relux.State] { [Tally(), Log()] }
        var sagas: [any Relux.Saga] {
            [
                ClosureSaga<Work> { _, context in
                    await context.dispatch(Tally.Action(amount: 1))
                    await context.dispatch(Log.Action.add("counted"))
                }
            ]
        }
    }

    @Test("a reader that waits is woken by what a run dispatches")
    func readers() async throws {
        let thread = ThreadExecutor()
        defer { thread.end() }
        let store = try await Relux.Store { Module() }
        // In this order, on one thread: both readers wait before the effect is performed, and go on before the end.
        let tally = Task(executorPreference: thread.tasks) {
            for await tally in store.values(of: Tally.self) where tally.count == 1 { return true }
            return false
        }
        let log = Task(executorPreference: thread.tasks) {
            for await log in store.values(of: Log.self) where log.entries == ["counted"] { return true }
            return false
        }

        try await Task(executorPreference: thread.tasks) { try await store.perform(Work()) }.value
        await Task(executorPreference: thread.tasks) { await store.shutdown() }.value

        #expect(await tally.value)
        #expect(await log.value)
    }
}

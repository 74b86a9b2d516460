import ReluxTesting
import Testing

@testable import Relux

@Suite("WatcherInbox", .timeLimit(.minutes(10)))
struct WatcherInboxTests {
    @Test("A wait for the next action is resumed by an action that comes later")
    func resumed() async throws {
        let executor = SeededExecutor(seed: 1)
        let store = try await Relux.Store { Log.Module() }
        let inbox = WatcherInbox()
        await store.inside { core in inbox.listen(to: Log.Action.self, as: .outside, in: core) }

        let next = Task(executorPreference: executor) { await inbox.next(Log.Action.self) }
        // The task waits from here on.
        await executor.rest()
        await store.dispatch(Log.Action.add("late"))
        await executor.rest()

        #expect(await next.value == .add("late"))
    }
}

import ReluxTesting
import Testing

@testable import Relux

@Suite("WatcherInbox", .timeLimit(.minutes(10)))
struct WatcherInboxTests {
    @Test("a wait for the next action is resumed by an action that comes later")
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

    /// An inbox that listens to the log's actions, and a task that waits for the next one.
    private func waiting(
        _ executor: SeededExecutor
    ) async throws -> (store: Relux.Store, inbox: WatcherInbox, next: Task<Log.Action?, Never>) {
        let store = try await Relux.Store { Log.Module() }
        let inbox = WatcherInbox()
        await store.inside { core in inbox.listen(to: Log.Action.self, as: .outside, in: core) }
        let next = Task(executorPreference: executor) { await inbox.next(Log.Action.self) }
        await executor.rest()
        return (store, inbox, next)
    }

    @Test("a wait for the next action ends when the actions end", .timeLimit(.minutes(1)))
    func finished() async throws {
        let executor = SeededExecutor(seed: 2)
        let (store, inbox, next) = try await waiting(executor)

        await store.shutdown()
        await executor.rest()

        #expect(await next.value == nil)
        #expect(await inbox.next(Log.Action.self) == nil)
    }

    @Test("what was not claimed is discarded, and waits for it end", .timeLimit(.minutes(1)))
    func discarded() async throws {
        let executor = SeededExecutor(seed: 3)
        let (store, inbox, next) = try await waiting(executor)

        inbox.discard()
        await executor.rest()
        await store.dispatch(Log.Action.add("late"))

        #expect(await next.value == nil)
        #expect(!inbox.keeps(Log.Action.self))
        #expect(inbox.claim(Log.Action.self, .unbounded) == nil)
        // Nothing but the module takes the action any more.
        await store.unregister(Log.Module.self)
        #expect(await store.inside { $0.root.routes.count } == 0)
    }

    @Test("what was claimed stays with the stream when the rest is discarded, and ends with the store")
    func claimed() async throws {
        let store = try await Relux.Store { Log.Module() }
        let inbox = WatcherInbox()
        await store.inside { core in inbox.listen(to: Log.Action.self, as: .outside, in: core) }
        await store.dispatch(Log.Action.add("kept"))
        let stream = try #require(inbox.claim(Log.Action.self, .unbounded))

        inbox.discard()
        await store.dispatch(Log.Action.add("later"))
        await store.shutdown()

        #expect(await stream.buffer.next() == .add("kept"))
        #expect(await stream.buffer.next() == .add("later"))
        #expect(await stream.buffer.next() == nil)
    }

    @Test("a stream that claims actions after their end gets what was kept, and ends")
    func claimedLate() async throws {
        let store = try await Relux.Store { Log.Module() }
        let inbox = WatcherInbox()
        await store.inside { core in inbox.listen(to: Log.Action.self, as: .outside, in: core) }
        await store.dispatch(Log.Action.add("kept"))
        await store.shutdown()

        let stream = try #require(inbox.claim(Log.Action.self, .unbounded))

        #expect(await stream.buffer.next() == .add("kept"))
        #expect(await stream.buffer.next() == nil)
    }
}

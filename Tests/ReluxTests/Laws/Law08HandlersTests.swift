import Dispatch
import Relux
import TestFixtures
import Testing

@Suite("Law 8: cancellation handlers", .timeLimit(.minutes(10)))
struct Law08HandlersTests {
    /// How a run is cancelled.
    enum Cancelling: CaseIterable, Sendable {
        case byName, byItsCaller, superseded, reset, unregistered, shutDown
    }

    // It used to hang: the handler was executed inside the store, and what it waited for couldn't get in.
    @Test("a handler that blocks doesn't hold up the store", arguments: Cancelling.allCases)
    func blockedHandler(cancelling: Cancelling) async throws {
        // What the store starts and the cancelling task are on this thread, which the handler blocks. Nothing else may
        // want to run there in the meantime.
        let thread = ThreadExecutor()
        defer { thread.end() }
        let (isListening, isBlocked, isOver) = (Gate(), Gate(), Gate())
        let release = DispatchSemaphore(value: 0)
        let store = try await Relux.Store(.init(executor: thread.tasks)) {
            WorkSaga(policy: .latest) { work, _ in
                guard work.name == "old" else { return await isOver.pass() }
                try await withTaskCancellationHandler {
                    isListening.open()
                    try await untilCancelled()
                } onCancel: {
                    isBlocked.open()
                    release.wait()
                }
            }.module()
            Part<TagA>.counting()
        }
        let caller = Task(executorPreference: thread.tasks) { try await store.perform(Work(name: "old")) }
        await isListening.pass()

        let canceller = Task(executorPreference: thread.tasks) {
            switch cancelling {
            case .byName: await store.cancel(WorkSaga.self)
            case .byItsCaller: caller.cancel()
            case .superseded: await store.dispatch(Work(name: "new"))
            case .reset: await store.reset()
            case .unregistered: await store.unregister(SagaModule.self)
            case .shutDown: await store.shutdown()
            }
        }
        await isBlocked.pass()
        let sequence = await store.dispatch(Counter<TagA>.Add()).sequence
        let count = await store.count(of: TagA.self)
        release.signal()
        isOver.open()
        await canceller.value
        let ending = await Ending.of { try await caller.value }
        try await store.idle()

        #expect(sequence == (cancelling == .shutDown ? nil : cancelling == .superseded ? 3 : 2))
        #expect(count == (cancelling == .shutDown ? nil : 1))
        #expect(ending == (cancelling == .superseded ? .superseded : .cancelled))
    }
}

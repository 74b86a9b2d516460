import Dispatch
import Relux
import TestFixtures
import Testing

@Suite("Law 8: cancellation handlers", .timeLimit(.minutes(10)))
struct Law08HandlersTests {
    // It used to hang: the handler was executed inside the store, and what it waited for couldn't get in.
    @Test("a handler that blocks doesn't hold up the store", arguments: Halt.allCases)
    func blockedHandler(halt: Halt) async throws {
        // What the store starts and the cancelling task are on this thread, which the handler blocks. Nothing else may
        // want to run there in the meantime.
        let thread = ThreadExecutor()
        defer { thread.end() }
        let (isListening, isBlocked, isOver) = (Gate(), Gate(), Gate())
        let release = DispatchSemaphore(value: 0)
        let saga = WorkSaga(policy: .latest) { work, _ in
            guard work.name == "old" else { return await isOver.pass() }
            try await withTaskCancellationHandler {
                isListening.open()
                try await untilCancelled()
            } onCancel: {
                isBlocked.open()
                release.wait()
            }
        }
        let store = try await Relux.Store(.init(executor: thread.tasks)) {
            saga.module()
            Part<TagA>.counting()
        }
        let caller = Task(executorPreference: thread.tasks) { try await store.perform(Work(name: "old")) }
        await isListening.pass()

        let canceller = Task(executorPreference: thread.tasks) { await halt.happen(to: caller, in: store) }
        await isBlocked.pass()
        let sequence = await store.dispatch(Counter<TagA>.Add()).sequence
        let count = await store.count(of: TagA.self)
        release.signal()
        isOver.open()
        await canceller.value
        let ending = await Ending.of { try await caller.value }
        try await store.idle()

        #expect(sequence == (halt == .shutDown ? nil : halt == .superseded ? 3 : 2))
        #expect(count == (halt == .shutDown ? nil : 1))
        #expect(ending == (halt == .superseded ? .superseded : .cancelled))
    }
}

import Relux
import TestFixtures
import Testing

@Suite("Law 8: cancelling finished runs, and runs that have not begun", .timeLimit(.minutes(10)))
struct Law08FinishedRunsTests: Staged {
    let scene = Scene()

    /// What cancels a run.
    enum Cancellation: CaseIterable, Sendable {
        case saga, receipt, reset
    }

    @Test(
        "a cancellation that reaches a finished run cancels its task and what it performs, and not its outcome",
        arguments: Cancellation.allCases)
    func cancelled(cancellation: Cancellation) async throws {
        let (performed, cancelled) = (Gate(), Trace<Bool>())
        let job = HookedSaga<Job> { _, context in
            async let errand = Ending.of { try await context.perform(Errand()) }
            await performed.pass()
            await context.finish(with: Log.Action.add("finished"))
            try? await untilCancelled()
            cancelled.note(Task.isCancelled)
            #expect(await errand == .cancelled)
        }
        let errand = ClosureSaga<Errand>(cleanup: { _ in .add("errand cancelled") }) { _, _ in
            performed.open()
            try await untilCancelled()
        }
        let store = try await Relux.Store(.init(observers: [observer])) { SagaModule(sagas: [job, errand]) }
        let receipt = await store.dispatch(Job("job", .serial))
        try await store.logged("finished")

        switch cancellation {
        case .saga: await store.cancel(HookedSaga<Job>.self)
        case .receipt: receipt.cancel()
        case .reset: await store.reset()
        }
        try await store.idle()

        #expect(cancelled.entries == [true])
        #expect(await receipt.outcome().endings == [.returned])
        #expect(observer.trace.entries.filter { $0.hasPrefix("end") } == ["end 1 finished", "end 2 cancelled"])
        let log = try await store.log()
        #expect(log == (cancellation == .reset ? [] : ["start job", "finished", "errand cancelled"]))
    }
}

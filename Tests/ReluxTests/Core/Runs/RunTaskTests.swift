import ReluxTesting
import Testing

@testable import Relux

@Suite("RunTask", .timeLimit(.minutes(10)))
struct RunTaskTests {
    // Otherwise, the handlers would be executed in a task that may no longer exist.
    @Test("a task is unregistered only after its cancellation handlers have been executed")
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func detachesAfterCancellation() async {
        let trace = await detachDuringCancellation { _, trace in trace.note("handled") }

        #expect(trace.entries == ["handled", "detached"])
    }

    // Otherwise, it would take the continuation of the waiting task for the task.
    @Test("a second cancellation leaves a task alone that waits for the end of the first")
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func secondCancellation() async {
        let trace = await detachDuringCancellation { run, trace in
            run.cancel()
            trace.note("cancelled again")
        }

        #expect(trace.entries == ["cancelled again", "detached"])
    }

    /// Cancels a run, and lets its task be unregistered in a cancellation handler.
    ///
    /// - Parameter next: What the handler does afterwards, while the unregistering waits for its end.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private func detachDuringCancellation(
        _ next: @escaping @Sendable (RunHandle, Trace<String>) -> Void
    ) async -> Trace<String> {
        let record = Relux.RunRecord(
            id: 1, kind: .saga, saga: Never.self, trigger: nil, callSite: Relux.CallSite()
        )
        let run = RunHandle(record, .closed)
        let trace = Trace<String>()
        let detached = Signal()
        await Task {
            run.attach()
            await withTaskCancellationHandler {
                run.cancel()
            } onCancel: {
                // Executed by the cancellation: the first step of the task precedes the end of this handler.
                Task.immediate {
                    await run.detach()
                    trace.note("detached")
                    detached.fire()
                }
                next(run, trace)
            }
            await detached.wait()
        }.value
        return trace
    }
}

import Dispatch
import Relux

/// The main actor in a simulation: its code is executed in jobs of the world's scheduler, at points that the schedule
/// chooses, and in the order in which it was enqueued.
///
/// The code runs on the real main actor, so every check of its isolation passes. The job that executes it blocks its
/// own thread in the meantime, so nothing else in the simulation overlaps with it.
final class SimulatedMainActor: Sendable {
    private let executor: SeededExecutor
    private let journal: Journal
    /// The thread that is executing main-actor code of this world; 0 if none is.
    private let thread = Lock<UInt>(0)
    /// The task that was enqueued last.
    private let last = Lock<Task<Void, Never>?>(nil)

    init(on executor: SeededExecutor, _ journal: Journal) {
        (self.executor, self.journal) = (executor, journal)
    }

    /// The main actor as the world's stores see it.
    var context: MainActorContext {
        MainActorContext(
            isCurrent: { [self] in thread.withLock { $0 } == CurrentThread.identity },
            enqueue: { [self] body in enqueue(body) }
        )
    }

    /// Executes a closure in a job of the scheduler, after everything that was enqueued before.
    @discardableResult
    private func enqueue(_ body: @escaping @MainActor @Sendable () -> Void) -> Task<Void, Never> {
        last.withLock { last in
            let task = Task(executorPreference: executor) { [previous = last] in
                await previous?.value
                self.execute(body)
            }
            last = task
            return task
        }
    }

    /// Waits until everything that was enqueued has been executed.
    ///
    /// - Returns: Whether anything was.
    nonisolated(nonsending) func settle() async -> Bool {
        var hasWaited = false
        while let task = last.withLock({ $0 }) {
            await task.value
            last.withLock { last in if last == task { last = nil } }
            hasWaited = true
        }
        return hasWaited
    }

    /// Executes a closure in a job of the scheduler.
    nonisolated(nonsending) func run<Value: Sendable>(
        _ body: @escaping @MainActor @Sendable () throws -> Value
    ) async throws -> Value {
        let result = Shared<Result<Value, any Error>?>(nil)
        await enqueue {
            do {
                let value = try body()
                result.change { $0 = .success(value) }
            } catch {
                result.change { $0 = .failure(error) }
            }
        }.value
        guard let value = result.value else { preconditionFailure("The body has been executed.") }
        return try value.get()
    }

    /// Executes a closure on the main actor, and blocks the calling thread until it has returned.
    private func execute(_ body: @escaping @MainActor @Sendable () -> Void) {
        let end = DispatchSemaphore(value: 0)
        let open = Shared<(@MainActor @Sendable () -> Void)?>(body)
        EscapeWatch.excusing {
            // A task, because it inherits the task-local values, among them the current test.
            Task { @MainActor [self] in
                lend(to: CurrentThread.identity)
                // The driving thread waits, and this one does its work.
                EscapeWatch.counting(into: journal.escapes) {
                    open.value?()
                    // Everything that the body holds is released on this side of the end, or by the waiting thread.
                    open.change { $0 = nil }
                }
                lend(to: nil)
                end.signal()
            }
        }
        end.wait()
    }

    private func lend(to guest: UInt?) {
        thread.withLock { $0 = guest ?? 0 }
        executor.lend(to: guest)
        journal.lend(to: guest)
    }
}

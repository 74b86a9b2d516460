import Foundation
import Synchronization
import TestFixtures

/// Runs a body on several threads at once, and waits until all of them have returned.
///
/// The runtime orders tasks that wait for each other, and so hides what the code under test forgets to order. What
/// these threads do is ordered by the body alone, so the thread sanitizer can notice a memory ordering that is too
/// weak. It doesn't notice each one in each run: it remembers little of what a thread has done, and is misled by the
/// runtime, which orders threads that look up metadata.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    let started = RelaxedCounter()
    // Nothing is remembered of a thread that has exited.
    let end = Gate()
    await withTaskGroup { group in
        for thread in 0..<count {
            let isOver = DispatchSemaphore(value: 0)
            group.addTask {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        started.increment()
                        started.reach(count)
                        body(thread)
                        continuation.resume()
                        isOver.wait()
                    }
                }
                await end.pass()
                isOver.signal()
            }
        }
        await end.arrivals(atLeast: count)
        end.open()
    }
}

/// What threads tell each other about their progress.
///
/// It is relaxed throughout, so it orders nothing that they do.
final class RelaxedCounter: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func increment() { number.add(1, ordering: .relaxed) }

    /// Returns when the threads have counted that far.
    func reach(_ target: Int) {
        while count < target {}
    }
}

/// A one-shot event that any number of tasks can await.
///
/// Everything in the library that waits for the store waits for a signal, outside the store: a verb makes one short
/// call into the store, gets a signal, and awaits it. A waiter therefore neither keeps the store alive nor blocks it.
///
/// - Ordering: `fire` resumes the waiters in the order in which they arrived.
/// - Cancellation: `wait` ignores it; `waitUnlessCancelled` returns false at once when its task is cancelled.
final class Signal: Sendable {
    /// Resumed exactly once, with whether the signal has fired: by `fire` or by a cancellation, which take the waiter
    /// out first, or by the waiter itself if it came too late.
    private typealias Continuation = UnsafeContinuation<Bool, Never>

    /// The waiters, of which one that has not suspended yet is nil; nil once the signal has fired.
    private let waiters = Lock<ArrivalList<Continuation?>?>(ArrivalList())

    var hasFired: Bool { waiters.withLock { $0 == nil } }

    /// Resumes all waiters and lets later ones pass. Only the first call has an effect.
    func fire() {
        let waiters = waiters.withLock { $0.take() }
        waiters?.forEach { $0?.resume(returning: true) }
    }

    /// Waits for the event and ignores cancellation.
    nonisolated(nonsending) func wait() async {
        if let place = addWaiter() { _ = await suspend(at: place) }
    }

    /// Waits for the event or for the cancellation of the task, whichever comes first.
    ///
    /// - Returns: Whether the signal fired before the task was cancelled.
    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool {
        // The place in the line is taken first, so that a cancellation finds it, however early it comes.
        guard let place = addWaiter() else { return true }
        return await withTaskCancellationHandler {
            await suspend(at: place)
        } onCancel: {
            let waiter = waiters.withLock { $0?.remove(place) ?? nil }
            waiter?.resume(returning: false)
        }
    }

    /// Takes a place in the line; nil if the event has happened.
    private func addWaiter() -> UInt64? { waiters.withLock { $0?.append(nil) } }

    /// - Returns: Whether the signal has fired.
    private nonisolated(nonsending) func suspend(at place: UInt64) async -> Bool {
        #if RELUX_TSAN
            // The runtime orders the waiter after `fire`, or after the cancellation, in any case. But if a continuation
            // is resumed before its task awaits it, it doesn't tell the sanitizer, which then reports a false race.
            defer { _ = hasFired }
        #endif
        // Unsafe continuation: `Continuation` says who resumes it exactly once.
        return await withUnsafeContinuation { (continuation: Continuation) in
            let result: Bool? = waiters.withLock { waiters in
                guard waiters != nil else { return true }
                // Without its place, the waiter has been cancelled.
                guard waiters?.remove(place) != nil else { return false }
                waiters?.insert(continuation, as: place)
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}

/// A ``Latch`` as an object, for events that several owners share.
///
/// Everything in the library that waits for the store does so on a signal, or on the latch of a ``Completion``, outside
/// the store: a verb makes one short call into the store, gets what it has to await, and awaits it. A waiter therefore
/// never keeps the store alive and never blocks it.
///
/// - Ordering: `fire` resumes the waiters in the order in which they arrived.
/// - Cancellation: `wait` ignores it; `waitUnlessCancelled` returns false at once when its task is cancelled.
final class Signal: Sendable {
    private let latch = Latch()
    /// Kept alive for as long as the signal is.
    private let companion: (any AnyObject & Sendable)?

    init(keeping companion: (any AnyObject & Sendable)? = nil) {
        self.companion = companion
    }

    var hasFired: Bool { latch.hasFired }

    /// Resumes all waiters and lets later ones pass. Only the first call has an effect.
    func fire() { latch.fire() }

    /// Waits for the event and ignores cancellation.
    nonisolated(nonsending) func wait() async { await latch.wait() }

    /// Waits for the event or for the cancellation of the task, whichever comes first.
    ///
    /// - Returns: Whether the signal fired before the task was cancelled.
    // inline(never): this would otherwise be copied to each of its calls, and its callers suspend anyway.
    @inline(never)
    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool { await latch.waitUnlessCancelled() }
}

/// A one-shot event, which any number of tasks can await.
///
/// Everything in the library that waits does so on a signal, outside the store: a verb makes one short call into the
/// store, gets a signal, and awaits it. A waiter therefore never keeps the store alive and never blocks it.
///
/// - Ordering: `fire` resumes the waiters in the order in which they arrived.
/// - Cancellation: `wait` ignores it; `waitUnlessCancelled` returns false at once when its task is cancelled.
final class Signal: Sendable {
    /// Resumed exactly once, with whether the signal has fired: by `fire` or `cancel`, which remove the waiter first,
    /// or by `enlist` if it is too late.
    private typealias Continuation = UnsafeContinuation<Bool, Never>

    private struct Waiter {
        /// Identifies the wait to a cancellation; 0 if it can't be cancelled.
        let key: UInt64
        let continuation: Continuation
    }

    private struct Contents {
        var hasFired = false
        /// The first waiter, stored inline, because most signals have only one.
        var first: Waiter?
        var others: [Waiter] = []
        var lastKey: UInt64 = 0
        /// Keys of waits that were cancelled before they were enlisted.
        var cancelledEarly: [UInt64] = []

        mutating func append(_ waiter: Waiter) {
            if first == nil, others.isEmpty { first = waiter } else { others.append(waiter) }
        }

        mutating func remove(_ key: UInt64) -> Waiter? {
            if first?.key == key { return first.take() }
            return others.firstIndex { $0.key == key }.map { others.remove(at: $0) }
        }
    }

    private let contents = Lock(Contents())
    /// Kept alive for as long as the signal is.
    private let companion: (any AnyObject & Sendable)?

    init(keeping companion: (any AnyObject & Sendable)? = nil) {
        self.companion = companion
    }

    var hasFired: Bool { contents.withLock { $0.hasFired } }

    /// Resumes all waiters and lets later ones pass. Only the first call has an effect.
    // inline(never): this would otherwise be copied to each of its calls.
    @inline(never)
    func fire() {
        let (first, others) = contents.withLock { contents in
            contents.hasFired = true
            defer { contents.others = [] }
            return (contents.first.take(), contents.others)
        }
        first?.continuation.resume(returning: true)
        for waiter in others { waiter.continuation.resume(returning: true) }
    }

    /// Waits for the event and ignores cancellation.
    nonisolated(nonsending) func wait() async {
        // Unsafe continuation: `Continuation` says who resumes it exactly once.
        _ = await withUnsafeContinuation { enlist(Waiter(key: 0, continuation: $0)) }
        synchronize()
    }

    /// Waits for the event or for the cancellation of the task, whichever comes first.
    ///
    /// - Returns: Whether the signal fired before the task was cancelled.
    // inline(never): as above. Its callers suspend anyway.
    @inline(never)
    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool {
        let key = contents.withLock { contents in
            contents.lastKey += 1
            return contents.lastKey
        }
        let hasFired = await withTaskCancellationHandler {
            // Unsafe continuation: `Continuation` says who resumes it exactly once.
            await withUnsafeContinuation { enlist(Waiter(key: key, continuation: $0)) }
        } onCancel: {
            cancel(key)
        }
        synchronize()
        return hasFired
    }

    /// Tells the thread sanitizer that the waiter runs after `fire`.
    ///
    /// The runtime orders the two in any case. But if a continuation is resumed before its task awaits it, the runtime
    /// doesn't tell the sanitizer, which then reports a false race.
    private func synchronize() {
        #if RELUX_TSAN
            _ = hasFired
        #endif
    }

    /// Resumes a task at the event, or immediately if it has happened.
    private func enlist(_ waiter: Waiter) {
        let immediate: Bool? = contents.withLock { contents in
            let early = contents.cancelledEarly.firstIndex(of: waiter.key)
            if let early { contents.cancelledEarly.remove(at: early) }
            if contents.hasFired { return true }
            if early != nil { return false }
            contents.append(waiter)
            return nil
        }
        if let immediate { waiter.continuation.resume(returning: immediate) }
    }

    private func cancel(_ key: UInt64) {
        let waiter: Waiter? = contents.withLock { contents in
            guard !contents.hasFired else { return nil }
            let waiter = contents.remove(key)
            if waiter == nil { contents.cancelledEarly.append(key) }
            return waiter
        }
        waiter?.continuation.resume(returning: false)
    }
}

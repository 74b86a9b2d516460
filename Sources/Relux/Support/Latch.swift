import Synchronization

/// A one-shot event, which any number of tasks can await, stored inside the object to which it happens.
///
/// If nothing waits for the event, it costs one atomic operation.
///
/// - Ordering: `fire` resumes the waiters in the order in which they arrived.
/// - Cancellation: `wait` ignores it; `waitUnlessCancelled` returns false at once when its task is cancelled.
struct Latch: ~Copyable, Sendable {
    /// Resumed exactly once, with whether the latch has fired: by `fire` or `cancel`, which remove the waiter first,
    /// or by `enlist` if it is too late.
    typealias Continuation = UnsafeContinuation<Bool, Never>

    struct Waiter {
        /// Identifies the wait to a cancellation; 0 if it can't be cancelled.
        let key: UInt64
        let continuation: Continuation
    }

    // Not private, because the compiler of Swift 6.3 fails if another file stores the struct around it.
    struct Waiters {
        /// The first waiter, stored inline, because most latches have only one.
        var first: Waiter?
        var others: [Waiter] = []
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

    private static let idle: UInt8 = 0
    /// Something waits or has waited. Set inside the lock, by the first waiter.
    private static let awaited: UInt8 = 1
    private static let fired: UInt8 = 2

    private let state = Atomic<UInt8>(idle)
    private let lastKey = Atomic<UInt64>(0)
    private let waiters = Lock(Waiters())

    var hasFired: Bool { state.load(ordering: .acquiring) == Self.fired }

    /// Resumes all waiters and lets later ones pass. Only the first call has an effect.
    @inline(__always)
    func fire() {
        // Releasing, for those who find that it has fired. Those who were enlisted are ordered by the lock.
        if state.exchange(Self.fired, ordering: .releasing) == Self.awaited { resumeWaiters() }
    }

    // inline(never): this would otherwise be copied to each call of `fire`.
    @inline(never)
    private func resumeWaiters() {
        let (first, others) = waiters.withLock { waiters in
            defer { waiters.others = [] }
            return (waiters.first.take(), waiters.others)
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
    /// - Returns: Whether the latch fired before the task was cancelled.
    // inline: each asynchronous function between a task and its wait costs a frame.
    @inline(__always)
    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool {
        let key = lastKey.add(1, ordering: .relaxed).newValue
        let hasFired = await withTaskCancellationHandler {
            // Unsafe continuation: `Continuation` says who resumes it exactly once.
            await withUnsafeContinuation { enlist(Waiter(key: key, continuation: $0)) }
        } onCancel: {
            cancel(key)
        }
        synchronize()
        return hasFired
    }

    /// Tells the thread sanitizer that the waiter runs after `fire` or `cancel`.
    ///
    /// The runtime orders the two in any case. But if a continuation is resumed before its task awaits it, the runtime
    /// doesn't tell the sanitizer, which then reports a false race.
    @inline(__always)
    private func synchronize() {
        #if RELUX_TSAN
            waiters.withLock { _ in _ = hasFired }
        #endif
    }

    /// Resumes a task at the event, or immediately if it has happened.
    private func enlist(_ waiter: Waiter) {
        let immediate: Bool? = waiters.withLock { waiters in
            let early = waiters.cancelledEarly.firstIndex(of: waiter.key)
            if let early { waiters.cancelledEarly.remove(at: early) }
            // Acquiring, for what was done before `fire`.
            let (_, before) = state.compareExchange(
                expected: Self.idle, desired: Self.awaited, ordering: .acquiring
            )
            if before == Self.fired { return true }
            if early != nil { return false }
            waiters.append(waiter)
            return nil
        }
        if let immediate { waiter.continuation.resume(returning: immediate) }
    }

    private func cancel(_ key: UInt64) {
        let waiter: Waiter? = waiters.withLock { waiters in
            guard !hasFired else { return nil }
            let waiter = waiters.remove(key)
            if waiter == nil { waiters.cancelledEarly.append(key) }
            return waiter
        }
        waiter?.continuation.resume(returning: false)
    }
}

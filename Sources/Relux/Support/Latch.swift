/// A one-shot event with a value, which any number of tasks can await.
///
/// Everything in the library that waits does so on a latch, outside the store: a verb makes one short call into the
/// store, gets a latch, and awaits it. A waiter therefore never keeps the store alive and never blocks it.
///
/// - Ordering: `fire` resumes the waiters in the order in which they arrived.
/// - Cancellation: `wait` ignores it; `waitUnlessCancelled` returns nil at once when its task is cancelled.
struct Latch<Value: Sendable>: ~Copyable, Sendable {
    /// Resumed exactly once: by `fire` or `cancel`, which remove the waiter first, or by `enlist` if it is too late.
    typealias Continuation = UnsafeContinuation<Value?, Never>

    struct Waiter {
        let key: UInt64
        let continuation: Continuation
    }

    enum Phase {
        case waiting([Waiter])
        case waitingAlone(Waiter)
        case fired(Value)
    }

    struct Contents {
        var phase = Phase.waiting([])
        var lastKey: UInt64 = 0
        /// Keys of waits that were cancelled before they were enlisted.
        var cancelledEarly: [UInt64] = []
    }

    private let contents = Lock(Contents())

    /// The value of the event; nil if it has not happened yet.
    var value: Value? {
        contents.withLock { contents in
            if case .fired(let value) = contents.phase { value } else { nil }
        }
    }

    var hasFired: Bool { value != nil }

    /// Resumes all waiters and lets later ones pass. Only the first call has an effect.
    func fire(_ value: Value) {
        let before = contents.withLock { contents in
            let before = contents.phase
            if case .fired = before { return before }
            contents.phase = .fired(value)
            return before
        }
        switch before {
        case .fired: break
        case .waitingAlone(let waiter): waiter.continuation.resume(returning: value)
        case .waiting(let waiters): for waiter in waiters { waiter.continuation.resume(returning: value) }
        }
    }

    /// Waits for the event and ignores cancellation.
    @discardableResult
    nonisolated(nonsending) func wait() async -> Value {
        while true {
            // Unsafe continuation: `Continuation` says who resumes it exactly once.
            let value = await withUnsafeContinuation { enlist($0) }
            synchronize()
            // Only a cancelled wait is resumed without a value, and this one has no key to cancel it by.
            if let value { return value }
        }
    }

    /// Waits for the event or for the cancellation of the task, whichever comes first.
    ///
    /// - Returns: The value of the event; nil if the task was cancelled first.
    nonisolated(nonsending) func waitUnlessCancelled() async -> Value? {
        let key = contents.withLock { contents in
            contents.lastKey += 1
            return contents.lastKey
        }
        let value = await withTaskCancellationHandler {
            // Unsafe continuation: `Continuation` says who resumes it exactly once.
            await withUnsafeContinuation { enlist($0, key: key) }
        } onCancel: {
            cancel(key)
        }
        synchronize()
        return value
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
    ///
    /// - Parameter key: Identifies the wait to a cancellation; 0 if it can't be cancelled.
    func enlist(_ continuation: Continuation, key: UInt64 = 0) {
        let immediate: Value?? = contents.withLock { contents in
            if let index = contents.cancelledEarly.firstIndex(of: key) {
                contents.cancelledEarly.remove(at: index)
                if case .fired(let value) = contents.phase { return .some(value) }
                return .some(nil)
            }
            let waiter = Waiter(key: key, continuation: continuation)
            switch contents.phase {
            case .fired(let value): return .some(value)
            case .waitingAlone(let first): contents.phase = .waiting([first, waiter])
            case .waiting(var waiters):
                guard !waiters.isEmpty else {
                    contents.phase = .waitingAlone(waiter)
                    return nil
                }
                // Emptied first, so that the array is unique and appending doesn't copy it.
                contents.phase = .waiting([])
                waiters.append(waiter)
                contents.phase = .waiting(waiters)
            }
            return nil
        }
        if let immediate { continuation.resume(returning: immediate) }
    }

    private func cancel(_ key: UInt64) {
        let continuation: Continuation? = contents.withLock { contents in
            switch contents.phase {
            case .fired:
                return nil
            case .waitingAlone(let waiter) where waiter.key == key:
                contents.phase = .waiting([])
                return waiter.continuation
            case .waiting(var waiters):
                guard let index = waiters.firstIndex(where: { $0.key == key }) else { break }
                contents.phase = .waiting([])
                let waiter = waiters.remove(at: index)
                contents.phase = .waiting(waiters)
                return waiter.continuation
            case .waitingAlone:
                break
            }
            contents.cancelledEarly.append(key)
            return nil
        }
        continuation?.resume(returning: nil)
    }
}

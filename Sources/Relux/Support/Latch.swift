/// An event that happens once, which any number of tasks can await.
///
/// Everything in the library that waits does it here, outside the store: a verb makes one short call into the store,
/// gets a signal, and awaits that. So nobody who waits keeps the store, nor stands in its way.
///
/// - Ordering: `fire` resumes the waiting in the order in which they came.
/// - Cancellation: `wait` goes on to the event; `waitUnlessCancelled` ends at once when its task is cancelled.
struct Latch: ~Copyable, Sendable {
    struct Waiting {
        let key: UInt64
        let continuation: UnsafeContinuation<Bool, Never>
    }

    enum Phase {
        case quiet
        case one(Waiting)
        case many([Waiting])
        case fired
    }

    struct Contents {
        var phase = Phase.quiet
        var lastKey: UInt64 = 0
        /// Keys whose task was cancelled before it began to wait.
        var cancelledEarly: [UInt64] = []
    }

    private let contents = Lock(Contents())

    var hasFired: Bool {
        contents.withLock { contents in
            if case .fired = contents.phase { true } else { false }
        }
    }

    /// Resumes everybody who waits, and lets everybody pass who comes later. Once; further calls do nothing.
    func fire() {
        let before = contents.withLock { contents in
            defer { contents.phase = .fired }
            return contents.phase
        }
        switch before {
        case .quiet, .fired: break
        case .one(let one): one.continuation.resume(returning: true)
        case .many(let all): for one in all { one.continuation.resume(returning: true) }
        }
    }

    /// Waits for the event, whatever happens to the task.
    nonisolated(nonsending) func wait() async {
        // Resumed exactly once: by `fire`, which takes it out of the contents, or at once by `enlist`.
        _ = await withUnsafeContinuation { enlist($0, key: 0) }
        noteWait()
    }

    /// Waits for the event or for the cancellation of the task, whichever comes first.
    ///
    /// - Returns: Whether the event happened.
    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool {
        let key = contents.withLock { contents in
            contents.lastKey += 1
            return contents.lastKey
        }
        let hasFired = await withTaskCancellationHandler {
            // Resumed exactly once: by `fire` or `cancel`, which take it out of the contents, or at once by `enlist`.
            await withUnsafeContinuation { enlist($0, key: key) }
        } onCancel: {
            cancel(key)
        }
        noteWait()
        return hasFired
    }

    /// Tells the thread sanitizer that whoever has waited comes after `fire`.
    ///
    /// So it is in any case: the runtime orders the two. But where a continuation is resumed before its task has come
    /// to await it, the runtime doesn't tell the sanitizer, which then reports a race that isn't there.
    func noteWait() {
        #if RELUX_TSAN
            _ = hasFired
        #endif
    }

    /// Resumes a task at the event, or at once after it.
    ///
    /// - Parameters:
    ///   - continuation: Resumed once.
    ///   - key: What a cancellation names, or 0.
    func enlist(_ continuation: UnsafeContinuation<Bool, Never>, key: UInt64) {
        let atOnce: Bool? = contents.withLock { contents in
            if let index = contents.cancelledEarly.firstIndex(of: key) {
                contents.cancelledEarly.remove(at: index)
                if case .fired = contents.phase { return true }
                return false
            }
            let waiting = Waiting(key: key, continuation: continuation)
            switch contents.phase {
            case .fired: return true
            case .quiet: contents.phase = .one(waiting)
            case .one(let first): contents.phase = .many([first, waiting])
            case .many(var all):
                contents.phase = .quiet
                all.append(waiting)
                contents.phase = .many(all)
            }
            return nil
        }
        if let atOnce { continuation.resume(returning: atOnce) }
    }

    private func cancel(_ key: UInt64) {
        let continuation: UnsafeContinuation<Bool, Never>? = contents.withLock { contents in
            switch contents.phase {
            case .fired:
                return nil
            case .one(let waiting) where waiting.key == key:
                contents.phase = .quiet
                return waiting.continuation
            case .many(var all):
                guard let index = all.firstIndex(where: { $0.key == key }) else { break }
                contents.phase = .quiet
                let waiting = all.remove(at: index)
                contents.phase = .many(all)
                return waiting.continuation
            case .quiet, .one:
                break
            }
            contents.cancelledEarly.append(key)
            return nil
        }
        continuation?.resume(returning: false)
    }
}

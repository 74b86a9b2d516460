import Synchronization

/// The task of a run, as far as it is needed to cancel it.
///
/// `Task.immediate` returns a handle only after the first suspension, but the task must be cancellable before. The task
/// therefore registers itself. A stored `UnsafeCurrentTask` would be copied by way of its metadata, because it is not a
/// frozen type, which costs a tenth of a perform. Its bits are stored instead.
///
/// The task can't end while it is being cancelled: `detach` has to succeed first.
struct RunTask: ~Copyable, Sendable {
    private typealias Continuation = UnsafeContinuation<Void, Never>

    private static let notStarted: UInt = 0
    private static let cancelled: UInt = 1
    /// The task is being cancelled at this moment.
    private static let cancelling: UInt = 2
    private static let ended: UInt = 3
    /// Marks the bits of a continuation: the task is being cancelled, and waits for that.
    private static let waiting: UInt = 4

    /// One of the values above, the bits of the task, or those of a continuation, marked. Both are addresses of objects
    /// that are aligned to eight bytes at least.
    private let state = Atomic<UInt>(notStarted)

    /// Registers the current task. If the run was cancelled before, the task is cancelled now.
    func attach() {
        // unsafeBitCast: to bits, which `cancel` turns back into the task as long as the task exists.
        let bits = withUnsafeCurrentTask { unsafeBitCast($0, to: UInt.self) }
        let (isAttached, _) = state.compareExchange(
            expected: Self.notStarted, desired: bits, ordering: .acquiringAndReleasing
        )
        if !isAttached { withUnsafeCurrentTask { $0?.cancel() } }
    }

    /// Cancels the task, or notes that it must be cancelled when it starts. Only the first call has an effect.
    func cancel() {
        // Relaxed, here and in `detach`: an exchange follows before anything depends on what was found.
        var found = state.load(ordering: .relaxed)
        while true {
            let next: UInt
            switch found {
            case Self.notStarted: next = Self.cancelled
            case Self.cancelled, Self.cancelling, Self.ended: return
            case _ where found & Self.waiting != 0: return
            default: next = Self.cancelling
            }
            let (isExchanged, original) = state.compareExchange(
                expected: found, desired: next, ordering: .acquiringAndReleasing
            )
            if isExchanged { break }
            found = original
        }
        guard found != Self.notStarted else { return }
        // unsafeBitCast: of what `attach` stored. The task exists until `detach` succeeds, which it can't at this
        // moment.
        unsafeBitCast(found, to: UnsafeCurrentTask.self).cancel()
        let last = state.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
        // unsafeBitCast: of what `detachAfterCancellation` stored. Nothing else resumes it.
        if last != Self.cancelling { unsafeBitCast(last & ~Self.waiting, to: Continuation.self).resume() }
    }

    /// Unregisters the task before it ends.
    ///
    /// - Returns: Whether it did. Otherwise, ``detachAfterCancellation()`` must be awaited.
    @inline(__always)
    func detach() -> Bool {
        var found = state.load(ordering: .relaxed)
        while found != Self.cancelling {
            let (isExchanged, original) = state.compareExchange(
                expected: found, desired: Self.ended, ordering: .acquiringAndReleasing
            )
            if isExchanged { return true }
            found = original
        }
        return false
    }

    // inline(never): what this needs briefly would otherwise take memory for as long as the run lasts.
    @inline(never)
    nonisolated(nonsending) func detachAfterCancellation() async {
        // Unsafe continuation: resumed once, by `cancel` if the exchange succeeds, otherwise here.
        await withUnsafeContinuation { (continuation: Continuation) in
            // unsafeBitCast: to bits, which `cancel` turns back into the continuation.
            let bits = unsafeBitCast(continuation, to: UInt.self) | Self.waiting
            let (isExchanged, _) = state.compareExchange(
                expected: Self.cancelling, desired: bits, ordering: .acquiringAndReleasing
            )
            if !isExchanged { continuation.resume() }
        }
        #if RELUX_TSAN
            // The runtime doesn't tell the sanitizer of a continuation that is resumed before its task awaits it.
            _ = state.load(ordering: .acquiring)
        #endif
    }
}

/// The one way into the core, in three forms: awaited, now, and by mail (``post(_:)``).
///
/// Each form makes a *visit*: it delivers the mail that was posted before, makes the call, and settles what the call
/// has left to do. A call never waits inside.
extension Core {
    /// Makes one call into the core.
    ///
    /// A nonisolated caller enters on its own thread if the core is free. Any other caller becomes a job
    /// of the core's executor, in the order in which the callers leave their actor.
    ///
    /// - Parameters:
    ///   - origin: On whose behalf the call is made.
    ///   - body: What to do inside.
    // inline: each asynchronous function on the way costs a frame and a look at the executor.
    @inline(__always)
    nonisolated(nonsending) func enter<Output: Sendable>(
        as origin: Origin, _ body: @Sendable (isolated Core, Origin) -> Output
    ) async -> Output {
        guard executor.tryOccupy(from: #isolation) else { return await enterInTurn(as: origin, body) }
        // nonisolated(unsafe): assigned on this thread, before the visit ends.
        nonisolated(unsafe) var output: Output?
        Self.cancel(visitOnThisThread(as: origin) { core, origin in output = body(core, origin) })
        guard let output else { preconditionFailure("A visit makes its call.") }
        return output
    }

    /// Makes one call into the core, and blocks the calling thread until that is possible.
    ///
    /// - Returns: Whether the call was made: not if the thread is inside a store.
    nonisolated func enterNow(as origin: Origin, _ body: (isolated Core, Origin) -> Void) -> Bool {
        guard executor.occupy() else { return false }
        let cancellations = visitOnThisThread(as: origin, body)
        // Elsewhere: the caller waits for no cancellation handler.
        if !cancellations.isEmpty {
            Task.detached(executorPreference: carrier) { Self.cancel(cancellations) }
        }
        return true
    }

    /// The visit of a caller that has become a job.
    private func enterInTurn<Output: Sendable>(
        as origin: Origin, _ body: @Sendable (isolated Core, Origin) -> Output
    ) async -> Output {
        var output: Output?
        let cancellations = visit(as: origin) { core, origin in output = body(core, origin) }
        // Before the caller's own executor is needed again: if that is busy, it must not hold up the cancellation of
        // runs that may have nothing to do with the caller.
        if !cancellations.isEmpty {
            await Task.detached(executorPreference: carrier) { Self.cancel(cancellations) }.value
        }
        guard let output else { preconditionFailure("A visit makes its call.") }
        return output
    }

    /// The visit of a caller that occupies the executor, which it then leaves.
    private nonisolated func visitOnThisThread(
        as origin: Origin, _ body: (isolated Core, Origin) -> Void
    ) -> [Task<Void, Never>] {
        // nonisolated(unsafe), twice: the call is made on this thread, before this returns.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var cancellations: [Task<Void, Never>] = []
        inside { core in cancellations = core.visit(as: origin, body) }
        executor.leave()
        return cancellations
    }

    /// Calls into the core on a thread that occupies its executor.
    private nonisolated func inside(_ body: (isolated Core) -> Void) {
        // unsafeBitCast: removes the isolation from the function's type, as `assumeIsolated` does after its check.
        // Here, occupying the executor is the check.
        unsafeBitCast(IsolatedCall { core, body in body(core) }, to: NonisolatedCall.self).function(self, body)
    }

    private func visit(as origin: Origin, _ body: (isolated Core, Origin) -> Void) -> [Task<Void, Never>] {
        func visit() -> [Task<Void, Never>] {
            deliverMail()
            body(self, origin)
            return isSettled ? [] : settle()
        }
        // The tasks that user code creates in here act on nobody's behalf.
        return origin.isInRun ? CurrentRun.withNone(visit) : visit()
    }

    /// Ends a visit: reduces what cancelled runs clean up, and wakes those who wait for idleness.
    ///
    /// - Returns: What is to be cancelled when the caller has left.
    private func settle() -> [Task<Void, Never>] {
        cleanUp()
        advanceSavings()
        if isIdle { wakeIdlers() }
        if phase == .released { releaseUserCodeIfDone() }
        if leftovers.hasTouchedFollowers {
            leftovers.hasTouchedFollowers = false
            followerHost.withLock { $0.host }?.requestUpdate()
        }
        defer { leftovers.cancellations = [] }
        return leftovers.cancellations
    }

    /// Cancels tasks on the current thread. The handlers act on nobody's behalf, whichever run's task cancels.
    private nonisolated static func cancel(_ tasks: [Task<Void, Never>]) {
        guard !tasks.isEmpty else { return }
        CurrentRun.withNone { for task in tasks { task.cancel() } }
    }
}

// Two functions that differ only in their isolation. The compiler passes a function through a generic `unsafeBitCast`
// in its most general form, which would allocate two contexts for each call. Wrapped in a struct, it is passed as it
// is.
private struct IsolatedCall {
    let function: (isolated Core, (isolated Core) -> Void) -> Void

    init(_ function: @escaping (isolated Core, (isolated Core) -> Void) -> Void) {
        self.function = function
    }
}

private struct NonisolatedCall {
    let function: (Core, (isolated Core) -> Void) -> Void
}

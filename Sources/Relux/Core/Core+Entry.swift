/// The one way into the core, in three forms: awaited, now, and by mail (``post(_:)``).
///
/// The first two make a *visit*: it delivers the mail that was posted before, makes the call, and settles what the call
/// has left to do. A call by mail is made in the next visit. No call waits inside.
extension Core {
    /// A call by mail: to take an action that was sent, for example.
    typealias Mail = @Sendable (isolated Core) -> Void

    /// Makes one call into the core.
    ///
    /// A nonisolated caller enters on its own thread if the core is free. Any other caller becomes a job
    /// of the core's executor, in the order in which the callers leave their actor.
    ///
    /// - Parameters:
    ///   - caller: The caller, on whose behalf the call is made.
    ///   - body: The call.
    // inline: each asynchronous function on the way costs a frame and a look at the executor.
    @inline(__always)
    nonisolated(nonsending) func enter<Output: Sendable>(
        as caller: Caller, _ body: @Sendable (isolated Core, Caller) -> Output
    ) async -> Output {
        guard executor.tryOccupy(from: #isolation) else { return await enterInTurn(as: caller, body) }
        // nonisolated(unsafe): assigned on this thread, before the visit ends.
        nonisolated(unsafe) var output: Output?
        if let cancellations = visitOnThisThread(as: caller, { core, caller in output = body(core, caller) }) {
            cancelForNobody(cancellations)
        }
        guard let output else { preconditionFailure("A visit makes its call.") }
        return output
    }

    /// Makes one call into the core, and blocks the calling thread until that is possible.
    ///
    /// - Returns: Whether the call was made: not if the thread is inside a store.
    nonisolated func enterNow(as caller: Caller, _ body: (isolated Core, Caller) -> Void) -> Bool {
        guard executor.occupy() else { return false }
        if let cancellations = visitOnThisThread(as: caller, body) {
            // Elsewhere: the caller waits for no cancellation handler.
            Task.detached(executorPreference: taskExecutor) { cancelForNobody(cancellations) }
        }
        return true
    }

    /// The visit of a caller that has become a job.
    private func enterInTurn<Output: Sendable>(
        as caller: Caller, _ body: @Sendable (isolated Core, Caller) -> Output
    ) async -> Output {
        var output: Output?
        if let cancellations = visit(as: caller, { core, caller in output = body(core, caller) }) {
            // Before the caller's own executor is needed again: if that is busy, it must not hold up the cancellation
            // of runs that may have nothing to do with the caller.
            await Task.detached(executorPreference: taskExecutor) { cancelForNobody(cancellations) }.value
        }
        guard let output else { preconditionFailure("A visit makes its call.") }
        return output
    }

    /// The visit of a caller that occupies the executor, which it then leaves.
    private nonisolated func visitOnThisThread(
        as caller: Caller, _ body: (isolated Core, Caller) -> Void
    ) -> [Task<Void, Never>]? {
        // unsafeBitCast: removes the isolation from the function's type, as `assumeIsolated` does after its check.
        // Here, occupying the executor is the check.
        let visit = unsafeBitCast(IsolatedVisit { core, caller, body in core.visit(as: caller, body) }, to: Visit.self)
        defer { executor.leave() }
        return visit.function(self, caller, body)
    }

    /// Makes a visit.
    ///
    /// - Returns: The tasks to cancel when the caller has left; nil if there are none.
    private func visit(as caller: Caller, _ body: (isolated Core, Caller) -> Void) -> [Task<Void, Never>]? {
        func visit() -> [Task<Void, Never>]? {
            if mailbox.isOccupied { deliverMail() }
            body(self, caller)
            return agenda.isEmpty ? nil : settle()
        }
        // The tasks that user code creates in here act on nobody's behalf.
        return caller.isInRun ? CurrentRun.withNone(visit) : visit()
    }

    // MARK: Mail

    /// Makes a call without waiting.
    nonisolated func post(_ mail: @escaping Mail) {
        guard mailbox.post(mail) else { return }
        // Detached: the collection inherits neither the priority nor the task-local values of this poster.
        Task.detached(executorPreference: taskExecutor) {
            await self.enter(as: .outside) { core, _ in core.deliverMail(isCollection: true) }
        }
    }

    /// Delivers the posted mail, in order, each piece with what follows from it.
    ///
    /// Mail that user code posts meanwhile waits for the next visit.
    private func deliverMail(isCollection: Bool = false) {
        isDeliveringMail = true
        defer { isDeliveringMail = false }
        for mail in mailbox.collect(isCollection: isCollection) {
            mail(self)
            followUp()
        }
    }

    // MARK: The end of a visit

    /// Ends a visit: reduces what accompanies runs and opens modules, tells readers, saves what is due, and wakes those
    /// who wait for idleness.
    ///
    /// - Returns: The tasks to cancel when the caller has left; nil if there are none.
    private func settle() -> [Task<Void, Never>]? {
        followUp()
        save()
        if awaitsRest, isIdle {
            for group in runs.idlers { carryOut(runs.endMember(of: group)) }
        }
        if phase == .released, runs.isEmpty, savings.isEmpty {
            // It may hold a dispatcher, and therefore this core. There is nothing left to report.
            dispatch.releaseMiddleware()
            _ = aroundRun.withLock { $0.take() }
            reporter.releaseObservers()
        }
        if readers.hasNews {
            readers.hostKnows()
            followerHost.withLock { $0.host }?.requestUpdate()
        }
        let cancellations = agenda.cancellations
        if !cancellations.isEmpty { agenda.cancellations = [] }
        agenda.isEmpty = !awaitsRest
        return cancellations.isEmpty ? nil : cancellations
    }
}

// Two functions that differ only in their isolation. The compiler passes a function through a generic `unsafeBitCast`
// in its most general form, which would allocate two contexts for each call. Wrapped in a struct, it is passed as it
// is.
private struct IsolatedVisit {
    let function: (isolated Core, Caller, (isolated Core, Caller) -> Void) -> [Task<Void, Never>]?
}

private struct Visit {
    let function: (Core, Caller, (isolated Core, Caller) -> Void) -> [Task<Void, Never>]?
}

/// Cancels tasks on the current thread. The handlers act on nobody's behalf, whichever run's task cancels.
private func cancelForNobody(_ tasks: [Task<Void, Never>]) {
    CurrentRun.withNone { for task in tasks { task.cancel() } }
}

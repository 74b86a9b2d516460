extension Relux.SagaContext {
    /// Takes an action, and returns when it has been reduced and its runs have been started, queued or set pending.
    ///
    /// - Parameters:
    ///   - action: The action, routed by its exact concrete type.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The action's number, and a way to await what it set off.
    @discardableResult
    public nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, fileID: StaticString = #fileID, line: UInt = #line
    ) async -> Relux.Dispatched {
        await engine.dispatch(action, by: handle, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Takes actions of one type in one step: readers see only its end.
    ///
    /// - Parameters:
    ///   - batch: The actions, in order.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of the last one, and a way to await what all of them set off.
    @discardableResult
    public nonisolated(nonsending) func dispatch(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> Relux.Dispatched {
        await entrance.dispatch(contentsOf: batch, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Takes actions of any types in one step: readers see only its end.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - batch: Lists the actions. Run once, where the caller is isolated, before anything is reduced.
    /// - Returns: The number of the last one, and a way to await what all of them set off.
    /// - Complexity: O(n) in the number of actions, apart from their reducers and sagas.
    @discardableResult
    public nonisolated(nonsending) func dispatch(
        fileID: StaticString = #fileID, line: UInt = #line, @Relux.ActionsBuilder _ batch: () -> [any Relux.Action]
    ) async -> Relux.Dispatched {
        await entrance.dispatch(batch: batch(), at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Hands an action over and returns at once.
    ///
    /// It is reduced before whatever the calling task does next with this store. It never waits and has no bound: who
    /// needs back-pressure awaits `dispatch`. What it sets off inherits neither the priority nor the task-local values
    /// of the caller. Sends that the store accepted before its last reference went may be discarded, and are then
    /// reported.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Complexity: O(1).
    public func send(_ action: some Relux.Action, fileID: StaticString = #fileID, line: UInt = #line) {
        entrance.send(action, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Takes an effect, and returns what its flow returns once that has ended.
    ///
    /// Where no flow takes the effect and its output is `Void`, the sagas decide: it throws the first failure, else
    /// that something was cancelled, superseded or dropped; other errors appear in the store's `failures`.
    ///
    /// Where the caller belongs to no actor, the run may begin in its thread, and goes on there up to its first wait.
    ///
    /// - Cancellation: Cancelling the calling task cancels the runs, and what they perform. It then throws once they
    ///   have ended: a service that ignores cancellation delays it. In a task that is cancelled already nothing is
    ///   reduced.
    /// - Parameters:
    ///   - effect: The effect.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The output of the flow.
    /// - Throws: ``Relux/EffectError``. After ``Relux/EffectError/unhandled`` the effect has been reduced all the same.
    @discardableResult
    public nonisolated(nonsending) func perform<E: Relux.Effect>(
        _ effect: E, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.EffectError) -> E.Output {
        try await entrance.perform(effect, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Takes actions and returns when what they set off has ended, or will never start.
    ///
    /// - Cancellation: When the calling task is cancelled, it waits no longer, and actions whose turn has not come are
    ///   not reduced; the runs go on.
    /// - Parameters:
    ///   - execution: One after the other, each with all that it sets off, or side by side. A failure stops neither.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - actions: Lists the actions. Run once, where the caller is isolated, before anything is reduced.
    /// - Returns: `.failure` with every error if any failed, else `.cancelled` if anything was superseded, dropped or
    ///   cancelled, else `.success`. Actions that nothing takes count as failures.
    @discardableResult
    public nonisolated(nonsending) func actions(
        _ execution: Relux.Execution = .serially, fileID: StaticString = #fileID, line: UInt = #line,
        @Relux.ActionsBuilder _ actions: () -> [any Relux.Action]
    ) async -> Relux.ActionResult {
        await entrance.actions(execution, actions(), at: Relux.CallSite(fileID: fileID, line: line))
    }
}

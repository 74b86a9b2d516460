extension Relux {
    /// A saga's access to the store: dispatching, performing, reading, managing modules, and time.
    ///
    /// It always acts on behalf of its run, in whichever task it is used.
    ///
    /// - Isolation: It may be passed to child tasks, and its verbs can be called from anywhere.
    /// - Ordering: That of the store. The calls of one task of the run take effect in the order in which it makes them.
    /// - Cancellation: Once the run has ended or finished, has been cancelled or superseded, or its module or store is
    ///   gone, nothing that is dispatched, sent, or performed through it is reduced. The store checks this in the step
    ///   that would reduce the action, and reports the refused write. Waits for actions and states, and iterations of
    ///   values, end. Reading a state continues to work.
    /// - Lifetime: It doesn't keep the store alive.
    public struct SagaContext: ActionDispatching, StateReading, ModuleManaging {
        let runHandle: Run

        init(_ runHandle: Run) {
            self.runHandle = runHandle
        }

        /// The store, used on behalf of this run.
        public var handle: StoreHandle { StoreHandle(for: runHandle) }

        /// Identifies the run.
        public var run: RunRecord { runHandle.record }
    }
}

extension Relux.SagaContext {
    /// Dispatches the last action of the run, and ends the run in the same step.
    ///
    /// ```swift
    /// func run(_ load: Load, in context: Relux.SagaContext) async throws {
    ///     await context.finish(with: State.Action.loaded(try await service.notes()))
    /// }
    /// ```
    ///
    /// Without it, a run stays active from its last action until its task has returned, and a trigger in that gap is
    /// dropped, joined to a run that is over, or superseded, as its policy says.
    ///
    /// The run has finished when this returns. It doesn't count towards a limit, and is neither superseded nor joined.
    /// Nothing is written any more through its context, through those of its timeouts, which end with it, or through a
    /// store that is used in its task, and waits, streams, and values that were made through these contexts end. In a
    /// timeout, this ends the run that the timeout is in, and nothing of it expires any more. The run also ends if
    /// middleware drops the action.
    ///
    /// The body may go on, to return the value of a flow or to close what it has used. `perform`, and those that joined
    /// the run before, receive what it returns or throws. `finished`, `idle`, `reset`, `unregister`, `replace`, and
    /// `shutdown` wait for its task. An error that nobody receives appears in ``Store/failures``.
    ///
    /// Don't call it in the body of ``retry(_:onSetback:_:)``: a further attempt would belong to a run that has ended.
    ///
    /// - Ordering: In this step, the actions are reduced, with their rules and children, and reported. Then the run has
    ///   ended, queued runs of its lane start, and then the sagas that the actions trigger.
    /// - Cancellation: One that reaches the run after its end cancels its task and what this performs, but not the
    ///   outcome: the value that the body returns, or the error that it throws, is still passed on.
    /// - Returns: The sequence number of the action, and a way to await what it triggered. If the run had ended, or had
    ///   been cancelled or superseded, nothing is reduced, and this is reported.
    @discardableResult
    public nonisolated(nonsending) func finish(
        with action: some Relux.Action, fileID: StaticString = #fileID, line: UInt = #line
    ) async -> Relux.Dispatched {
        await handle.dispatch(batch: [action], finishing: true, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Dispatches the last actions of the run in one step, and ends the run in that step, as
    /// ``finish(with:fileID:line:)`` does.
    ///
    /// - Parameter batch: Lists the actions. Executed once, where the caller is isolated, before anything is reduced.
    ///   If it lists none, the run ends nevertheless.
    /// - Returns: As ``finish(with:fileID:line:)``. The sequence number is that of the last listed action.
    @discardableResult
    public nonisolated(nonsending) func finish(
        fileID: StaticString = #fileID, line: UInt = #line, @Relux.ActionsBuilder _ batch: () -> [any Relux.Action]
    ) async -> Relux.Dispatched {
        await handle.dispatch(batch: batch(), finishing: true, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Ends the run, as ``finish(with:fileID:line:)`` does, unless a decision that is made in the same step says that
    /// there is more to do.
    ///
    /// For a run that works until the state wants nothing any more. No trigger can be dropped, or join the run, between
    /// the decision and the end.
    ///
    /// ```swift
    /// while let message = await context.finish(unless: { reader, _ in reader[Outbox.self]?.unsent.first }) {
    ///     try await service.send(message)
    ///     await context.dispatch(Outbox.Action.sent(message.id))
    /// }
    /// ```
    ///
    /// - Parameter next: Returns what there is to do, or nil, and may then add the last actions of the run. It must be
    ///   pure. It is called once, inside the store, and not at all if the run has ended.
    /// - Returns: What there is to do; nil if the run has ended, now or before. The latter isn't reported, because this
    ///   would have written nothing if there was more to do.
    public nonisolated(nonsending) func finish<Next: Sendable>(
        unless next: @Sendable (borrowing Relux.StateReader, inout [any Relux.Action]) -> Next?,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> Next? {
        await handle.core.enter(as: handle.caller) { core, caller in
            guard core.staleRun(of: caller) == nil else { return nil }
            var batch: [any Relux.Action] = []
            if let next = next(core.readers.reader(for: caller), &batch) { return next }
            _ = core.step(ofAll: batch, as: caller, at: Relux.CallSite(fileID: fileID, line: line), for: .finishing)
            return nil
        }
    }
}

extension Run {
    /// The context with which a saga is executed.
    var context: Relux.SagaContext { Relux.SagaContext(self) }
}

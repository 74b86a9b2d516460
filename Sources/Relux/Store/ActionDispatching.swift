extension Relux {
    /// The verbs that bring actions into a store, shared by ``Store``, ``Scope``, ``Dispatcher``, and ``SagaContext``.
    ///
    /// - Isolation: The verbs can be called from anywhere, including the main actor. Builders are executed where the
    ///   caller is isolated.
    /// - Ordering: What one task dispatches, sends, and performs is reduced in the order in which it does so, whichever
    ///   verbs it mixes.
    /// - Lifetime: Only a ``Store`` keeps the store alive.
    public protocol ActionDispatching: Sendable {
        /// Identifies the store, the scope, and the run on whose behalf the verbs are used.
        var handle: StoreHandle { get }
    }
}

extension Relux.ActionDispatching {
    /// A handle with the verbs that bring actions into the same store and scope. It doesn't keep the store alive, and
    /// acts on behalf of whichever run's task calls.
    public var dispatcher: Relux.Dispatcher { handle.dispatcher }

    /// Dispatches an action. Returns when it has been reduced and its runs have been started, queued, or made pending.
    ///
    /// - Parameter action: Routed by its exact concrete type.
    /// - Returns: The action's sequence number, and a way to await what it triggered.
    /// - Complexity: That of the reducers, sagas, and waiting readers of this type of action. Those of other types add
    ///   nothing.
    @discardableResult
    public nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, fileID: StaticString = #fileID, line: UInt = #line
    ) async -> Relux.Dispatched {
        await handle.dispatch(action, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Dispatches actions of one type in one step. Readers see only the final result.
    ///
    /// - Returns: The sequence number of the last action, and a way to await what all of them triggered.
    /// - Complexity: O(n) in the number of actions, apart from their reducers and sagas.
    @discardableResult
    public nonisolated(nonsending) func dispatch(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async -> Relux.Dispatched {
        await handle.dispatch(contentsOf: batch, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Dispatches actions of any types in one step. Readers see only the final result.
    ///
    /// - Parameter batch: Lists the actions. Executed once, where the caller is isolated, before anything is reduced.
    /// - Returns: The sequence number of the last action, and a way to await what all of them triggered.
    /// - Complexity: O(n) in the number of actions, apart from their reducers and sagas.
    @discardableResult
    public nonisolated(nonsending) func dispatch(
        fileID: StaticString = #fileID, line: UInt = #line, @Relux.ActionsBuilder _ batch: () -> [any Relux.Action]
    ) async -> Relux.Dispatched {
        await handle.dispatch(batch: batch(), at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Dispatches an action on the calling thread, for code that can't await: a button's closure, a binding's setter, a
    /// delegate's method. Returns when it has been reduced and its runs have been started, queued, or made pending.
    ///
    /// The reducers run on the calling thread, which may be the main thread, so use `send` or `dispatch` for actions
    /// whose reducers take long.
    ///
    /// - Isolation: Can be called from anywhere but asynchronous code. Runs begin as tasks, never inside the call.
    /// - Ordering: After everything that the calling task, and tasks of the same actor before it, have sent,
    ///   dispatched, or begun to dispatch. If such calls are still waiting to enter the store, they are made first.
    /// - Blocking: While another caller is inside, the thread is blocked, as by a lock. It waits for the step in
    ///   progress and for the calls that were queued before this one, but never for a run, a saga, a service, or a
    ///   reader.
    /// - Reentrancy: Inside a store, this or another one, it changes nothing, and the receipt has no sequence number.
    ///   This is reported as ``Refusal/Reason/insideStore``. Code inside a store is a reducer, an observer, a
    ///   selection, a policy, a middleware, the body of a `read`, or a `deinit` that a step executes.
    /// - Returns: The action's sequence number, and a way to await what it triggered.
    @available(*, noasync, message: "Use `await dispatch(_:)` in asynchronous code.")
    @discardableResult
    public func dispatchNow(
        _ action: some Relux.Action, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Relux.Dispatched {
        handle.dispatchNow(action, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Dispatches actions of one type in one step on the calling thread. Otherwise like
    /// ``dispatchNow(_:fileID:line:)``.
    ///
    /// - Returns: The sequence number of the last action, and a way to await what all of them triggered.
    @available(*, noasync, message: "Use `await dispatch(contentsOf:)` in asynchronous code.")
    @discardableResult
    public func dispatchNow(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Relux.Dispatched {
        handle.dispatchNow(contentsOf: batch, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Asks the state that has opened this instance to remove it. A page calls this to close itself.
    ///
    /// This dispatches a ``Dismissal``, whose reducer is the `onDismiss` of the ``Children`` that hold the instance. If
    /// the instance is closed, the run that called this is cancelled with it and can no longer write. A `perform` of
    /// that run still returns what the run's body returns.
    ///
    /// In the root, and if there is no `onDismiss` for the instance, nothing is reduced, and this is reported as
    /// ``Refusal/Reason/notDismissible(_:)``.
    ///
    /// - Ordering: As with `dispatch`.
    /// - Returns: The sequence number of the dismissal, and a way to await what it triggered.
    @discardableResult
    public nonisolated(nonsending) func dismiss(
        fileID: StaticString = #fileID, line: UInt = #line
    ) async -> Relux.Dispatched {
        let scope = Relux.Scope(handle.core, handle.caller.scope)
        return await handle.dispatch(
            Relux.Dismissal(of: scope), at: Relux.CallSite(fileID: fileID, line: line)
        )
    }

    /// Hands an action over and returns immediately.
    ///
    /// The action is reduced before anything that the calling task does next with this store. `send` never waits, and
    /// any number of actions can be queued; if you need back-pressure, await `dispatch`. The runs that it triggers
    /// inherit neither the priority nor the task-local values of the caller. Sends that the store accepted before its
    /// last reference was released may be discarded, and are then reported.
    ///
    /// - Complexity: O(1).
    public func send(_ action: some Relux.Action, fileID: StaticString = #fileID, line: UInt = #line) {
        handle.send(action, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Performs an effect. Returns the value of its flow when everything that the effect triggered has ended.
    ///
    /// If no flow takes the effect and its output is `Void`, the sagas determine the result: the first failure or,
    /// without one, `cancelled`, `superseded`, or `dropped`, whichever applies first in this order. Other errors appear
    /// in the store's `failures`.
    ///
    /// An error that a flow or saga throws arrives as ``EffectError/failed(_:)``. A `catch let error as APIError`
    /// around `perform` therefore never matches; match the case and cast its payload.
    ///
    /// Each run starts in a task of its own, not on the thread of the caller.
    ///
    /// - Cancellation: Cancelling the calling task cancels the runs and what they perform. `perform` then throws when
    ///   they have ended, so a service that ignores cancellation delays it; the runs of actions that rules have added
    ///   go on, and it no longer waits for them. In a task that is already cancelled, nothing is reduced.
    /// - Throws: ``EffectError``. After ``EffectError/unhandled``, the effect has been reduced nevertheless.
    @discardableResult
    public nonisolated(nonsending) func perform<E: Relux.Effect>(
        _ effect: E, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.EffectError) -> E.Output {
        try await handle.perform(effect, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Dispatches actions. Returns when everything that they triggered has ended or will never start.
    ///
    /// - Cancellation: When the calling task is cancelled, it stops waiting, and the remaining actions are not reduced.
    ///   The runs continue.
    /// - Parameters:
    ///   - execution: Whether each action, with everything that it triggers, is finished before the next one is
    ///     reduced. In either case, a failure doesn't stop the other actions.
    ///   - actions: Lists the actions. Executed once, where the caller is isolated, before anything is reduced.
    /// - Returns: `.failure` with every error if anything failed, otherwise `.cancelled` if anything was superseded,
    ///   dropped, or cancelled, otherwise `.success`. An action that nothing takes counts as a failure.
    @discardableResult
    public nonisolated(nonsending) func actions(
        _ execution: Relux.Execution = .serially, fileID: StaticString = #fileID, line: UInt = #line,
        @Relux.ActionsBuilder _ actions: () -> [any Relux.Action]
    ) async -> Relux.ActionResult {
        await handle.actions(execution, actions(), at: Relux.CallSite(fileID: fileID, line: line))
    }
}

extension Relux.StateReading {
    /// Waits for the next action of a type that satisfies a condition.
    ///
    /// It considers the actions from the call on. To wait for the answer to something that you dispatch, create an
    /// ``actionStream(of:buffering:)`` before dispatching it. In a run that listens to the type (`listens`), it
    /// considers the actions that no stream and no earlier call has taken since the trigger, or in a watcher, since the
    /// registration of the module.
    ///
    /// - Ordering: After everything that the calling task has dispatched and sent before.
    /// - Cancellation: When the calling task is cancelled, it throws immediately.
    /// - Lifetime: It doesn't keep the store alive. Through a context, it ends with the run.
    /// - Parameters:
    ///   - type: The exact type of the action.
    ///   - matches: Whether this is the action to wait for. Executed in the calling task.
    /// - Throws: `CancellationError` if the task is cancelled, or if the run or the store ends first.
    public nonisolated(nonsending) func first<A: Relux.Action>(
        of type: A.Type = A.self, where matches: nonisolated(nonsending) (A) async -> Bool = { _ in true }
    ) async throws -> A {
        try await handle.first(of: type, where: matches)
    }

    /// Waits until a state meets a condition. Returns immediately if it already does. It also waits for an instance
    /// that is being loaded.
    ///
    /// ```swift
    /// try await context.wait(until: Session.State.self) { $0.isSignedIn }
    /// ```
    ///
    /// - Ordering: After everything that the calling task has dispatched and sent before.
    /// - Cancellation: When the calling task is cancelled, it throws immediately.
    /// - Lifetime: It doesn't keep the store alive. Through a context, it ends with the run.
    /// - Parameters:
    ///   - type: The type of the state.
    ///   - condition: Executed inside the store each time a reducer of the state has run, so keep it short.
    /// - Returns: The first value that meets the condition. A value that met it only between the actions of a batch is
    ///   not seen.
    /// - Throws: `CancellationError` if the task is cancelled, or if the run, the store, or the state ends first;
    ///   ``StoreError/stateNotOwned(_:at:)`` if no registered module owns the state, and
    ///   ``StoreError/noInstance(_:at:)`` if there is no such instance, which are also reported.
    @discardableResult
    public nonisolated(nonsending) func wait<S: Relux.State>(
        until type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line,
        _ condition: @escaping @Sendable (S) -> Bool
    ) async throws -> S {
        try await handle.wait(until: condition, at: Relux.CallSite(fileID: fileID, line: line))
    }
}

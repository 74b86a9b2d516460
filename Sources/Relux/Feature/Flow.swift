extension Relux {
    /// Asynchronous work that answers an effect: the caller of `perform` receives the value that it returns.
    ///
    /// An effect has at most one flow in a store; registering a second one fails. Any number of sagas may handle the
    /// same effect in addition. Isolation, ordering, cancellation and lifetime are those of a ``Saga``.
    public protocol Flow: Sendable {
        /// The effect that the flow answers, matched by its exact type.
        associatedtype Trigger: Relux.Effect

        /// How the run of a new trigger relates to existing runs. The default is ``Policy/concurrent``.
        ///
        /// - Parameter trigger: The effect that has just been reduced.
        /// - Returns: The policy for this trigger, with an id if runs with different ids may overlap.
        func policy(for trigger: Trigger) -> Policy

        /// The action that cleans up after a cancelled run. The default is none.
        ///
        /// The store reduces it in the step that cancels the run. It is not called when the run is superseded, when the
        /// store is reset or shut down, or when the module is unregistered.
        ///
        /// - Parameter trigger: The effect that triggered the cancelled run.
        /// - Returns: The action to reduce, or nil.
        func actionOnCancel(_ trigger: Trigger) -> (any Action)?

        /// Does the work and returns its value.
        ///
        /// - Parameters:
        ///   - trigger: The effect that triggered the run.
        ///   - context: The flow's access to the store. It doesn't keep the store alive, and is invalid once the run
        ///     has ended.
        /// - Returns: The value that `perform` returns. It is discarded if the effect was only dispatched.
        /// - Throws: Any error. It is thrown to the caller of `perform` if there is one, and otherwise appears in
        ///   ``Store/failures``. A `CancellationError` is an outcome, not a failure.
        func run(_ trigger: Trigger, in context: SagaContext) async throws -> Trigger.Output
    }
}

extension Relux.Flow {
    /// Returns ``Relux/Policy/concurrent``, which lets runs overlap.
    public func policy(for trigger: Trigger) -> Relux.Policy { .concurrent }

    /// Returns nil: there is nothing to clean up.
    public func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { nil }
}

extension Relux.Flow {
    var effect: any Relux.Effect.Type { Trigger.self }
}

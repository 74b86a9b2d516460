extension Relux {
    /// A saga whose caller gets a value: the one that answers an effect.
    ///
    /// An effect has at most one flow in a store; registering a second one fails. Beside it, any number of sagas may
    /// take the same effect. Isolation, ordering, cancellation and lifetime are those of a ``Saga``.
    public protocol Flow: Sendable {
        /// The effect that the flow answers, by its exact type.
        associatedtype Trigger: Relux.Effect

        /// How a new trigger relates to the runs that are there already. The default is ``Policy/concurrent``.
        ///
        /// - Parameter trigger: The effect that has just been reduced.
        /// - Returns: The policy for this trigger, with an id where runs for different things may go side by side.
        func policy(for trigger: Trigger) -> Policy

        /// The action that tidies up when a run is cancelled. The default is none.
        ///
        /// The store reduces it in the very step that cancels the run. It isn't asked for when the run is superseded,
        /// when the store is reset or shut down, or when the module is unregistered.
        ///
        /// - Parameter trigger: What had set off the cancelled run.
        /// - Returns: The action to reduce, or nil.
        func actionOnCancel(_ trigger: Trigger) -> (any Action)?

        /// Does the work and returns its value.
        ///
        /// - Parameters:
        ///   - trigger: The effect that set it off.
        ///   - context: What the flow may do. It doesn't keep the store alive, and is dead once the run has ended.
        /// - Returns: The value that `perform` returns. Nobody gets it where the effect was only dispatched.
        /// - Throws: Any error. It goes to the caller of `perform` if there is one, and otherwise appears in
        ///   ``Store/failures``. A `CancellationError` counts as an outcome and not as a failure.
        func run(_ trigger: Trigger, in context: SagaContext) async throws -> Trigger.Output
    }
}

extension Relux.Flow {
    /// Runs beside the others.
    ///
    /// - Parameter trigger: The effect that has just been reduced.
    /// - Returns: ``Relux/Policy/concurrent``.
    public func policy(for trigger: Trigger) -> Relux.Policy { .concurrent }

    /// Nothing to tidy up.
    ///
    /// - Parameter trigger: What had set off the cancelled run.
    /// - Returns: nil.
    public func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { nil }
}

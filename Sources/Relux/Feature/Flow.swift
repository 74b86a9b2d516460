extension Relux {
    /// Asynchronous work that answers an effect: the caller of `perform` receives the value that it returns.
    ///
    /// An effect has at most one flow in a scope; registering a second one there fails. Any number of sagas may handle
    /// the same effect in addition. Isolation, ordering, cancellation and lifetime are those of a ``Saga``.
    public protocol Flow: Handler where Trigger: Effect {
        /// The effect that the flow answers, matched by its exact type.
        associatedtype Trigger

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
    var effect: any Relux.Effect.Type { Trigger.self }
}

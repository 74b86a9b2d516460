extension Relux {
    /// Asynchronous work that an action sets off.
    ///
    /// A stateless struct as a rule, which holds the services that it calls. An actor serves where a connection has to
    /// be kept; its `policy` and `actionOnCancel` are then `nonisolated`.
    ///
    /// - Isolation: ``run(_:in:)`` runs on a task of its own, off the store. ``policy(for:)`` and
    ///   ``actionOnCancel(_:)`` are asked inside the store and must be quick.
    /// - Ordering: A run sees every state as its trigger left it, or later. What two runs dispatch is ordered only by
    ///   the policy that relates them.
    /// - Cancellation: A cancelled or superseded run can't change any state, whatever it goes on to do.
    /// - Lifetime: A run ends with its module and its store at the latest.
    public protocol Saga: Sendable {
        /// The action that sets the saga off, by its exact type.
        associatedtype Trigger: Relux.Action

        /// How a new trigger relates to the runs that are there already. The default is ``Policy/concurrent``.
        ///
        /// - Parameter trigger: The action that has just been reduced.
        /// - Returns: The policy for this trigger, with an id where runs for different things may go side by side.
        func policy(for trigger: Trigger) -> Policy

        /// The action that tidies up when a run is cancelled: a state that was left loading. The default is none.
        ///
        /// The store reduces it in the very step that cancels the run. It isn't asked for when the run is superseded,
        /// when the store is reset or shut down, or when the module is unregistered.
        ///
        /// - Parameter trigger: What had set off the cancelled run.
        /// - Returns: The action to reduce, or nil.
        func actionOnCancel(_ trigger: Trigger) -> (any Action)?

        /// Does the work.
        ///
        /// - Parameters:
        ///   - trigger: The action that set it off.
        ///   - context: What the saga may do. It doesn't keep the store alive, and is dead once the run has ended.
        /// - Throws: Any error. It goes to the caller of `perform` if there is one, and otherwise appears in
        ///   ``Store/failures``. A `CancellationError` counts as an outcome and not as a failure.
        func run(_ trigger: Trigger, in context: SagaContext) async throws
    }
}

extension Relux.Saga {
    /// Runs beside the others.
    ///
    /// - Parameter trigger: The action that has just been reduced.
    /// - Returns: ``Relux/Policy/concurrent``.
    public func policy(for trigger: Trigger) -> Relux.Policy { .concurrent }

    /// Nothing to tidy up.
    ///
    /// - Parameter trigger: What had set off the cancelled run.
    /// - Returns: nil.
    public func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { nil }
}

extension Relux {
    /// Asynchronous work that an action triggers.
    ///
    /// A saga is usually a stateless struct that holds the services it calls. Use an actor to keep a connection; its
    /// `policy` and `actionOnCancel` are then `nonisolated`.
    ///
    /// - Isolation: ``run(_:in:)`` runs in a task of its own, off the store. ``policy(for:)`` and
    ///   ``actionOnCancel(_:)`` are called inside the store and must be quick.
    /// - Ordering: A run sees every state as its trigger left it, or in a later version. The actions that two runs
    ///   dispatch are ordered only by the policy that relates the runs.
    /// - Cancellation: A cancelled or superseded run can't change any state, whatever it does from then on.
    /// - Lifetime: A run ends no later than its module and its store.
    public protocol Saga: Sendable {
        /// The action that triggers the saga, matched by its exact type.
        associatedtype Trigger: Relux.Action

        /// Which actions the saga takes inside an instance. The default is ``HandlerScope/lexical``.
        var listensTo: HandlerScope { get }

        /// How the run of a new trigger relates to existing runs. The default is ``Policy/concurrent``.
        ///
        /// - Parameter trigger: The action that has just been reduced.
        /// - Returns: The policy for this trigger, with an id if runs with different ids may overlap.
        func policy(for trigger: Trigger) -> Policy

        /// The action that cleans up after a cancelled run, such as a state left loading. The default is none.
        ///
        /// The store reduces it in the step that cancels the run. It is not called when the run is superseded, when the
        /// store is reset or shut down, or when the module is unregistered.
        ///
        /// - Parameter trigger: The action that triggered the cancelled run.
        /// - Returns: The action to reduce, or nil.
        func actionOnCancel(_ trigger: Trigger) -> (any Action)?

        /// Does the work.
        ///
        /// - Parameters:
        ///   - trigger: The action that triggered the run.
        ///   - context: The saga's access to the store. It doesn't keep the store alive, and is invalid once the run
        ///     has ended.
        /// - Throws: Any error. It is thrown to the caller of `perform` if there is one, and otherwise appears in
        ///   ``Store/failures``. A `CancellationError` is an outcome, not a failure.
        func run(_ trigger: Trigger, in context: SagaContext) async throws
    }
}

extension Relux.Saga {
    /// Returns ``Relux/HandlerScope/lexical``: the saga takes the actions that are dispatched in its instance.
    public var listensTo: Relux.HandlerScope { .lexical }

    /// Returns ``Relux/Policy/concurrent``, which lets runs overlap.
    public func policy(for trigger: Trigger) -> Relux.Policy { .concurrent }

    /// Returns nil: there is nothing to clean up.
    public func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { nil }
}

extension Relux.Saga {
    var trigger: any Relux.Action.Type { Trigger.self }
}

/// A saga or flow that wraps another one, as that of a tester does. Records and `cancel` use the type of that one.
package protocol StandIn {
    static var original: Any.Type { get }
}

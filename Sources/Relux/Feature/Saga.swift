extension Relux {
    /// Asynchronous work that an action triggers.
    ///
    /// A saga is usually a stateless struct that holds the services it calls. Use an actor to keep a connection; its
    /// `policy` and its hooks are then `nonisolated`.
    ///
    /// - Isolation: ``run(_:in:)`` runs in a task of its own, off the store. The policy and the hooks that it has as a
    ///   ``Handler`` are called inside the store and must be quick.
    /// - Ordering: A run sees every state as its trigger left it, or in a later version. The actions that two runs
    ///   dispatch are ordered only by the policy that relates the runs.
    /// - Cancellation: A cancelled or superseded run can't change any state, whatever it does from then on. If that
    ///   happens before its body has begun, the body is never executed.
    /// - Lifetime: A run ends with its last action (``SagaContext/finish(with:fileID:line:)``), otherwise when its body
    ///   returns, and no later than its module and its store.
    public protocol Saga: Handler {
        /// The action that triggers the saga, matched by its exact type.
        associatedtype Trigger

        /// Which actions the saga takes inside an instance. The default is ``HandlerScope/lexical``.
        var listensTo: HandlerScope { get }

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
}

extension Relux {
    /// Whether a handler of an instance takes the actions that are dispatched in the instance, or listens to those of a
    /// scope around it. In the root, all cases are the same.
    public enum HandlerScope: Sendable, Hashable {
        /// The actions that are dispatched in the instance, before any scope around it can take them.
        ///
        /// Such a handler must not keep the actions of a state outside from reaching their owner: it is refused with
        /// ``StoreError/shadows(_:owner:)``. If it keeps other actions from a module outside, this is reported as
        /// ``Refusal/Reason/shadows(_:in:owner:)``.
        case lexical

        /// The actions of one scope, wherever they are dispatched: of the innermost scope that takes their type, from
        /// the instance outward. The handler only listens. It is called in the same step, after the handlers of that
        /// scope.
        ///
        /// Actions that only listeners take go to the root.
        case enclosing

        /// The same as ``lexical``, but on purpose: nothing is refused or reported.
        case own
    }
}

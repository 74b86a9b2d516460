extension Relux {
    /// The common part of a ``Saga`` and a ``Flow``: work that an action triggers, with a policy and hooks. Conform to
    /// one of these two; nothing runs a type that is only a handler.
    ///
    /// - Isolation: ``policy(for:)`` and the hooks, from ``actionOnStart(_:)`` to ``actionOnCancel(_:)``, are called
    ///   inside the store and must be quick.
    public protocol Handler: Runnable {
        /// The action that triggers the work, matched by its exact type.
        associatedtype Trigger: Relux.Action

        /// The types of actions that a run awaits with `first(of:)` or an action stream. The default is none.
        ///
        /// The first stream of such a type that a run creates through its context, and
        /// ``StateReading/first(of:where:)``, include the actions since the trigger, even if the answer came before the
        /// run could listen. Actions are kept until the run takes them or ends; for a run that waits for its turn, from
        /// its trigger on. Read once, when the module is registered.
        var listens: [any Action.Type] { get }

        /// How the run of a new trigger relates to existing runs. The default is ``Policy/concurrent``.
        ///
        /// - Parameter trigger: The action that has just been reduced.
        /// - Returns: The policy for this trigger, with an id if runs with different ids may overlap.
        func policy(for trigger: Trigger) -> Policy

        /// The action that accompanies the start of a run, such as one that marks a state as loading. The default is
        /// none.
        ///
        /// The store reduces it directly after the step in which the run becomes active: that of the trigger, or a
        /// later one if the run has to wait for its turn or its delay. A trigger that joins a shared run starts
        /// nothing. If several triggers of a batch start runs, their actions follow the last action of the batch.
        ///
        /// - Isolation: Called inside the store, as are the other hooks, so it must be quick. What it returns is a step
        ///   of its own, with the run as cause. Nobody sees the store between the two steps.
        /// - Parameter trigger: The action that has triggered the run.
        /// - Returns: The action to reduce, or nil.
        func actionOnStart(_ trigger: Trigger) -> (any Action)?

        /// The action that accompanies a trigger that will never start, because its policy has dropped it, or a newer
        /// trigger has superseded it while it waited. The default is none.
        ///
        /// It isn't called for a trigger that was cancelled while it waited, which is what ``actionOnCancel(_:)`` is
        /// for.
        ///
        /// - Parameter trigger: The action that has started nothing.
        /// - Returns: The action to reduce, or nil.
        func actionOnDrop(_ trigger: Trigger) -> (any Action)?

        /// The action that accompanies the failure of a run. The default is none.
        ///
        /// The store reduces it directly after the step that ends the run, and before the next run of its lane starts.
        /// It is called for anything that leaves the body of a run that may still write, apart from a cancellation:
        /// ``EffectError/superseded`` and ``EffectError/dropped`` of what the body has performed are included, and
        /// ``EffectError/failure`` tells them from errors that somebody should see. Attempts of a retry and timeouts
        /// have no hooks of their own.
        ///
        /// - Parameters:
        ///   - trigger: The action that has triggered the run.
        ///   - error: What the body has thrown.
        /// - Returns: The action to reduce, or nil. With an action, the error counts as received, and doesn't appear in
        ///   ``Store/failures``. A caller of `perform` receives it in any case.
        func actionOnFailure(_ trigger: Trigger, _ error: any Error) -> (any Action)?

        /// The action that cleans up after a cancelled run, such as a state left loading. The default is none.
        ///
        /// The store reduces it directly after the step that cancels the run, or that ends it if the body has thrown a
        /// cancellation by itself. It is not called when the run was superseded or has finished, when its own module
        /// is reset or unregistered, or when the store is shut down. The same holds for the other hooks, except that
        /// ``actionOnDrop(_:)`` is called for a trigger that was superseded while it waited.
        ///
        /// - Parameter trigger: The action that has triggered the cancelled run.
        /// - Returns: The action to reduce, or nil.
        func actionOnCancel(_ trigger: Trigger) -> (any Action)?
    }
}

extension Relux.Handler {
    var trigger: any Relux.Action.Type { Trigger.self }

    /// Returns no types: streams begin when they are created.
    public var listens: [any Relux.Action.Type] { [] }

    /// Returns ``Relux/Policy/concurrent``, which lets runs overlap.
    public func policy(for trigger: Trigger) -> Relux.Policy { .concurrent }

    /// Returns nil: nothing accompanies the start.
    public func actionOnStart(_ trigger: Trigger) -> (any Relux.Action)? { nil }

    /// Returns nil: nothing accompanies a trigger that never starts.
    public func actionOnDrop(_ trigger: Trigger) -> (any Relux.Action)? { nil }

    /// Returns nil: the error appears in ``Relux/Store/failures``, unless a caller receives it.
    public func actionOnFailure(_ trigger: Trigger, _ error: any Error) -> (any Relux.Action)? { nil }

    /// Returns nil: there is nothing to clean up.
    public func actionOnCancel(_ trigger: Trigger) -> (any Relux.Action)? { nil }
}

/// A saga or flow that wraps another one, as that of a tester does. Records and `cancel` use the type of that one.
package protocol HandlerWrapper: Relux.Handler {
    static var original: Any.Type { get }
}

extension Relux {
    /// Something that a store runs: a ``Saga``, a ``Flow``, or a ``Watcher``. Nothing else conforms to it.
    public protocol Runnable: Sendable {}
}

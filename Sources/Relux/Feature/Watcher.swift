extension Relux {
    /// Work that lives as long as its module: a socket, a file watcher, a root flow.
    ///
    /// - Isolation: ``watch(in:)`` runs on a task of its own, off the store.
    /// - Ordering: The action streams of the types in ``listens`` begin with the registration of the module, so no
    ///   action between the registration and the first line of ``watch(in:)`` is missed.
    /// - Cancellation: Unregistering the module, a reset and a shutdown cancel it. A reset starts it anew, once the
    ///   cancelled one has ended.
    /// - Lifetime: It may end early, by returning or throwing. It isn't restarted then, and a thrown error appears in
    ///   ``Store/failures``. A store with nothing but watchers at work is idle.
    public protocol Watcher: Sendable {
        /// The actions whose streams reach back to registration. The default is none.
        ///
        /// The first stream that the watcher makes of a listed type takes what has been kept for it; a listed type of
        /// which it never makes a stream keeps its actions for as long as the watcher lives.
        var listens: [any Action.Type] { get }

        /// Watches until there is nothing left to watch, or until it is cancelled.
        ///
        /// - Parameter context: What the watcher may do. It doesn't keep the store alive.
        /// - Throws: Any error. It appears in ``Store/failures``; a `CancellationError` does not.
        func watch(in context: SagaContext) async throws
    }
}

extension Relux.Watcher {
    /// No type.
    public var listens: [any Relux.Action.Type] { [] }
}

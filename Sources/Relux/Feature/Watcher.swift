extension Relux {
    /// Work that lives as long as its module: a socket, a file watcher, a root flow.
    ///
    /// - Isolation: ``watch(in:)`` runs in a task of its own, off the store.
    /// - Ordering: The action streams of the types in ``listens`` start at the registration of the module. No action
    ///   between the registration and the first line of ``watch(in:)`` is missed.
    /// - Cancellation: Unregistering the module, a reset and a shutdown cancel it. A reset starts it again once the
    ///   cancelled run has ended.
    /// - Lifetime: It may end early by returning or throwing. It is not restarted then, and a thrown error appears in
    ///   ``Store/failures``. A store in which only watchers are running is idle.
    public protocol Watcher: Runnable {
        /// The types of actions whose streams start at registration. The default is none.
        ///
        /// Actions of these types are buffered from registration on. The first stream that the watcher creates for a
        /// listed type takes over the buffer. If the watcher never creates one, the buffer keeps growing for as long as
        /// the watcher lives.
        var listens: [any Action.Type] { get }

        /// Watches until there is nothing left to watch, or until it is cancelled.
        ///
        /// - Parameter context: The watcher's access to the store. It doesn't keep the store alive.
        /// - Throws: Any error. It appears in ``Store/failures``, except a `CancellationError`.
        func watch(in context: SagaContext) async throws
    }
}

extension Relux.Watcher {
    /// No types.
    public var listens: [any Relux.Action.Type] { [] }
}

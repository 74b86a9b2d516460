/// Where the main-actor half of a store is executed: on the main actor, or on the substitute that a simulation
/// provides.
package struct MainActorContext: Sendable {
    /// Whether the calling code is executed there.
    package let isCurrent: @Sendable () -> Bool
    /// Executes a closure there later. Closures are executed in the order of the calls.
    package let enqueue: @Sendable (_ body: @escaping @MainActor @Sendable () -> Void) -> Void

    package init(
        isCurrent: @escaping @Sendable () -> Bool,
        enqueue: @escaping @Sendable (_ body: @escaping @MainActor @Sendable () -> Void) -> Void
    ) {
        self.isCurrent = isCurrent
        self.enqueue = enqueue
    }

    /// The main actor.
    ///
    /// Code is on it if the executor that runs the current job is the main actor's. Outside jobs, such as in a block of
    /// Dispatch or in an event handler of a toolkit, it is if the current queue is the main queue. Threads and
    /// processes don't matter: on Linux, the main queue may be served by any thread, and a job of another executor may
    /// be run by the thread that serves the main queue.
    package static let mainActor = MainActorContext(
        isCurrent: { CurrentExecutor.isMainActor },
        enqueue: { body in Task.detached(priority: .userInitiated) { @MainActor in body() } }
    )

    /// Executes a closure: now if the caller is there, otherwise later.
    package func execute(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent() { Self.assumeCurrent(body) } else { enqueue(body) }
    }

    /// Executes a closure now.
    ///
    /// The caller must have made sure that ``isCurrent`` is true. `MainActor.assumeIsolated` can't be used in its
    /// place, because it traps in a simulation.
    package static func assumeCurrent(_ body: @MainActor () -> Void) {
        // unsafeBitCast: removes the isolation from the function's type, as `assumeIsolated` does after its check.
        withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Void).self)() }
    }
}

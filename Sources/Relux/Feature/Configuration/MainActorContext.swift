#if _runtime(_multithreaded)
    import Dispatch

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #else
        import Glibc
    #endif
#endif

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

#if _runtime(_multithreaded)
    /// The executor that runs the current job.
    private enum CurrentExecutor {
        // @convention(thin): a plain function pointer in Swift's calling convention. It returns the executor's identity
        // and its witness table.
        private typealias Function = @convention(thin) () -> (UInt, UInt)

        /// The function of the runtime, which exists in all its versions; nil in programs that don't export it.
        private static let function: Function? = {
            // unsafeBitCast: the runtime exports a function of this name and type, which returns a struct of two words.
            dlsym(dlopen(nil, RTLD_LAZY), "swift_task_getCurrentExecutor").map { unsafeBitCast($0, to: Function.self) }
        }()

        // unsafeBitCast: an executor is its identity and its witness table. Only the former is compared.
        private static let mainActor = unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0

        private static let queueKey: DispatchSpecificKey<Bool> = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()

        static var isMainActor: Bool {
            let executor = function?().0 ?? 0
            if executor != 0 { return executor == mainActor }
            // Unsafe task: only asked whether it exists, inside the closure. A task without an actor runs on none.
            if function != nil, withUnsafeCurrentTask(body: { $0 != nil }) { return false }
            return DispatchQueue.getSpecific(key: queueKey) == true
        }
    }
#else
    /// The executor that runs the current job.
    private enum CurrentExecutor {
        /// Nothing tells which executor runs a task. What is outside all tasks is on the main actor.
        // Unsafe task: only asked whether it exists, inside the closure.
        static var isMainActor: Bool { withUnsafeCurrentTask { $0 == nil } }
    }
#endif

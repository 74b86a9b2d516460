// Only programs with threads need them: the Swift SDK for Wasm has neither threads nor their functions.
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

    /// The calling thread.
    enum CurrentThread {
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }()

        /// A number that belongs to the thread; 0 at first.
        static var mark: UInt {
            get { UInt(bitPattern: pthread_getspecific(key)) }
            // Unsafe pointer: the system stores its bits, and nothing follows it.
            set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
        }
    }

    /// The executor that runs the current job.
    enum CurrentExecutor {
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

    /// Blocks one thread until another one lets it continue.
    typealias ThreadBlocker = DispatchSemaphore
#else
    /// The only thread.
    enum CurrentThread {
        // nonisolated(unsafe): there is no other thread.
        nonisolated(unsafe) static var mark: UInt = 0
    }

    /// The executor that runs the current job.
    enum CurrentExecutor {
        /// Nothing tells which executor runs a task. What is outside all tasks is on the main actor.
        // Unsafe task: only asked whether it exists, inside the closure.
        static var isMainActor: Bool { withUnsafeCurrentTask { $0 == nil } }
    }

    /// Blocks nobody: the only thread finds a store occupied only inside a call into a store, where the mark refuses
    /// synchronous verbs.
    final class ThreadBlocker: Sendable {
        init(value: Int) {}

        func wait() { preconditionFailure("Without threads, nothing releases a blocked one.") }

        func signal() {}
    }
#endif

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

    /// Blocks one thread until another one lets it continue.
    typealias ThreadBlocker = DispatchSemaphore
#else
    /// The only thread.
    enum CurrentThread {
        // nonisolated(unsafe): there is no other thread.
        nonisolated(unsafe) static var mark: UInt = 0
    }

    /// Blocks nobody: the only thread finds a store occupied only inside a call into a store, where the mark refuses
    /// synchronous verbs.
    final class ThreadBlocker: Sendable {
        init(value: Int) {}

        func wait() { preconditionFailure("Without threads, nothing releases a blocked one.") }

        func signal() {}
    }
#endif

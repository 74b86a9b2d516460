// Only programs with threads need them: the Swift SDK for Wasm has neither threads nor their functions.
#if _runtime(_multithreaded)
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #elseif canImport(WASILibc)
        import WASILibc
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
    final class ThreadBlocker: Sendable {
        private typealias Parts = (mutex: pthread_mutex_t, condition: pthread_cond_t, isReleased: Bool)

        // Neither a mutex nor a condition may move, so both have an allocation of their own until deinit.
        // nonisolated(unsafe): the mutex guards everything in it.
        private nonisolated(unsafe) let parts: UnsafeMutablePointer<Parts>

        init() {
            parts = .allocate(capacity: 1)
            parts.initialize(to: (pthread_mutex_t(), pthread_cond_t(), false))
            pthread_mutex_init(&parts.pointee.mutex, nil)
            pthread_cond_init(&parts.pointee.condition, nil)
        }

        deinit {
            pthread_cond_destroy(&parts.pointee.condition)
            pthread_mutex_destroy(&parts.pointee.mutex)
            parts.deinitialize(count: 1)
            parts.deallocate()
        }

        /// Blocks the calling thread until ``release()`` is called. Returns immediately if it was called before.
        func block() {
            pthread_mutex_lock(&parts.pointee.mutex)
            while !parts.pointee.isReleased { pthread_cond_wait(&parts.pointee.condition, &parts.pointee.mutex) }
            pthread_mutex_unlock(&parts.pointee.mutex)
        }

        func release() {
            pthread_mutex_lock(&parts.pointee.mutex)
            parts.pointee.isReleased = true
            pthread_cond_signal(&parts.pointee.condition)
            pthread_mutex_unlock(&parts.pointee.mutex)
        }
    }
#else
    /// The only thread.
    enum CurrentThread {
        // nonisolated(unsafe): there is no other thread.
        nonisolated(unsafe) static var mark: UInt = 0
    }

    /// Blocks nobody: the only thread finds a store occupied only inside a call into a store, where the mark refuses
    /// synchronous verbs.
    final class ThreadBlocker: Sendable {
        func block() { preconditionFailure("Without threads, nothing releases a blocked one.") }

        func release() {}
    }
#endif

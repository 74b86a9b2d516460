#if RELUX_TSAN
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif
#else
    import Synchronization
#endif

/// The only lock in the library: a value that is accessible only inside `withLock`.
///
/// On Linux, the thread sanitizer doesn't understand the futex of a contended `Synchronization.Mutex` and reports false
/// races. Sanitizer runs are therefore compiled with `-D RELUX_TSAN`, which substitutes a pthread mutex.
///
/// Critical sections are short and don't nest. No user code runs in one, and no user value is released in one, because
/// its `deinit` is user code too: what is replaced or removed is returned, or swapped with a variable outside.
#if RELUX_TSAN
    // @unchecked Sendable: `value` is accessed only while `mutex` is locked.
    package final class Lock<Value>: @unchecked Sendable {
        // unsafe pointer: allocated by `init` and freed by `deinit`. The address of a pthread mutex must not change.
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>
        private var value: Value

        package init(_ value: sending Value) {
            self.value = value
            mutex = .allocate(capacity: 1)
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        package func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            // nonisolated(unsafe): no other thread can access the value inside the critical section.
            nonisolated(unsafe) let result = body(&value)
            return result
        }
    }
#else
    package typealias Lock = Mutex
#endif

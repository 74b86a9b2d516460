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

/// The one lock of the library: a value that is only reached inside `withLock`.
///
/// The thread sanitizer doesn't know the futex of a contended `Synchronization.Mutex` on Linux and reports races that
/// aren't there. Sanitizer runs are therefore compiled with `-D RELUX_TSAN`, which puts a pthread mutex here.
///
/// Sections are short and call nothing that locks: no user code runs inside one.
#if RELUX_TSAN
    // @unchecked Sendable: `value` is only touched between the lock and the unlock of `mutex`.
    package final class Lock<Value>: @unchecked Sendable {
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>
        private var value: Value

        package init(_ value: sending Value) {
            self.value = value
            // The address of a pthread mutex must not change, so it lives in an allocation of its own until deinit.
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
            // nonisolated(unsafe): inside the section nobody else can reach the value.
            nonisolated(unsafe) let result = body(&value)
            return result
        }
    }
#else
    package struct Lock<Value>: ~Copyable, Sendable {
        private let mutex: Mutex<Value>

        package init(_ value: consuming sending Value) {
            mutex = Mutex(value)
        }

        package borrowing func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
            mutex.withLock(body)
        }
    }
#endif

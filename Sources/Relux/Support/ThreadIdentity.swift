#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Identifies a thread among those that are alive.
package struct ThreadIdentity: Hashable, Sendable {
    /// Never 0.
    package let value: UInt

    /// The calling thread.
    package static var current: ThreadIdentity {
        #if canImport(Darwin) || canImport(Musl)
            ThreadIdentity(value: UInt(bitPattern: pthread_self()))
        #else
            ThreadIdentity(value: UInt(pthread_self()))
        #endif
    }
}

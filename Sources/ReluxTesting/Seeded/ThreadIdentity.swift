#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Tells threads apart that live at the same time.
struct ThreadIdentity: Hashable, Sendable {
    private let value: UInt

    static var current: ThreadIdentity {
        #if canImport(Darwin) || canImport(Musl)
            ThreadIdentity(value: UInt(bitPattern: pthread_self()))
        #else
            ThreadIdentity(value: UInt(pthread_self()))
        #endif
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// The processors of this machine.
enum Processors {
    /// How many there are, at least 1.
    static let count = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
}

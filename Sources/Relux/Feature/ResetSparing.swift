extension Relux {
    /// Which runs a reset lets continue.
    public enum ResetSparing: Sendable, Hashable {
        /// The calling run and the runs that await it. They may still write.
        case caller
        /// None. The calling run and the runs that await it are cancelled too, but not waited for.
        case nobody
    }
}

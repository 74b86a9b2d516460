extension Relux {
    /// The store.
    public actor Store {
        /// A stream of failures.
        public nonisolated var failures: Int { 0 }
    }
}

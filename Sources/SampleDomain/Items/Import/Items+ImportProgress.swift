extension Items {
    /// The progress of a running import, or of the last one.
    public struct ImportProgress: Sendable, Equatable {
        /// Whether the import is still running.
        public internal(set) var isRunning = true

        /// The number of items that have been added and saved.
        public internal(set) var saved = 0

        /// The number of blank lines that were skipped.
        public internal(set) var blank = 0

        /// The fraction of the text that has been read, from 0 to 1, or nil if the size of the text is unknown.
        public internal(set) var fraction: Double?

        init() {}
    }
}

extension Items {
    /// How far an import is, or was.
    public struct ImportProgress: Sendable, Equatable {
        /// Whether it is going on.
        public internal(set) var isRunning = true

        /// How many items it has added and saved.
        public internal(set) var saved = 0

        /// How many lines had no title, and were skipped.
        public internal(set) var blank = 0

        /// How much of the text has been read, from 0 to 1; nil where nobody knows how long it is.
        public internal(set) var fraction: Double?

        init() {}
    }
}

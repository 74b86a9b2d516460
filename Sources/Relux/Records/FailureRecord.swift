extension Relux {
    /// An error that a run threw and no caller of `perform` received.
    public struct FailureRecord: Sendable, CustomStringConvertible {
        /// What was thrown. Never a `CancellationError`.
        public let error: any Error

        /// The run that threw it.
        public let run: RunRecord

        /// When the run ended, on the store's clock, since the store was made.
        public let time: Duration

        /// The run, the line that set it off, and the error.
        public var description: String { "\(run), set off at \(run.callSite), failed: \(error)" }
    }
}

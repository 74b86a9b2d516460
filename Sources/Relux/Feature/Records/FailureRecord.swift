extension Relux {
    /// An error that a run threw and that no caller of `perform` received.
    public struct FailureRecord: Sendable, CustomStringConvertible {
        /// The error. Never a `CancellationError`.
        public let error: any Error

        /// The run that threw the error.
        public let run: RunRecord

        /// When the run ended: the time on the store's clock since the store was created.
        public let time: Duration

        /// The run, the line that triggered it, and the error.
        public var description: String { "\(run), triggered at \(run.callSite), failed: \(error)" }
    }
}

extension Relux {
    /// How a run ended.
    public enum RunOutcome: Sendable, CustomStringConvertible {
        /// The run returned.
        case finished
        /// The run threw an error that isn't an outcome itself.
        case failed(any Error)
        /// The run was cancelled, or threw a `CancellationError`.
        case cancelled
        /// A newer trigger superseded the run.
        case superseded
        /// Its policy did not let the run start.
        case dropped

        /// One word, followed by the error if there is one.
        public var description: String {
            switch self {
            case .finished: "finished"
            case .failed(let error): "failed: \(error)"
            case .cancelled: "cancelled"
            case .superseded: "superseded"
            case .dropped: "dropped"
            }
        }
    }
}

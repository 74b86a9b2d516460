extension Relux {
    /// How a run ended.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
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

        /// The outcome of a body that threw.
        ///
        /// Cancellation, supersession, and dropping are not failures, even if they happened to what the body performed.
        init(thrown error: any Error) {
            let error = EffectError.unwrapped(error)
            switch error {
            case is CancellationError: self = .cancelled
            case EffectError.cancelled: self = .cancelled
            case EffectError.superseded: self = .superseded
            case EffectError.dropped: self = .dropped
            default: self = .failed(error)
            }
        }

        /// The error, if the run failed.
        var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }

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

extension Relux {
    /// How the work that `actions { }` triggered ended.
    public enum ActionResult: Sendable, CustomStringConvertible {
        /// All of the work succeeded.
        case success
        /// Nothing failed, but something was superseded, dropped, or cancelled.
        case cancelled
        /// The errors, in the order in which the work ended. Actions that nothing handles, and a store that was shut
        /// down, count as errors.
        case failure([any Error])

        /// One word, followed by the errors if there are any.
        public var description: String {
            switch self {
            case .success: "success"
            case .cancelled: "cancelled"
            case .failure(let errors): "failure: \(errors.map { "\($0)" }.joined(separator: "; "))"
            }
        }
    }
}

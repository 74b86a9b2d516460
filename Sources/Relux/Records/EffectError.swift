extension Relux {
    /// Why `perform` has no value to return.
    public enum EffectError: Error, CustomStringConvertible {
        /// The flow, or the first saga that failed, threw this. As `perform` throws it, it never is an ``EffectError``
        /// itself: one that a saga lets through is thrown as it is, and one inside another is taken out.
        case failed(any Error)
        /// A newer trigger took the place of the run.
        case superseded
        /// The policy let the run not even start, or a middleware dropped the effect.
        case dropped
        /// The run was cancelled, or the task that performed.
        case cancelled
        /// No saga or flow takes the effect, or only sagas take one that promises a value. It was reduced all the same.
        case unhandled
        /// A run would have waited for something that can only end after the run itself.
        case serialCycle(waiting: RunRecord, on: RunRecord)
        /// The store had been shut down or released.
        case storeShutDown

        /// What a caller hears of an error that a run threw.
        init(_ error: any Error) {
            switch error as? EffectError {
            case .failed(let inner)?: self.init(inner)
            case let own?: self = own
            case nil: self = .failed(error)
            }
        }

        /// What happened, and what to do about it.
        public var description: String {
            switch self {
            case .failed(let error): "The effect failed: \(error)"
            case .superseded: "A newer trigger took the place of the effect."
            case .dropped: "The effect was dropped: a run was active already, or a middleware refused it."
            case .cancelled: "The effect was cancelled."
            case .unhandled: "No saga or flow answers the effect. Register the module whose saga or flow does."
            case .serialCycle(let waiting, let on):
                "\(waiting) would wait for \(on), which can only end after it. Dispatch without waiting, or use another "
                    + "policy id."
            case .storeShutDown: "The store was shut down or released."
            }
        }
    }

    /// How what `actions { }` set off ended.
    public enum ActionResult: Sendable, CustomStringConvertible {
        /// Everything ended well.
        case success
        /// Nothing failed, but something was superseded, dropped or cancelled.
        case cancelled
        /// What failed, in the order of the ends. Actions that nothing takes, and a store that was shut down, count.
        case failure([any Error])

        /// One word, and the errors if there are any.
        public var description: String {
            switch self {
            case .success: "success"
            case .cancelled: "cancelled"
            case .failure(let errors): "failure: \(errors.map { "\($0)" }.joined(separator: "; "))"
            }
        }
    }

    /// How `actions { }` goes through its actions.
    public enum Execution: Sendable, Hashable {
        /// Each, with all that it set off, before the next.
        case serially
        /// All are reduced in order; then what they set off goes on side by side.
        case concurrently
    }
}

extension Relux {
    // indirect: errors are rare and travel far, and each copy of the payloads would take much code.
    /// Why `perform` has no value to return.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public indirect enum EffectError: Error, CustomStringConvertible {
        /// The flow, or the first saga that failed, threw this error.
        ///
        /// When `perform` throws this case, the error inside is never an ``EffectError`` itself. If a saga doesn't
        /// catch an ``EffectError``, `perform` throws that error unchanged, and nested ones are unwrapped.
        case failed(any Error)
        /// A newer trigger superseded the run.
        case superseded
        /// The policy did not let the run start, or a middleware dropped the effect, or replaced it with an
        /// action without the same output.
        case dropped
        /// The run was cancelled, or the task that called `perform` was.
        case cancelled
        /// No saga or flow handles the effect, or the effect promises a value and only sagas handle it. It was reduced
        /// nevertheless.
        case unhandled
        /// A run would have waited for something that can only end after the run itself.
        case serialCycle(waiting: RunRecord, on: RunRecord)
        /// There is no such instance. Nothing was reduced.
        case noInstance(Scope)
        /// The store had been shut down or released.
        case storeShutDown

        /// Creates the error that a caller of `perform` receives for an error that a run threw.
        ///
        /// - Parameter error: An effect error stays as it is, and nested ones are unwrapped. Any other error is wrapped
        ///   in ``failed(_:)``.
        public init(_ error: any Error) {
            switch error as? EffectError {
            case .failed(let inner)?: self.init(inner)
            case let own?: self = own
            case nil: self = .failed(error)
            }
        }

        /// The error that somebody should see; nil if the effect was superseded, dropped, or cancelled, which are
        /// outcomes and no reason for an alert.
        ///
        /// For ``failed(_:)``, this is the error inside. The other cases are mistakes of the program, and are returned
        /// as they are.
        ///
        /// ```swift
        /// } catch {
        ///     if let failure = error.failure { await context.dispatch(Alerts.Action.show("\(failure)")) }
        /// }
        /// ```
        public var failure: (any Error)? {
            switch self {
            case .superseded, .dropped, .cancelled: nil
            case .failed(let error as EffectError): error.failure
            case .failed(is CancellationError): nil
            case .failed(let error): error
            case .unhandled, .serialCycle, .noInstance, .storeShutDown: self
            }
        }

        /// Removes each `failed` around an error that is itself an effect error or a cancellation.
        static func unwrapped(_ error: any Error) -> any Error {
            var error = error
            while case EffectError.failed(let inner) = error, inner is EffectError || inner is CancellationError {
                error = inner
            }
            return error
        }

        /// A message that says what happened and how to fix it.
        public var description: String {
            switch self {
            case .failed(let error): "The effect failed: \(error)"
            case .superseded: "A newer trigger superseded the effect."
            case .dropped: "The effect was dropped: a run was already active, or a middleware dropped it."
            case .cancelled: "The effect was cancelled."
            case .unhandled:
                "No saga or flow handles the effect, or nothing takes the action. Register the module that does."
            case .serialCycle(let waiting, let on):
                "\(waiting) would wait for \(on), which can only end after it. Dispatch without waiting, or use another "
                    + "policy id."
            case .noInstance(let scope):
                "There is no \(scope). Register or attach the instance first, or add its id to the state that its "
                    + "scope follows."
            case .storeShutDown: "The store was shut down or released."
            }
        }
    }
}

/// How a run ended, with the value that it returned.
enum RunResult: Sendable {
    case finished
    /// Finished with the output of an effect.
    case returned(Output)
    case failed(any Error)
    case cancelled
    case superseded
    case dropped

    /// The output of an effect. A reference, so that a result is small, because it is copied at each step of an end.
    final class Output: Sendable {
        let value: any Sendable

        init(_ value: any Sendable) {
            self.value = value
        }
    }

    init(_ ending: RunEnding) {
        switch ending {
        case .cancelled: self = .cancelled
        case .superseded: self = .superseded
        }
    }

    /// The result of a body that threw.
    ///
    /// Cancellation, supersession, and dropping are not failures, even if they happened to what the body performed.
    init(thrown error: any Error) {
        let error = Relux.EffectError.unwrapped(error)
        switch error {
        case is CancellationError: self = .cancelled
        case Relux.EffectError.cancelled: self = .cancelled
        case Relux.EffectError.superseded: self = .superseded
        case Relux.EffectError.dropped: self = .dropped
        default: self = .failed(error)
        }
    }

    /// The error that a run threw after it was halted.
    var lateError: (any Error)? {
        if case .failed(let error) = self, !(error is CancellationError) { error } else { nil }
    }
}

extension Relux.RunOutcome {
    init(_ result: RunResult) {
        switch result {
        case .finished, .returned: self = .finished
        case .failed(let error): self = .failed(error)
        case .cancelled: self = .cancelled
        case .superseded: self = .superseded
        case .dropped: self = .dropped
        }
    }
}

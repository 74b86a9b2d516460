/// How a run ended, with the value that it returned.
enum RunResult: Sendable {
    /// With the output of an effect, if the run answers one.
    case finished((any Sendable)?)
    case failed(any Error)
    case cancelled
    case superseded
    case dropped

    init(_ ending: RunEnding) {
        switch ending {
        case .cancelled, .byItself: self = .cancelled
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

    /// The error, if the run failed.
    var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}

extension Relux.RunOutcome {
    init(_ result: RunResult) {
        switch result {
        case .finished: self = .finished
        case .failed(let error): self = .failed(error)
        case .cancelled: self = .cancelled
        case .superseded: self = .superseded
        case .dropped: self = .dropped
        }
    }
}

extension Completion.Outcome {
    init(_ ending: RunTable.Ending) {
        switch ending {
        case .cancelled: self = .cancelled
        case .superseded: self = .superseded
        }
    }

    /// What a run threw that was cancelled or superseded before.
    var lateError: (any Error)? {
        if case .failed(let error) = self, !(error is CancellationError) { error } else { nil }
    }

    /// The outcome of a body that threw.
    ///
    /// Being cancelled, superseded or dropped is no failure, also where it befell what the body performed.
    init(thrown error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case Relux.EffectError.cancelled: self = .cancelled
        case Relux.EffectError.superseded: self = .superseded
        case Relux.EffectError.dropped: self = .dropped
        default: self = .failed(error)
        }
    }
}

extension Relux.RunOutcome {
    init(_ outcome: Completion.Outcome) {
        switch outcome {
        case .finished: self = .finished
        case .failed(let error): self = .failed(error)
        case .cancelled: self = .cancelled
        case .superseded: self = .superseded
        case .dropped: self = .dropped
        }
    }
}

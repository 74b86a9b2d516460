/// How the runs of a group have ended so far, and what that means to the awaiter of the group.
struct GroupSummary: Sendable {
    /// Whose failure the awaiter receives. All other failures go to the stream of failures.
    enum Answer: Sendable, Equatable {
        /// Nobody's: the action was only dispatched, or promises a value that no flow returns.
        case nobody
        /// The first failure of a saga.
        case sagas
        case flow
    }

    private(set) var answer = Answer.nobody
    /// Why nothing was triggered, or why there is no result although something was.
    var refusal: Relux.EffectError?
    /// Whether the deadline of a timeout has passed.
    var isExpired = false
    /// How the run has ended that answers the effect, and with which output; nil if there was none.
    private(set) var answered: (outcome: Relux.RunOutcome, output: (any Sendable)?)?
    private(set) var failures: [any Error] = []
    /// The gravest reason why runs were cut short: a cancellation, otherwise a supersession, otherwise a drop.
    private(set) var cut: Relux.RunOutcome?

    /// Notes how a run ended, or why it was not started.
    ///
    /// - Parameter isAnswer: Whether the run answers the effect.
    mutating func note(_ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil, isAnswer: Bool = false) {
        if isAnswer { answered = (outcome, output) }
        switch (outcome, cut) {
        case (.failed(let error), _): failures.append(error)
        case (.cancelled, _), (.superseded, nil), (.superseded, .dropped), (.dropped, nil): cut = outcome
        default: break
        }
    }

    /// Whether a run was cancelled, superseded, or dropped.
    var wasCutShort: Bool { cut != nil }

    /// Whether the awaiter receives the failure of a run that ends now.
    func receivesFailure(isAnswer: Bool) -> Bool {
        switch answer {
        case .flow: isAnswer
        case .sagas: failures.isEmpty
        case .nobody: false
        }
    }

    /// The result of `perform`.
    func output<Output>(of type: Output.Type) throws(Relux.EffectError) -> Output {
        if let refusal { throw refusal }
        // Without a run that answers the effect, the most serious end counts.
        let (outcome, output) = answered ?? (failures.first.map { .failed($0) } ?? cut ?? .finished, ())
        switch outcome {
        case .finished:
            guard let output = output as? Output else { throw .unhandled }
            return output
        case .failed(let error): throw Relux.EffectError(error)
        case .cancelled: throw .cancelled
        case .superseded: throw .superseded
        case .dropped: throw .dropped
        }
    }
}

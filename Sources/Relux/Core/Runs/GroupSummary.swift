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

    let answer: Answer
    /// Why nothing was triggered, or why there is no result although something was.
    var refusal: Relux.EffectError?
    /// Whether the deadline of a timeout has passed.
    var isExpired = false
    /// The result of the flow, if there was one.
    private(set) var flow: RunResult?
    private(set) var failures: [any Error] = []
    private var wasCancelled = false
    private var wasSuperseded = false
    private var wasDropped = false

    init(answer: Answer = .nobody, refusal: Relux.EffectError? = nil) {
        self.answer = answer
        self.refusal = refusal
    }

    /// Notes how a run ended, or why it was not started.
    ///
    /// - Parameter isAnswer: Whether the run answers the effect.
    mutating func note(_ result: RunResult, isAnswer: Bool = false) {
        if isAnswer { flow = result }
        switch result {
        case .failed(let error): failures.append(error)
        case .cancelled: wasCancelled = true
        case .superseded: wasSuperseded = true
        case .dropped: wasDropped = true
        case .finished: break
        }
    }

    /// Whether a run was cancelled, superseded, or dropped.
    var wasCutShort: Bool { wasCancelled || wasSuperseded || wasDropped }

    /// Whether the awaiter receives the failure of a run that ends now.
    func receivesFailure(isAnswer: Bool) -> Bool {
        switch answer {
        case .flow: isAnswer
        case .sagas: failures.isEmpty
        case .nobody: false
        }
    }

    /// What `perform` returns or throws.
    func output<Output>(of type: Output.Type) throws(Relux.EffectError) -> Output {
        if let refusal { throw refusal }
        switch flow {
        case .finished(let value):
            guard let output = value as? Output else { throw .unhandled }
            return output
        case .failed(let error): throw Relux.EffectError(error)
        case .cancelled: throw .cancelled
        case .superseded: throw .superseded
        case .dropped: throw .dropped
        case nil: break
        }
        if let error = failures.first { throw Relux.EffectError(error) }
        if wasCancelled { throw .cancelled }
        if wasSuperseded { throw .superseded }
        if wasDropped { throw .dropped }
        guard let output = () as? Output else { throw .unhandled }
        return output
    }
}

/// Why a run was halted.
enum RunEnding: Sendable, Equatable {
    case cancelled
    case superseded
    /// Cancelled by what the run itself has dispatched, which closed its instance. It ends as its body does.
    case byItself
    /// Cancelled after it had finished. Its end has been reported, and only its task is left.
    case finished

    /// Whether the run still ends as its body does.
    var keepsResult: Bool { self == .byItself || self == .finished }

    var outcome: Relux.RunOutcome { self == .superseded ? .superseded : .cancelled }
}

/// The phase of a run.
enum RunPhase: Sendable, Equatable {
    /// Waits for its deadline.
    case pending
    /// Waits for the runs ahead of it in its lane.
    case queued
    case active
    /// Its last actions are reduced and its end is reported, but its task still works. It can't write any more.
    case finished
    /// Cancelled or superseded, but its task has not ended yet. The run can't write any more.
    case dying(RunEnding)
    /// A shared trigger that waits for another run, and ends as that does.
    case joined(Run)
    case ended

    /// Whether the run has made its last step by itself.
    var hasFinished: Bool { self == .finished || self == .dying(.finished) }

    /// Whether a body may be at work that nothing has cancelled.
    var isAtWork: Bool { self == .active || self == .finished }
}

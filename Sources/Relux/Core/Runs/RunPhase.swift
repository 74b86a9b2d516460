/// Why a run was halted.
enum RunEnding: Sendable, Equatable {
    case cancelled
    case superseded
    /// Cancelled by what the run itself has dispatched, which closed its instance. It ends as its body does.
    case byItself

    var outcome: Relux.RunOutcome { self == .superseded ? .superseded : .cancelled }
}

/// The phase of a run.
enum RunPhase: Sendable, Equatable {
    /// Waits for its deadline.
    case pending
    /// Waits for the runs ahead of it in its lane.
    case queued
    case active
    /// Cancelled or superseded, but its task has not ended yet. The run can't write any more.
    case dying(RunEnding)
}

/// When the body of a run starts.
enum RunStart: Sendable {
    case immediately
    /// When the signal fires.
    case inTurn(Signal)
    case at(Duration)
}

/// What a policy decided about a trigger.
enum RunPlacement: Sendable {
    case start(RunStart)
    /// Nothing starts. The trigger waits for an existing run, and ends as that does.
    case join
    case drop
}

/// Why a run was halted.
enum RunEnding: Sendable, Equatable {
    case cancelled
    case superseded
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

/// What a policy decided about a trigger.
enum RunPlacement: Sendable, Equatable {
    case start
    case queue
    case delay(until: Duration)
    case drop
}

/// What a run's end means to others.
enum RunKind: Sendable, Equatable {
    case saga
    /// The run answers the effect: a flow, or the body of a timeout.
    case flow
    /// The run doesn't count as busy.
    case watcher
}

/// Identifies a lane: the runs of one saga with one policy id.
struct LaneKey: Hashable, Sendable {
    let saga: SagaID
    let id: AnySendableHashable?
}

/// The runs of one saga with one policy id.
struct Lane: Sendable {
    let key: LaneKey
    var active: [RunID] = []
    var dying: [RunID] = []
    var queue = Queue<RunID>()
    var pending: RunID?
    /// When the window of a throttle closes.
    var windowEnd: Duration?

    var isUnused: Bool { active.isEmpty && dying.isEmpty && queue.isEmpty && pending == nil }
}

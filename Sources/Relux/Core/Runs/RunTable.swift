/// The number of a run, in the order in which runs were created. Never 0.
typealias RunID = UInt64
/// The number of a group of runs. Never 0.
typealias GroupID = UInt64
/// The number of one registration of a saga, flow, or watcher. Never 0.
typealias SagaID = UInt64
/// The number of a lane. Never 0.
typealias LaneID = UInt64

/// The table of runs: which run, which wait for their turn, which perform which, and which wait for which.
///
/// A pure state machine. Each transition decides and returns ``Changes``, and the ``RunRegistry`` carries them out:
/// starting tasks, cancelling them, and resuming waiters. Every policy, cancellation, and cycle can therefore be tested
/// without a task.
///
/// - A *run* is one execution of a saga, started by one trigger.
/// - A *lane* is the set of runs of one saga, or of the sagas that name the lane, with one policy id.
/// - A *join* is a trigger that started nothing because its policy is shared. It is a run without a task, and ends as
///   the run does that it has joined.
/// - A *group* is what can be awaited together: the runs that one action or batch triggered, or those that a reset
///   waits for. It collects how they end.
/// - The *children* of a run are the runs that it performs. They belong to groups that the run awaits, and are
///   cancelled with it.
///
/// The table stores what its client needs with each run (`Work`) and with each group (`Awaiter`), and returns it when
/// the run or the group is removed. There is therefore exactly one of each, for exactly as long. It never looks inside.
///
/// It is not copyable, so that it is never copied by accident.
struct RunTable: ~Copyable, Sendable {
    // Not generic parameters: they would make the code of an executable a tenth larger.
    typealias Work = RunEntry
    typealias Awaiter = Completion

    struct Run: Sendable {
        let work: Work
        let saga: SagaID
        /// The instance that the run belongs to; 0 for the root.
        let scope: UInt64
        let policy: Relux.Policy
        /// 0 if the trigger was withdrawn and only those who joined the run still wait for it.
        var group: GroupID
        var parent: RunID?
        var children = TinySet()
        /// 0 if the policy relates the run to no other.
        let lane: LaneID
        var phase: RunPhase
        let kind: RunKind
        /// The groups that the run's task awaits, once for each wait.
        var waitsFor: [GroupID] = []
        /// Further groups that this run belongs to.
        var drains: [GroupID] = []

        /// Whether the run keeps the store from being idle.
        var isBusy: Bool { kind != .watcher && !policy.isBackground }
    }

    struct Group: Sendable {
        let awaiter: Awaiter
        var summary = GroupSummary()
        var members = TinySet()
        /// Whether no further members can be added.
        var isSealed = false
        /// Whether a member superseded the run that performs it. The end of that run then leaves the group alone.
        var isOrphaned = false
        /// The runs whose tasks await the group, once for each wait.
        var waiters: [RunID] = []

        var isComplete: Bool { isSealed && members.isEmpty }
    }

    /// A run that was halted.
    struct Halt: Sendable {
        let run: RunID
        let work: Work
        let ending: RunEnding
        /// Whether the run had started: if so, its task still exists, and must be cancelled and awaited.
        let hadStarted: Bool
    }

    /// A run whose turn has come.
    struct Start: Sendable {
        let run: RunID
        let work: Work
    }

    /// A group whose last member is gone.
    struct Completed: Sendable {
        let group: GroupID
        let awaiter: Awaiter
        var summary: GroupSummary
    }

    /// What to do after a transition, in this order.
    struct Changes: ~Copyable, Sendable {
        var halts: [Halt] = []
        var starts: [Start] = []
        var completed = TinyList<Completed>()

        var isEmpty: Bool { halts.isEmpty && starts.isEmpty && completed.isEmpty }
    }

    // Only methods of this type change these. They are not private because its roles have files of their own; the
    // registry keeps the table itself private.
    var runs = SerialMap<Run>()
    var groups = SerialMap<Group>()
    var lanes = SerialMap<RunLane>()
    /// The lanes by their keys. Each key is hashed once for each admission, because that is expensive.
    var laneIDs: [LaneKey: LaneID] = [:]
    var lastLane: LaneID = 0
    /// The lane that a run is just entering, which must stay even if it is empty for a moment; 0 if there is none.
    var enteredLane: LaneID = 0
    /// The runs of each instance.
    var runsOfScopes = SerialMap<TinySet>()
    /// The joins of each run that has been joined.
    var joins = SerialMap<TinySet>()
    /// The run that each join has joined.
    var joined = SerialMap<RunID>()
    /// How many tasks of each run wait for the store to become idle.
    var idleWaits = SerialMap<Int>()
    /// Whether queued runs must not start yet, because a transition is still halting runs.
    var holdsStarts = false
    /// The lanes whose queued runs may start at the end of such a transition.
    var heldLanes: [LaneID] = []
    /// The number of runs that keep the store from being idle: neither watchers nor in the background.
    var busyCount = 0
    /// The number of runs that were halted and whose tasks have not ended.
    var dyingCount = 0
    /// The number of lanes at which the unused ones are removed.
    var laneLimit = 64

    /// Whether a run may still write.
    func isLive(_ run: RunID) -> Bool { runs.at(run)?.pointee.phase == .active }

    // MARK: Scopes

    /// The runs of an instance, in order.
    func runs(in scope: UInt64) -> [RunID] { runsOfScopes.at(scope)?.pointee.sorted ?? [] }

    mutating func note(_ run: RunID, in scope: UInt64) {
        guard scope != 0 else { return }
        if !runsOfScopes.contains(scope) { runsOfScopes.set(scope, to: TinySet()) }
        runsOfScopes.at(scope)?.pointee.insert(run)
    }

    mutating func forget(_ run: RunID, in scope: UInt64) {
        guard scope != 0, let found = runsOfScopes.at(scope) else { return }
        found.pointee.remove(run)
        if found.pointee.isEmpty { runsOfScopes.remove(scope) }
    }

    // MARK: Groups

    /// Creates a group, to which runs can be added until it is sealed.
    ///
    /// - Parameter answer: Whose failure is for the awaiter; other failures are not received.
    mutating func openGroup(_ group: GroupID, _ awaiter: Awaiter, answer: GroupSummary.Answer = .nobody) {
        groups.set(group, to: Group(awaiter: awaiter, summary: GroupSummary(answer: answer)))
    }

    /// Changes what is known about how a group ends.
    mutating func updateSummary(of group: GroupID, _ change: (inout GroupSummary) -> Void) {
        if let found = groups.at(group) { change(&found.pointee.summary) }
    }

    /// Closes a group to further members.
    mutating func sealGroup(_ group: GroupID) -> Changes {
        var changes = Changes()
        groups.at(group)?.pointee.isSealed = true
        removeIfComplete(group, &changes)
        return changes
    }

    /// Creates a sealed group of existing runs.
    mutating func gather(_ members: some Sequence<RunID>, as group: GroupID, _ awaiter: Awaiter) -> Changes {
        openGroup(group, awaiter)
        for member in members where runs.contains(member) {
            groups.at(group)?.pointee.members.insert(member)
            runs.at(member)?.pointee.drains.append(group)
        }
        return sealGroup(group)
    }

    /// Removes a group whose members continue, and returns it. Nothing waits for it any more.
    mutating func dissolveGroup(_ group: GroupID) -> Completed? {
        guard let removed = groups.remove(group) else { return nil }
        for waiter in removed.waiters { removeFirst(group, from: waiter) }
        return Completed(group: group, awaiter: removed.awaiter, summary: removed.summary)
    }

    /// Notes how a member of a group ended, or why it was not started.
    mutating func note(_ result: RunResult, of kind: RunKind, in group: GroupID) {
        groups.at(group)?.pointee.summary.note(result, of: kind)
    }

    mutating func removeIfComplete(_ group: GroupID, _ changes: inout Changes) {
        guard groups.at(group)?.pointee.isComplete == true, let completed = dissolveGroup(group) else { return }
        changes.completed.append(completed)
    }

    func removeFirst(_ group: GroupID, from run: RunID) {
        if let found = runs.at(run), let index = found.pointee.waitsFor.firstIndex(of: group) {
            found.pointee.waitsFor.remove(at: index)
        }
    }
}

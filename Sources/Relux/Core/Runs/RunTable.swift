/// The number of a run, in the order in which runs were created. Never 0.
typealias RunID = UInt64
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
/// What it knows about a run and about a group is stored in their ``RunHandle`` and ``Completion``, so that each is one
/// object. It never looks at anything else in them.
///
/// It is not copyable, so that it is never copied by accident.
struct RunTable: ~Copyable {
    /// A run that was halted.
    struct Halt: Sendable {
        let run: RunHandle
        let ending: RunEnding
        /// Whether the run had started: if so, its task still exists, and must be cancelled and awaited.
        let hadStarted: Bool
    }

    /// What to do after a transition, in this order.
    struct Changes: ~Copyable, Sendable {
        var halts = TinyList<Halt>()
        /// The runs whose turn has come.
        var starts: [RunHandle] = []
        /// The groups whose last member is gone.
        var completed = TinyList<Completion>()

        var isEmpty: Bool { halts.isEmpty && starts.isEmpty && completed.isEmpty }
    }

    // Only methods of this type change these. They are not private because its roles have files of their own; the
    // registry keeps the table itself private.
    var runs = SerialMap<RunHandle>()
    /// The number of groups that are open or have members.
    var groupCount = 0
    var lanes = SerialMap<RunLane>()
    /// The lanes of sagas whose policies have neither a name nor an id, by the sagas.
    var plainLaneIDs = SerialMap<LaneID>()
    /// The other lanes by their keys. Each key is hashed once for each admission, because that is expensive.
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
    func isLive(_ run: RunID) -> Bool { runs.at(run)?.pointee.isLive == true }

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

    /// The groups that have members.
    var groups: [Completion] {
        var seen: Set<ObjectIdentifier> = []
        return runs.values.flatMap { ($0.entry.group.map { [$0] } ?? []) + $0.entry.drains }
            .filter { $0.entry.isOpen && seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Opens a group, to which runs can be added until it is sealed.
    mutating func open(_ group: Completion) {
        group.entry.isOpen = true
        groupCount += 1
    }

    /// Changes what is known about how a group ends.
    func updateSummary(of group: Completion, _ change: (inout GroupSummary) -> Void) {
        if group.entry.isOpen { change(&group.entry.result) }
    }

    /// Closes a group to further members.
    mutating func seal(_ group: Completion) -> Changes {
        var changes = Changes()
        group.entry.isSealed = true
        removeIfComplete(group, &changes)
        return changes
    }

    /// Makes existing runs members of a new group, and seals it.
    mutating func gather(_ members: some Sequence<RunID>, in group: Completion) -> Changes {
        open(group)
        for member in members {
            guard let run = runs[member] else { continue }
            group.entry.members.insert(member)
            run.entry.drains.append(group)
        }
        return seal(group)
    }

    /// Removes a group, even if its members continue. Nothing waits for it any more.
    ///
    /// - Returns: Whether it was there.
    mutating func dissolve(_ group: Completion) -> Bool {
        guard group.entry.isOpen else { return false }
        group.entry.isOpen = false
        groupCount -= 1
        if !group.entry.waiters.isEmpty {
            for waiter in group.entry.waiters { removeFirst(group, from: waiter) }
            group.entry.waiters = []
        }
        return true
    }

    /// Notes how a member of a group ended, or why it was not started.
    func note(_ result: RunResult, of kind: RunKind, in group: Completion?) {
        if let group, group.entry.isOpen { group.entry.result.note(result, of: kind) }
    }

    mutating func removeIfComplete(_ group: Completion, _ changes: inout Changes) {
        if group.entry.isSealed, group.entry.members.isEmpty, dissolve(group) { changes.completed.append(group) }
    }

    func removeFirst(_ group: Completion, from run: RunID) {
        if let found = runs[run], let index = found.entry.waitsFor.firstIndex(where: { $0 === group }) {
            found.entry.waitsFor.remove(at: index)
        }
    }
}

/// The table of runs: who runs, who waits its turn, who belongs to whom, and who waits for whom.
///
/// A pure value, which nothing copies by the way. It decides and returns what there is to do; the store does it
/// afterwards: start tasks, cancel them, resume the waiting. So every policy, cancellation and cycle can be tested
/// without a task.
///
/// The words: a *run* is one execution of a saga, set off by one trigger. A *lane* is the runs of one saga with one
/// policy id. A *group* is what can be awaited together: the runs that one action or batch set off, or the ones that a
/// reset waits for. A run *performs* its children: they belong to groups that it awaits, and are cancelled with it.
struct RunTable: ~Copyable, Sendable {
    /// A run, in the order of their making.
    typealias RunID = UInt64
    /// A group of runs.
    typealias GroupID = UInt64
    /// One registration of one saga.
    typealias ResponderID = UInt64

    /// Why a run that had not ended by itself was ended.
    enum Ending: Sendable, Equatable {
        case cancelled
        case superseded
    }

    /// Where a run stands.
    enum Phase: Sendable, Equatable {
        /// Waits for its deadline.
        case pending
        /// Waits for the runs before it in its lane.
        case queued
        case active
        /// Cancelled or superseded, but its task has not ended yet. It may not write any more.
        case dying(Ending)
    }

    struct Run: Sendable {
        let responder: ResponderID
        let policy: Relux.Policy
        let group: GroupID
        var parent: RunID?
        var children = RunSet()
        var phase: Phase
        var isWatcher = false
        /// The groups that the run's task awaits, as often as it awaits them.
        var waitsFor: [GroupID] = []
        /// Further groups that this run belongs to.
        var drains: [GroupID] = []

        /// nil where the policy counts no other runs.
        var lane: LaneKey? {
            policy.kind == .concurrent ? nil : LaneKey(responder: responder, id: policy.id)
        }
    }

    struct Lane: Sendable {
        var active: [RunID] = []
        var dying: [RunID] = []
        var queue = Queue<RunID>()
        var pending: RunID?
        /// When the window of a throttle closes.
        var windowEnd: Duration?

        var isUnused: Bool { active.isEmpty && dying.isEmpty && queue.isEmpty && pending == nil }
    }

    struct LaneKey: Hashable, Sendable {
        let responder: ResponderID
        let id: AnySendableHashable?
    }

    struct Group: Sendable {
        var members = RunSet()
        /// Whether no further member can come.
        var isSealed = false
        /// Whether a member took the place of the run that performs it: the end of that one leaves the group alone.
        var isOrphaned = false
        /// The runs whose tasks await the group, as often as they do.
        var waiters: [RunID] = []

        var isComplete: Bool { isSealed && members.isEmpty }
    }

    /// What a policy made of a trigger.
    enum Placement: Sendable, Equatable {
        case start
        case queue
        case delay(until: Duration)
        case drop
    }

    /// A run that was ended from outside.
    struct Halt: Sendable, Equatable {
        let run: RunID
        let ending: Ending
        /// Whether it had started: then its task is still there, and has to be cancelled and awaited.
        let hadStarted: Bool
    }

    /// What there is to do after a change, in this order.
    struct Changes: Sendable, Equatable {
        var halted: [Halt] = []
        /// Runs whose turn has come.
        var starts: [RunID] = []
        /// Groups whose last member is gone.
        var completed = NumberList()
    }

    // Changed by the methods of this type only, which stand in several files.
    var runs = NumberMap<Run>()
    var lanes: [LaneKey: Lane] = [:]
    var groups = NumberMap<Group>()
    /// How many runs there are that aren't watchers.
    var busyCount = 0
    /// How many lanes may be kept until those are looked for of which only a past window is left.
    var laneLimit = 64

    /// Whether a run may still write.
    func isLive(_ run: RunID) -> Bool { runs.at(run)?.pointee.phase == .active }

    // MARK: Groups

    /// Makes a group to which runs can be added until it is sealed.
    mutating func openGroup(_ group: GroupID) {
        groups.set(group, to: Group())
    }

    /// Closes a group for further members.
    mutating func sealGroup(_ group: GroupID) -> Changes {
        var changes = Changes()
        groups.at(group)?.pointee.isSealed = true
        completeIfEmpty(group, &changes)
        return changes
    }

    /// Makes a sealed group of runs that are there already.
    mutating func gather(_ members: some Sequence<RunID>, as group: GroupID) -> Changes {
        openGroup(group)
        for member in members where runs.contains(member) {
            groups.at(group)?.pointee.members.insert(member)
            runs.at(member)?.pointee.drains.append(group)
        }
        return sealGroup(group)
    }

    mutating func completeIfEmpty(_ group: GroupID, _ changes: inout Changes) {
        guard let found = groups.at(group), found.pointee.isComplete else { return }
        for waiter in found.pointee.waiters { removeFirst(group, from: waiter) }
        groups.remove(group)
        changes.completed.append(group)
    }

    func removeFirst(_ group: GroupID, from run: RunID) {
        if let found = runs.at(run), let index = found.pointee.waitsFor.firstIndex(of: group) {
            found.pointee.waitsFor.remove(at: index)
        }
    }
}

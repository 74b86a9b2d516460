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
    private var laneLimit = 64

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

    // MARK: Triggers

    /// Takes in a run as its policy says.
    ///
    /// - Parameters:
    ///   - run: A new id, higher than all before.
    ///   - responder: The registration of the saga.
    ///   - policy: What the saga said of the trigger.
    ///   - group: An open group.
    ///   - parent: The run that performs it.
    ///   - isWatcher: Whether it doesn't count as busy.
    ///   - now: The time.
    /// - Returns: What becomes of the run, and what becomes of others. A parent among the superseded is parent no more.
    /// - Complexity: O(1), apart from the runs that it supersedes.
    mutating func admit(
        _ run: RunID, of responder: ResponderID, policy: Relux.Policy, group: GroupID, parent: RunID?,
        isWatcher: Bool = false, now: Duration
    ) -> (placement: Placement, changes: Changes) {
        var changes = Changes()
        if policy.kind == .concurrent {
            place(run, of: responder, policy, in: group, parent: parent, isWatcher: isWatcher, .active)
            return (.start, changes)
        }
        let key = LaneKey(responder: responder, id: policy.id)
        let lane = lanes[key]
        var placement = Placement.start
        var windowEnd = lane?.windowEnd
        switch policy.kind {
        case .concurrent:
            break
        case .latest:
            supersedeAll(in: lane, &changes)
        case .leading:
            if let lane, !lane.active.isEmpty || !lane.queue.isEmpty { return (.drop, changes) }
        case .serial:
            if let lane, !lane.active.isEmpty || !lane.dying.isEmpty || !lane.queue.isEmpty { placement = .queue }
        case .debounce(let delay):
            supersedePending(in: lane, &changes)
            placement = .delay(until: now + max(delay, .zero))
        case .throttle(let interval):
            supersedePending(in: lane, &changes)
            if let end = windowEnd, end > now {
                placement = .delay(until: end)
            } else {
                windowEnd = now + max(interval, .zero)
            }
        }

        let phase: Phase =
            switch placement {
            case .queue: .queued
            case .delay: .pending
            case .start, .drop: .active
            }
        place(run, of: responder, policy, in: group, parent: parent, isWatcher: isWatcher, phase)
        lanes[key, default: Lane()].windowEnd = windowEnd
        switch phase {
        case .queued: lanes[key]?.queue.append(run)
        case .pending: lanes[key]?.pending = run
        case .active, .dying: lanes[key]?.active.append(run)
        }
        sweepLanes(now: now)
        return (placement, changes)
    }

    private mutating func place(
        _ run: RunID, of responder: ResponderID, _ policy: Relux.Policy, in group: GroupID, parent: RunID?,
        isWatcher: Bool, _ phase: Phase
    ) {
        var living = parent
        if let parent {
            if isLive(parent) {
                runs.at(parent)?.pointee.children.insert(run)
            } else {
                living = nil
                groups.at(group)?.pointee.isOrphaned = true
            }
        }
        runs.set(
            run,
            to: Run(
                responder: responder, policy: policy, group: group, parent: living, phase: phase, isWatcher: isWatcher
            )
        )
        if !isWatcher { busyCount += 1 }
        groups.at(group)?.pointee.members.insert(run)
    }

    /// Starts a pending run whose deadline has come.
    ///
    /// - Returns: What there is to do; nothing if the run isn't pending any more.
    mutating func deadlineReached(_ run: RunID, now: Duration) -> Changes {
        var changes = Changes()
        guard let entry = runs[run], entry.phase == .pending else { return changes }
        let key = LaneKey(responder: entry.responder, id: entry.policy.id)
        lanes[key]?.pending = nil
        switch entry.policy.kind {
        case .debounce:
            supersedeAll(in: lanes[key], sparing: [run], &changes)
            if let parent = entry.parent, runs.at(parent)?.pointee.phase != .active { orphan(run, of: parent) }
        case .throttle(let interval):
            lanes[key]?.windowEnd = now + max(interval, .zero)
        case .concurrent, .latest, .leading, .serial:
            break
        }
        runs.at(run)?.pointee.phase = .active
        lanes[key, default: Lane()].active.append(run)
        changes.starts.append(run)
        return changes
    }

    private mutating func orphan(_ run: RunID, of parent: RunID) {
        runs.at(parent)?.pointee.children.remove(run)
        runs.at(run)?.pointee.parent = nil
        if let group = runs.at(run)?.pointee.group { groups.at(group)?.pointee.isOrphaned = true }
    }

    private mutating func supersedeAll(in lane: Lane?, sparing spared: Set<RunID> = [], _ changes: inout Changes) {
        guard let lane else { return }
        for run in lane.active { halt(run, as: .superseded, sparing: spared, &changes) }
        for run in lane.queue.elements { halt(run, as: .superseded, sparing: spared, &changes) }
        supersedePending(in: lane, &changes)
    }

    private mutating func supersedePending(in lane: Lane?, _ changes: inout Changes) {
        if let pending = lane?.pending { halt(pending, as: .superseded, &changes) }
    }

    /// Forgets lanes of which only a past window is left, once their number has doubled. Amortised O(1).
    private mutating func sweepLanes(now: Duration) {
        guard lanes.count > laneLimit else { return }
        lanes = lanes.filter { _, lane in !lane.isUnused || (lane.windowEnd.map { $0 > now } ?? false) }
        laneLimit = max(64, lanes.count * 2)
    }

    /// Lets the next trigger of each throttle run at once.
    mutating func closeWindows() {
        for key in lanes.keys { lanes[key]?.windowEnd = nil }
        lanes = lanes.filter { !$0.value.isUnused }
    }
}

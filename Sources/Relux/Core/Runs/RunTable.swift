/// The number of a run, in the order in which runs were created. Never 0.
typealias RunID = UInt64
/// The number of one registration of a saga, flow, or watcher. Never 0.
typealias SagaID = UInt64
/// The number of a group. Never 0.
typealias GroupID = UInt64

/// Ends a wait for an action or a state, because the run through whose context it was made has ended.
typealias RunWait = (isolated Core) -> Void

/// The table of runs: which run, which wait for their turn, which perform which, and which wait for which.
///
/// A pure state machine that owns its data, of which there is never a copy. Each transition decides and returns
/// ``Changes``, which the core carries out: starting and cancelling tasks, reducing cleanups, and resuming waiters.
/// Every policy, cancellation, and cycle can therefore be tested without a task.
///
/// - A *run* is one execution of a saga.
/// - A *trigger* is what a run exists for: the action that started it, and, if its policy is shared, the actions that
///   joined it. A trigger has the number that its run would have had. The run of the first trigger has that number,
///   too.
/// - A *lane* is the set of runs of one saga, or of the sagas that name the lane, with one policy id.
/// - A *group* is what can be awaited together: the triggers of one action or batch, the runs that a reset waits for,
///   or the saves of some states. It collects how they end.
/// - The *children* of a run are the triggers that it performs. They belong to groups that the run awaits, and are
///   cancelled with it.
struct RunTable: ~Copyable {
    // Runs and groups are objects, because an optional chain into a table of values would copy them.
    final class Run {
        let handle: RunHandle
        let runner: SagaRunner?
        var phase: RunPhase
        /// Nil until it has been created, which is right after the admission.
        var task: Task<Void, Never>?
        /// Fires when a queued run starts.
        let turn: Signal?
        /// Nil if the policy relates the run to no other.
        let lane: RunLane?
        /// First the one that started the run, unless it was withdrawn. By their numbers.
        var triggers = ArrivalList<RunTrigger>()
        var children: Set<RunID> = []
        /// The groups that the run's task awaits, and how often.
        var waitsFor: [GroupID: Int] = [:]
        /// Further groups that wait for the run.
        var drains: [GroupID] = []
        /// The waits for actions and states that end with the run, because they were made through its context.
        var waits = ArrivalList<RunWait>()

        init(for trigger: RunTrigger, _ phase: RunPhase, turn: Signal?, in lane: RunLane?) {
            (handle, runner, self.phase, self.turn, self.lane) = (trigger.handle, trigger.runner, phase, turn, lane)
            triggers.append(trigger, as: trigger.id)
        }
    }

    final class Group {
        let completion: Completion
        /// How the members have ended so far.
        var summary: GroupSummary
        /// Triggers, or the runs that a reset waits for, or savings, or ``idleness``.
        var members: Set<RunID> = []
        /// Whether no further members can be added.
        var isSealed = false
        /// Whether a member superseded the run that performs it. The end of that run then leaves the group alone.
        var isOrphaned = false
        /// The runs whose tasks await the group, and how often.
        var waiters: [RunID: Int] = [:]

        init(_ completion: Completion, answer: GroupSummary.Answer) {
            (self.completion, summary) = (completion, GroupSummary(answer: answer))
        }
    }

    /// The triggers of one registration of a saga.
    struct SagaTriggers {
        var all: Set<RunID> = []
        /// Those whose policies have an id.
        var byID: [AnySendableHashable: Set<RunID>] = [:]
    }

    /// What to do after a transition, in this order.
    struct Changes {
        /// The runs that were halted. If one had started, its task works, and ends it later.
        var halts: [(run: Run, ending: RunEnding, hadStarted: Bool)] = []
        /// The waits that end because their runs were halted or have ended.
        var endedWaits: [RunWait] = []
        /// The runs whose turn has come.
        var starts: [Run] = []
        /// The groups whose last member is gone.
        var completed: [(completion: Completion, summary: GroupSummary)] = []
        /// The runs that waited for the store to become idle, which can't happen any more before they end.
        var stuckIdlers: [Relux.RunRecord] = []
    }

    // Only methods of this type change these. They are not private because its roles have files of their own.
    var runs: [RunID: Run] = [:]
    /// The run of each trigger that has joined one.
    var joined: [RunID: RunID] = [:]
    var groups: [GroupID: Group] = [:]
    var lanes: [LaneKey: RunLane] = [:]
    var triggersOfLanes: [Relux.Lane: Set<RunID>] = [:]
    var triggersOfSagas: [SagaID: SagaTriggers] = [:]
    private var lastRun: RunID = 0
    private var lastGroup: GroupID = 0
    /// The lanes that runs have left in the present transition.
    var leftLanes: [RunLane] = []
    /// What the present transition has decided so far.
    var changes = Changes()
    /// The number of triggers that keep the store from being idle: neither watchers' nor in the background.
    var busyCount = 0
    /// The groups that wait for the store to become idle.
    private(set) var idlers: Set<GroupID> = []
    /// Those of them that runs wait for.
    private(set) var idlersOfRuns: Set<GroupID> = []
    /// The number of lanes at which the unused ones are removed.
    var laneLimit = 64

    /// - Returns: What is to be done after the present transition.
    mutating func endTransition() -> Changes {
        startQueued()
        defer { changes = Changes() }
        return changes
    }

    /// The number of a new run.
    mutating func nextRun() -> RunID {
        lastRun += 1
        return lastRun
    }

    // MARK: Queries

    /// Whether a run may still write.
    func isLive(_ run: RunID) -> Bool { runs[run]?.phase == .active }

    var isIdle: Bool { busyCount == 0 }

    /// All triggers, in order.
    var all: [RunID] { (Array(runs.keys) + joined.keys).sorted() }

    func trigger(_ id: RunID) -> RunTrigger? { runs[joined[id] ?? id]?.triggers[id] }

    func record(of id: RunID) -> Relux.RunRecord? { (runs[id]?.handle ?? trigger(id)?.handle)?.record }

    /// The triggers of registrations, in order.
    func triggers(of sagas: some Sequence<SagaID>) -> [RunID] {
        sagas.flatMap { triggersOfSagas[$0]?.all ?? [] }.sorted()
    }

    /// The triggers whose policies name a lane, in order.
    func triggers(in lane: Relux.Lane) -> [RunTrigger] {
        (triggersOfLanes[lane] ?? []).sorted().compactMap { trigger($0) }
    }

    /// The task of a run that was just admitted.
    mutating func note(_ task: Task<Void, Never>, of run: RunID) { runs[run]?.task = task }

    // MARK: Triggers

    /// Adds a trigger to the tables.
    mutating func note(_ trigger: RunTrigger) {
        if let parent = trigger.parent {
            if isLive(parent) {
                runs[parent]?.children.insert(trigger.id)
            } else {
                trigger.parent = nil
                groups[trigger.group]?.isOrphaned = true
            }
        }
        if trigger.handle.isBusy { busyCount += 1 }
        groups[trigger.group]?.members.insert(trigger.id)
        let (saga, id) = (trigger.handle.saga, trigger.handle.policy.id)
        if let lane = trigger.handle.policy.lane { triggersOfLanes[lane, default: []].insert(trigger.id) }
        guard saga != 0 else { return }
        triggersOfSagas[saga, default: SagaTriggers()].all.insert(trigger.id)
        if let id { triggersOfSagas[saga]?.byID[id, default: []].insert(trigger.id) }
    }

    /// Removes a trigger from the tables, apart from its run.
    mutating func forget(_ trigger: RunTrigger) {
        joined[trigger.id] = nil
        if let parent = trigger.parent { runs[parent]?.children.remove(trigger.id) }
        if trigger.handle.isBusy { busyCount -= 1 }
        let (saga, id) = (trigger.handle.saga, trigger.handle.policy.id)
        triggersOfSagas[saga]?.all.remove(trigger.id)
        if let id {
            triggersOfSagas[saga]?.byID[id]?.remove(trigger.id)
            if triggersOfSagas[saga]?.byID[id]?.isEmpty == true { triggersOfSagas[saga]?.byID[id] = nil }
        }
        if triggersOfSagas[saga]?.all.isEmpty == true { triggersOfSagas[saga] = nil }
        if let lane = trigger.handle.policy.lane {
            triggersOfLanes[lane]?.remove(trigger.id)
            if triggersOfLanes[lane]?.isEmpty == true { triggersOfLanes[lane] = nil }
        }
        leave(trigger.group, trigger.id)
    }

    // MARK: Groups

    /// Opens a group, to which triggers can be added until it is sealed.
    mutating func openGroup(answer: GroupSummary.Answer = .nobody, _ core: Core) -> Completion {
        lastGroup += 1
        let completion = Completion(core, group: lastGroup)
        groups[lastGroup] = Group(completion, answer: answer)
        return completion
    }

    /// The current members of a group, in order.
    func members(of group: GroupID) -> [RunID] { groups[group]?.members.sorted() ?? [] }

    /// Changes what is known about how a group ends.
    mutating func updateSummary(of group: GroupID, _ change: (inout GroupSummary) -> Void) {
        if let group = groups[group] { change(&group.summary) }
    }

    /// Adds a member that is no run, and therefore waits for nothing.
    mutating func add(_ member: UInt64, to group: GroupID) { groups[group]?.members.insert(member) }

    /// Ends a member that is no run.
    mutating func end(_ member: UInt64, in group: GroupID, _ failure: (any Error)? = nil) -> Changes {
        if let failure { updateSummary(of: group) { $0.note(.failed(failure)) } }
        leave(group, member)
        return endTransition()
    }

    /// Closes a group to further members.
    mutating func seal(_ group: GroupID) -> Changes {
        groups[group]?.isSealed = true
        removeIfComplete(group)
        return endTransition()
    }

    /// Makes existing runs members of a new group, and seals it.
    mutating func gather(_ members: [RunID], _ core: Core) -> Completion {
        let completion = openGroup(core)
        groups[completion.group]?.members = Set(members)
        groups[completion.group]?.isSealed = true
        for member in members { runs[member]?.drains.append(completion.group) }
        return completion
    }

    /// The member of a group that waits for the store to become idle. It ends when nothing is busy.
    static let idleness: RunID = 0

    /// Opens a group that waits for the store to become idle.
    ///
    /// - Parameter run: The run that is going to wait for the group; 0 if none is.
    mutating func gatherIdleness(for run: RunID, _ core: Core) -> Completion {
        let completion = gather([Self.idleness], core)
        idlers.insert(completion.group)
        if run != 0 { idlersOfRuns.insert(completion.group) }
        return completion
    }

    /// Fulfils a group now, even if its members continue.
    mutating func dissolve(_ group: GroupID) {
        guard let removed = groups.removeValue(forKey: group) else { return }
        idlers.remove(group)
        idlersOfRuns.remove(group)
        for waiter in removed.waiters.keys { runs[waiter]?.waitsFor[group] = nil }
        changes.completed.append((removed.completion, removed.summary))
    }

    /// Notes in its group how a trigger has ended.
    mutating func note(_ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil, of trigger: RunTrigger) {
        guard !trigger.isAside else { return }
        updateSummary(of: trigger.group) { $0.note(outcome, output, isAnswer: trigger.handle.isAnswering) }
    }

    mutating func leave(_ group: GroupID, _ member: RunID) {
        groups[group]?.members.remove(member)
        removeIfComplete(group)
    }

    private mutating func removeIfComplete(_ id: GroupID) {
        if let group = groups[id], group.isSealed, group.members.isEmpty { dissolve(id) }
    }

    // MARK: Waits that end with a run

    /// Ends a wait when a run has ended or has been halted.
    ///
    /// - Parameter end: Ends the wait.
    /// - Returns: The number of the wait; nil if the run is not live, so that nothing was added.
    mutating func addWait(of run: RunID, _ end: @escaping RunWait) -> UInt64? {
        isLive(run) ? runs[run]?.waits.append(end) : nil
    }

    mutating func removeWait(_ number: UInt64, of run: RunID) { runs[run]?.waits.remove(number) }
}

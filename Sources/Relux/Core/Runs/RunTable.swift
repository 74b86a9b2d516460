/// Runs: which run, which wait for their turn, which perform which, and which wait for which.
///
/// - Owns: all runs, with their lanes and groups, and the registered sagas as far as their runs are concerned
///   (``SagaRunner``).
/// - Promises: a pure state machine. Each transition decides, and returns ``Changes``, which say what is left to do:
///   starting queued runs, cancelling tasks, reducing what accompanies runs, resuming waiters. Every policy,
///   cancellation, and cycle can therefore be tested without a task.
/// - Called by: no other part.
///
/// Terms:
///
/// - A *run* is one execution of a saga. A *trigger* is what a run works for: its own action, and, if its policy is
///   shared, the actions that have joined it. Each trigger is a ``Run``; one that has joined another has no task.
/// - A *lane* is the set of runs of one saga, or of the sagas that name the lane, with one policy id.
/// - A *group* is what can be awaited together: the triggers of one action or batch, the runs that a reset waits for,
///   the saves of some states, or the idleness of the store. It collects how they end.
/// - What a run *performs* are the members of groups whose performer it is. They are cancelled with it.
struct RunTable {
    /// The work that is left after a transition, in this order.
    struct Changes {
        /// The runs that were halted. If one had started, its task works, and ends it later.
        var halts: [Halt] = []
        /// The waits that end because their runs were halted or have ended.
        var endedWaits: [() -> Void] = []
        /// The runs whose turn has come.
        var starts: [Run] = []
        /// The groups whose last member is gone.
        var completed: [Group] = []
        /// The runs that waited for the store to become idle, which can't happen any more before they end.
        var stuckIdlers: [Run] = []
    }

    /// A run that was halted, with its saga and its task, which it has lost if it is over.
    typealias Halt = (run: Run, runner: SagaRunner?, task: Task<Void, Never>?, ending: RunEnding, hadStarted: Bool)

    /// All triggers that have not ended.
    private var table = NumberMap<Run>()
    /// The lanes of policies with an id, by saga, and those with a name under 0. Each saga has the one for policies
    /// without either.
    private var lanes: [UInt64: [LaneKey: RunLane]] = [:]
    private var laneCount = 0
    /// The number of lanes at which the unused ones are removed.
    private var laneLimit = 64
    private var triggersOfLanes: [Relux.Lane: RunSet] = [:]
    /// The lanes that runs have left in the present transition.
    private var leftLanes: [RunLane] = []
    /// The decisions of the present transition so far.
    private var changes = Changes()
    /// The number of triggers that keep the store from being idle: neither watchers' nor in the background.
    private var busyCount = 0
    /// The groups that wait for the store to become idle.
    private(set) var idlers = ArrivalList<Group>()

    // MARK: Queries

    subscript(id: RunID) -> Run? { id == 0 ? nil : table[id] }

    /// The runs on whose behalf and in whose tasks a caller calls.
    func runs(of caller: Caller) -> [Run] { [self[caller.run], self[caller.waiter]].compactMap { $0 } }

    /// Whether a run may still write.
    func isLive(_ id: RunID) -> Bool { table[id]?.isActive == true }

    /// The run that has listened for a caller: that of its context, or the one that its timeout is in; nil if there is
    /// none.
    func listener(for caller: Caller) -> Run? { caller.context.flatMap { self[$0.id]?.owner } }

    var isEmpty: Bool { table.isEmpty }

    var isIdle: Bool { busyCount == 0 }

    /// All triggers, in order.
    var all: [Run] { table.values.sorted { $0.id < $1.id } }

    /// All groups that something waits for or has triggered, apart from those of saves, in order. Those of several runs
    /// occur several times.
    var allGroups: [Group] { all.flatMap { [$0.group].compactMap { $0 } + $0.drains } + idlers.elements }

    /// The triggers whose policies name a lane, in order.
    func triggers(in lane: Relux.Lane) -> [Run] { triggersOfLanes[lane]?.sorted ?? [] }

    /// The triggers of some sagas, in order.
    static func triggers(of runners: some Sequence<SagaRunner>) -> [Run] {
        runners.flatMap(\.triggers.sorted).sorted { $0.id < $1.id }
    }

    /// The triggers that keep the store from being idle, and the runs that work for them, in order.
    var busy: [Run] { all.filter { $0.isBusy && ($0.group != nil || $0.target.triggers.contains(where: \.isBusy)) } }

    // MARK: Transitions

    /// Ends a transition: starts the queued runs whose turn has come, first in, first out, and removes lanes of which
    /// nothing is left. Not before, because a run that is still to be halted must not start.
    ///
    /// - Returns: The work that is left.
    mutating func endTransition() -> Changes {
        while let lane = leftLanes.popLast() {
            while let next = lane.queue.first, lane.hasRoom(below: next.policy.kind.limit) {
                activate(next)
            }
            removeIfUnused(lane)
        }
        defer { changes = Changes() }
        return changes
    }

    /// Starts a run whose turn or deadline has come.
    mutating func activate(_ run: Run) {
        move(run, to: .active)
        changes.starts.append(run)
    }

    mutating func add(_ halt: Halt) { changes.halts.append(halt) }

    /// Ends the waits that were made through the context of a run.
    mutating func endWaits(of run: Run) {
        if !run.waits.isEmpty { changes.endedWaits += run.waits.removeAll() }
    }

    // MARK: Lanes

    /// The lane of a run, created if there is none.
    ///
    /// - Complexity: O(1), amortised: lanes of which only a window is left that is past or concerns no saga any more
    ///   are removed once the number of lanes has doubled.
    mutating func lane(for run: Run, now: () -> Duration) -> RunLane {
        if run.policy.isPlain, let lane = run.runner?.lane { return lane }
        let key = LaneKey(of: run)
        if let lane = lanes[key.saga]?[key] { return lane }
        if laneCount > laneLimit {
            let now = now()
            for lane in lanes.values.flatMap(\.values) where (lane.windowEnd ?? now) <= now { closeWindow(of: lane) }
            laneLimit = max(64, laneCount * 2)
        }
        let lane = RunLane(key)
        lanes[key.saga, default: [:]][key] = lane
        laneCount += 1
        return lane
    }

    private mutating func removeIfUnused(_ lane: RunLane) {
        // There may be a newer one with the same key.
        guard let key = lane.key, lane.isUnused, lane.windowEnd == nil, lanes[key.saga]?[key] === lane else { return }
        lanes[key.saga]?[key] = nil
        laneCount -= 1
        if lanes[key.saga]?.isEmpty == true { lanes[key.saga] = nil }
    }

    private mutating func closeWindow(of lane: RunLane) {
        lane.windowEnd = nil
        removeIfUnused(lane)
    }

    /// Lets a run enter another phase, in its lane, too. The lane may then have room for others.
    mutating func move(_ run: Run, to phase: RunPhase) {
        run.lane?.remove(run)
        if let lane = run.lane { leftLanes.append(lane) }
        run.phase = phase
        run.lane?.insert(run)
    }

    /// Lets the next trigger of each throttle of some sagas run at once: these are reset, or were removed.
    ///
    /// - Parameters:
    ///   - scopes: Where this concerns named lanes, too.
    ///   - areAll: Whether all windows of these lanes close, whichever sagas have opened them.
    mutating func closeWindows(of runners: [SagaRunner], in scopes: Set<UInt64> = [], areAll: Bool = false) {
        for runner in runners {
            runner.lane.windowEnd = nil
            for lane in lanes[runner.id, default: [:]].values { closeWindow(of: lane) }
        }
        // A removal doesn't look at all named lanes.
        guard !scopes.isEmpty else { return }
        for (key, lane) in lanes[0, default: [:]] where scopes.contains(key.scope) {
            if areAll || runners.contains(where: { $0.id == lane.opener }) { closeWindow(of: lane) }
        }
    }

    // MARK: Triggers

    /// Adds a trigger.
    mutating func insert(_ run: Run, _ phase: RunPhase, in lane: RunLane? = nil) {
        table[run.id] = run
        (run.phase, run.lane) = (phase, lane)
        if phase == .queued || phase == .pending { run.turn = Signal() }
        lane?.insert(run)
        if run.isBusy { busyCount += 1 }
        if let group = run.group {
            group.members.insert(run)
            group.openCount += 1
        }
        if let lane = run.policy.lane { triggersOfLanes[lane, default: RunSet()].insert(run) }
        run.runner?.triggers.insert(run)
        if let id = run.policy.id { run.runner?.triggersByID[id, default: RunSet()].insert(run) }
    }

    /// Ends a trigger, although the run that it has started may go on for others.
    mutating func endTrigger(_ run: Run, _ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil) {
        guard let group = run.group else { return }
        note(outcome, output, of: run)
        if run.isBusy { busyCount -= 1 }
        if let lane = run.policy.lane, triggersOfLanes[lane]?.remove(run) == true { triggersOfLanes[lane] = nil }
        run.group = nil
        if case .joined(let target) = run.phase {
            target.joined.remove(run.id)
            remove(run)
        }
        group.members.remove(run)
        leave(group)
    }

    /// Forgets a run that has ended, which then refers to nothing.
    mutating func remove(_ run: Run) {
        table.removeValue(forKey: run.id)
        if let runner = run.runner {
            runner.triggers.remove(run)
            if let id = run.policy.id, runner.triggersByID[id]?.remove(run) == true { runner.triggersByID[id] = nil }
        }
        move(run, to: .ended)
        (run.runner, run.lane, run.task) = (nil, nil, nil)
    }

    // MARK: Groups

    /// Notes in its group how a trigger has ended.
    func note(_ outcome: Relux.RunOutcome, _ output: (any Sendable)? = nil, of run: Run) {
        if !run.isAside { run.group?.note { $0.note(outcome, output, isAnswer: run.isAnswering) } }
    }

    /// Ends a member that is no run.
    mutating func endMember(of group: Group, _ failure: (any Error)? = nil) -> Changes {
        if let failure { group.note { $0.note(.failed(failure)) } }
        leave(group)
        return endTransition()
    }

    /// Closes a group to further members.
    mutating func seal(_ group: Group) -> Changes { endMember(of: group) }

    /// Makes a group that waits for some runs.
    func gather(_ runs: [Run]) -> Group {
        let group = Group()
        (group.drained, group.openCount) = (runs, runs.count)
        for run in runs { run.drains.append(group) }
        return group
    }

    /// Makes a group that waits for the store to become idle.
    mutating func gatherIdleness() -> Group {
        let group = Group()
        group.placeAmongIdlers = idlers.append(group)
        return group
    }

    /// A member has ended, or the group is closed to further ones.
    mutating func leave(_ group: Group) {
        group.openCount -= 1
        if group.openCount == 0 { complete(group) }
    }

    /// Completes a group, even if its members continue.
    mutating func complete(_ group: Group) {
        guard !group.isComplete else { return }
        group.isComplete = true
        if group.isIdleness { idlers.remove(group.placeAmongIdlers) }
        group.removeAllWaits()
        group.setPerformer(nil)
        group.drained = []
        changes.completed.append(group)
    }

    mutating func report(stuck run: Run) { changes.stuckIdlers.append(run) }

    // MARK: Waits that end with a run

    /// Adds a wait that ends when a run has ended or has been halted.
    ///
    /// - Returns: The number of the wait; nil if the run is not live, so that nothing was added.
    ///
    /// - Parameter end: Ends the wait.
    func addWait(of id: RunID, endedBy end: @escaping () -> Void) -> UInt64? {
        isLive(id) ? table[id]?.waits.append(end) : nil
    }

    func removeWait(_ number: UInt64, of id: RunID) { table[id]?.waits.remove(number) }
}

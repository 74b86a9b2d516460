import ReluxTesting
import Testing

@testable import Relux

/// What a store would know about its runs, maintained independently of the table.
struct RunTableModel: ~Copyable {
    /// What waits for its end in a group.
    enum Member: Hashable {
        case trigger(RunID)
        /// A run that the group only drains.
        case run(RunID)
        /// The store is not idle.
        case idleness
    }

    struct Trigger {
        let saga: Int
        let policy: Relux.Policy
        let group: Group
        /// The run that it started or joined.
        let run: RunID

        /// Saga 3 is a watcher, and saga 0 stands for timeouts.
        var isBusy: Bool { saga != 3 && !policy.isBackground }
    }

    var table = RunTable()
    private(set) var now = Duration.zero
    private var random: SeededGenerator
    private let numbers = RunNumbers()
    let sagas: [Int: SagaRunner]

    private(set) var lastRun: RunID = 0
    /// The groups that are not complete, and what is missing.
    private(set) var groups: [ObjectIdentifier: (group: Group, missing: Set<Member>)] = [:]
    /// The triggers that have not ended.
    private(set) var triggers: [RunID: Trigger] = [:]
    /// How each trigger ended. One that ends twice is an error.
    private(set) var gone: [RunID: String] = [:]
    private(set) var started: Set<RunID> = []
    private(set) var halted: Set<RunID> = []
    /// The runs that have made their last step, and whose tasks may still work.
    private(set) var finished: Set<RunID> = []
    private var deadlines: [RunID: Duration] = [:]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        sagas = Dictionary(
            uniqueKeysWithValues: (1...9).map { id in
                // Saga 3 is a watcher.
                let saga = WorkSaga { _, _ in }
                return (id, id == 3 ? SagaRunner(ClosureWatcher { _ in }, id: 3) : SagaRunner(saga, id: UInt64(id)))
            }
        )
    }

    /// The runs, without the triggers that have joined others.
    var runs: [Run] { table.all.filter { $0.target === $0 } }

    /// The groups in the order in which they were made, as far as that matters: by what is missing.
    private var openGroups: [Group] { order.filter { groups[ObjectIdentifier($0)] != nil } }
    private var order: [Group] = []

    private mutating func add(_ group: Group, missing: Set<Member>) {
        groups[ObjectIdentifier(group)] = (group, missing)
        order.append(group)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
}

// MARK: - Operations

extension RunTableModel {
    mutating func step() {
        now += .milliseconds(Int.random(in: 0...300, using: &random))
        switch Int.random(in: 0..<15, using: &random) {
        case 0...3: admit()
        case 4: reachDeadline()
        case 5...6: if let run = pick(runs.filter { started.contains($0.id) }) { end(run) }
        case 7: if let target = pick(table.all) { note(table.cancel([target])) }
        case 8: if let group = pick(openGroups) { note(table.cancel(group)) }
        case 9: if Bool.random(using: &random), let group = pick(openGroups) { abandon(group) }
        case 10...11: if let group = pick(openGroups), let run = pick(waiters) { wait(run, for: group) }
        case 12: if let run = pick(waiters) { waitForIdleness(run) }
        case 13: if let run = pick(runs.filter(\.isActive)) { finish(run) }
        default:
            switch Int.random(in: 0..<4, using: &random) {
            case 0: table.closeWindows(of: Array(sagas.values), in: [0], areAll: true)
            case 1: gather()
            default: stopWaiting()
            }
        }
        if table.isIdle { for group in table.idlers { becomeIdle(group) } }
    }

    mutating func endEverything() {
        note(table.cancel(table.all))
        while let run = runs.first { end(run) }
        for group in table.idlers { becomeIdle(group) }
        table.closeWindows(of: Array(sagas.values), in: [0], areAll: true)
    }

    /// The policy of a trigger. Sagas 2 and 4 mix all policies, and some of their runs share a lane. The others have
    /// one policy each. Each uses two ids and none.
    private mutating func policy(of saga: Int) -> Relux.Policy {
        let id = Int.random(in: 0..<3, using: &random)
        switch saga {
        case 5: return id == 0 ? .concurrent(limit: 2) : .concurrent(limit: 2, id: id)
        case 6: return id == 0 ? .conflated : .conflated(id: id)
        case 8: return id == 0 ? .latest(limit: 2) : .latest(limit: 2, id: id)
        case 9: return id == 0 ? .leading(limit: 2) : .leading(limit: 2, id: id)
        case 7:
            let policy: Relux.Policy = id == 0 ? .shared : .shared(id: id)
            return Bool.random(using: &random) ? policy.background : policy
        case 2, 4:
            var policy = anyPolicy(id)
            if Bool.random(using: &random) { policy = policy.in(Self.lane) }
            return Bool.random(using: &random) ? policy.background : policy
        default: return id == 0 ? .serial : .serial(id: id)
        }
    }

    private static let lane = Relux.Lane("common")

    private mutating func anyPolicy(_ id: Int) -> Relux.Policy {
        let time = Duration.milliseconds(Int.random(in: -100...500, using: &random))
        let limit = Int.random(in: 0...3, using: &random)
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return .concurrent
        case 1: return id == 0 ? .latest(limit: limit) : .latest(limit: limit, id: id)
        case 2: return id == 0 ? .leading(limit: limit) : .leading(limit: limit, id: id)
        case 3: return id == 0 ? .serial : .serial(id: id)
        case 4: return id == 0 ? .debounce(time, keepingActive: flag) : .debounce(time, keepingActive: flag, id: id)
        case 5: return id == 0 ? .shared : .shared(id: id)
        case 6: return id == 0 ? .conflated : .conflated(id: id)
        case 7: return id == 0 ? .concurrent(limit: limit) : .concurrent(limit: limit, id: id)
        default: return id == 0 ? .throttle(time, trailing: flag) : .throttle(time, trailing: flag, id: id)
        }
    }

    private mutating func admit() {
        let isPerformed = Bool.random(using: &random)
        let group = Group(isPerformed: isPerformed)
        add(group, missing: [])
        let performer = isPerformed ? pick(runs.filter(\.isActive)) : nil
        group.setPerformer(performer)
        for _ in 0..<Int.random(in: 1...2, using: &random) { admit(into: group) }
        let seal = table.seal(group)
        note(seal)
        // A run awaits what it performs, unless that would be in vain, or another task awaits it.
        let isAwaited = Int.random(in: 0..<4, using: &random) > 0
        guard let performer, isAwaited, groups[ObjectIdentifier(group)] != nil, table[performer.id] === performer
        else { return }
        if !wait(performer, for: group) { abandon(group) }
    }

    private mutating func admit(into group: Group) {
        lastRun = numbers.next()
        let performer = group.performer.flatMap { $0.isActive ? $0 : nil }
        let saga = Int.random(in: (performer == nil ? 1 : 0)...9, using: &random)
        let policy: Relux.Policy = saga == 0 ? .concurrent : policy(of: saga)
        guard let runner = saga == 0 ? performer?.runner : sagas[saga] else { return }
        let run = Run(
            lastRun, runner, as: saga == 0 ? .timeout : nil, on: nil, numbered: nil, at: Relux.CallSite(), in: nil,
            numbered: 0, policy: policy, prefersExecutor: false, .closed
        )
        run.group = group
        let time = now
        let changes = table.admit(run, now: { time })
        var target = run.id
        switch run.phase {
        case .active: started.insert(run.id)
        case .queued: #expect(run.turn != nil)
        case .pending: deadlines[run.id] = run.deadline
        case .joined:
            target = run.target.id
            #expect(run.target.phase == .active || run.target.phase == .queued)
        case .ended: gone[run.id] = "dropped"
        case .finished, .dying: Issue.record("run \(run.id) was admitted as \(run.phase)")
        }
        if gone[run.id] == nil {
            triggers[run.id] = Trigger(saga: saga, policy: policy, group: group, run: target)
            groups[ObjectIdentifier(group)]?.missing.insert(.trigger(run.id))
        }
        note(changes, open: group)
    }

    private mutating func gather() {
        let members = runs.filter { _ in Bool.random(using: &random) }
        guard !members.isEmpty else { return }
        add(table.gather(members), missing: Set(members.map { .run($0.id) }))
    }

    private mutating func reachDeadline() {
        guard let due = pick(deadlines.filter { $0.value <= now }.keys.sorted()) else { return }
        deadlines[due] = nil
        guard let run = table[due] else { return }
        let wasPending = run.phase == .pending
        let changes = table.startPending([run], now: now)
        #expect(changes.starts.contains(run) == wasPending)
        note(changes)
    }

    private mutating func end(_ run: Run) {
        let id = run.id
        guard let ended = table.end(run, .finished) else {
            Issue.record("run \(id) had ended before")
            return
        }
        // What reaches a run after it has finished changes its outcome no more.
        let keepsOutcome = finished.contains(id) || !halted.contains(id)
        if case .finished = ended.outcome { #expect(keepsOutcome) } else { #expect(!keepsOutcome) }
        leaveAll(of: id, "ended")
        note(ended.changes)
    }

    /// A run makes its last step.
    private mutating func finish(_ run: Run) {
        let live = Set(runs.filter(\.isActive))
        let owner = run.owner
        let timeouts = runs.filter { $0.kind == .timeout && $0.owner === owner }
        let (ended, changes) = table.finish(run)
        #expect(live.isSuperset(of: ended) && ended.contains(run) && Set(ended).count == ended.count)
        // With it, the run that a timeout is in, and all timeouts of that.
        #expect(timeouts.allSatisfy { !$0.isActive } && !owner.isActive)
        #expect(ended.allSatisfy { $0 === owner || $0.kind == .timeout })
        finished.formUnion(ended.map(\.id))
        note(changes)
    }

    /// Completes a group although its runs may continue.
    private mutating func abandon(_ group: Group) {
        let changes = table.abandon(group)
        groups[ObjectIdentifier(group)]?.missing = []
        note(changes)
    }

    // MARK: Waiting

    /// The runs that have a task.
    private var waiters: [Run] { runs.filter { started.contains($0.id) } }

    /// - Returns: Whether the wait was added.
    @discardableResult
    private mutating func wait(_ run: Run, for group: Group) -> Bool {
        let missing = groups[ObjectIdentifier(group)]?.missing ?? []
        let isDeadlock = !endable(adding: [run.id: missing]).contains(run.id)
        let blockers = table.wait(run, for: group)
        #expect(blockers.isEmpty != isDeadlock)
        return blockers.isEmpty
    }

    private mutating func waitForIdleness(_ run: Run) {
        guard !table.isIdle else { return }
        let group = table.gatherIdleness()
        add(group, missing: [.idleness])
        if !wait(run, for: group) { abandon(group) }
    }

    /// A wait for idleness ends.
    private mutating func becomeIdle(_ group: Group) {
        groups[ObjectIdentifier(group)]?.missing = []
        note(table.endMember(of: group))
    }

    private mutating func stopWaiting() {
        guard let run = pick(runs) else { return }
        run.awaited.elements.first?.removeWait(of: run)
    }
}

// MARK: - What the table reports

extension RunTableModel {
    private mutating func leave(_ trigger: RunID, _ how: String) {
        #expect(gone[trigger] == nil, "trigger \(trigger) ended twice: \(gone[trigger] ?? ""), then \(how)")
        gone[trigger] = how
        if let group = triggers.removeValue(forKey: trigger)?.group {
            groups[ObjectIdentifier(group)]?.missing.remove(.trigger(trigger))
        }
    }

    /// A run is gone, and so are its triggers.
    private mutating func leaveAll(of run: RunID, _ how: String) {
        deadlines[run] = nil
        for trigger in triggers.keys.sorted() where triggers[trigger]?.run == run { leave(trigger, how) }
        for group in groups.keys { groups[group]?.missing.remove(.run(run)) }
    }

    /// Applies the changes that the table reported, and checks them against the model.
    ///
    /// - Parameter open: The group that is not sealed yet.
    private mutating func note(_ changes: RunTable.Changes, open: Group? = nil) {
        for halt in changes.halts {
            let run = halt.run.id
            #expect(halted.insert(run).inserted, "run \(run) was halted twice")
            #expect(halt.hadStarted == started.contains(run))
            #expect(halt.runner != nil)
            #expect((halt.ending == .finished) == finished.contains(run))
            if !halt.hadStarted { leaveAll(of: run, "never started") }
        }
        for run in changes.starts {
            #expect(started.insert(run.id).inserted, "run \(run.id) started twice")
            #expect(!halted.contains(run.id))
            #expect(table[run.id] == nil || run.isActive)
        }
        for (trigger, entry) in triggers where table[trigger]?.group == nil {
            // A halted run may have waited for itself alone.
            let isAwaited = table[entry.run]?.triggers.isEmpty == false || halted.contains(entry.run)
            #expect(isAwaited, "nobody waits for run \(entry.run)")
            leave(trigger, "withdrawn")
        }
        noteVainWaits(changes)
        let complete = groups.values.filter { $0.missing.isEmpty && $0.group !== open }.map(\.group)
        #expect(Set(changes.completed.map { ObjectIdentifier($0) }) == Set(complete.map { ObjectIdentifier($0) }))
        #expect(changes.completed.count == complete.count)
        for group in complete { groups[ObjectIdentifier(group)] = nil }
    }

    /// Waits for idleness have become vain: with them, their runs could never end.
    private mutating func noteVainWaits(_ changes: RunTable.Changes) {
        var waits: [RunID: Set<Member>] = [:]
        for group in changes.completed {
            guard case .serialCycle(let run, _)? = group.outcome.refusal else { continue }
            waits[run.id] = [.idleness]
            groups[ObjectIdentifier(group)]?.missing = []
        }
        #expect(Set(changes.stuckIdlers.map(\.id)) == Set(waits.keys))
        #expect(endable(adding: waits).isDisjoint(with: waits.keys))
    }
}

// MARK: - Invariants

extension RunTableModel {
    func check() {
        #expect(Set(table.all.map(\.id)) == Set(triggers.keys).union(runs.map(\.id)))
        #expect(triggers.count + gone.count == Int(lastRun))
        #expect(table.isIdle == !triggers.values.contains(where: \.isBusy))
        #expect(
            Set(table.idlers.map { ObjectIdentifier($0) }) == Set(groups.filter { $1.missing.contains(.idleness) }.keys)
        )
        let lanes = Core.lanes(of: table)
        for run in runs {
            check(run)
            if let lane = run.lane, lane.key != nil { #expect(lanes.contains { $0 === lane }) }
        }
        for (saga, runner) in sagas {
            // A run that works for others counts, although its own trigger was withdrawn.
            let own = table.all.filter { triggers[$0.id]?.saga == saga || $0.target === $0 && $0.runner === runner }
            #expect(runner.triggers.sorted == own)
            #expect(Set(runner.triggersByID.keys) == Set(own.compactMap(\.policy.id)))
        }
        let inLane = triggers.filter { $0.value.policy.lane != nil }.keys.sorted()
        #expect(table.triggers(in: Self.lane).map(\.id) == inLane)
        for (saga, runner) in sagas { check(runner.lane, of: saga) }
        for lane in lanes { if let saga = lane.key?.saga, saga != 0 { check(lane, of: Int(saga)) } }
        for (group, missing) in groups.values {
            #expect(group.members.sorted.map(\.id).allSatisfy { missing.contains(.trigger($0)) })
            #expect(group.openCount == missing.count)
        }
    }

    private func check(_ run: Run) {
        let lane = run.lane
        let isLaned = run.policy.kind.isRelated
        switch run.phase {
        case .pending: #expect(lane?.pending === run && !started.contains(run.id))
        case .queued: #expect(lane?.queue.elements.contains(run) == true && !started.contains(run.id))
        case .active: #expect((lane?.active.sorted.contains(run) ?? false) == isLaned && started.contains(run.id))
        case .finished: #expect(lane == nil && finished.contains(run.id) && !halted.contains(run.id))
        case .dying:
            let isInLane = isLaned && !finished.contains(run.id)
            #expect((lane?.dying.sorted.contains(run) ?? false) == isInLane && halted.contains(run.id))
        case .joined, .ended: Issue.record("no run")
        }
        let own = triggers.filter { $0.value.run == run.id }.keys.sorted()
        #expect(run.triggers.map(\.id) == own)
        #expect(!own.isEmpty || halted.contains(run.id))
        for trigger in run.triggers {
            guard let group = trigger.group, let performer = group.performer else { continue }
            #expect(performer.performed.elements.contains { $0 === group })
            if run.isActive, !group.isOrphaned { #expect(performer.phase.isAtWork) }
            // It would wait for itself, by way of a task that its cancellation doesn't reach.
            if halted.contains(run.id), !trigger.isAside { #expect(performer !== run) }
        }
        for group in run.performed.elements { #expect(group.performer === run) }
        for group in run.awaited.elements { #expect(group.waiters.contains(run)) }
    }

    private func check(_ lane: RunLane, of saga: Int) {
        let count = lane.active.count + lane.dying.count
        switch saga {
        case 1, 3: #expect(count <= 1, "two serial runs at a time")
        case 5: #expect(count <= 2, "too many runs at a time")
        case 6: #expect(count <= 1 && lane.queue.count <= 1, "too many conflated runs")
        case 7: #expect(lane.active.count <= 1, "a shared run that was not joined")
        case 8, 9: #expect(lane.active.count <= 2 && lane.queue.isEmpty, "too many active runs at a time")
        default: break
        }
        if let next = lane.queue.first {
            #expect(count >= next.policy.kind.limit, "nobody lets the queue go")
        }
    }

    func checkCycles() {
        #expect(endable() == Set(runs.map(\.id)), "some runs are part of a deadlock")
    }

    /// Returns the runs that can end, found forwards: from those that need nothing to those that need only these.
    ///
    /// - Parameter waits: What runs would wait for in addition.
    private func endable(adding waits: [RunID: Set<Member>] = [:]) -> Set<RunID> {
        let busy = triggers.values.filter(\.isBusy).map(\.run)
        func runs(of members: Set<Member>) -> [RunID] {
            members.flatMap { member in
                switch member {
                case .trigger(let trigger): (triggers[trigger]?.run).map { [$0] } ?? []
                case .run(let run): [run]
                case .idleness: busy
                }
            }
        }
        var endable: Set<RunID> = []
        while true {
            let more = self.runs.filter { candidate in
                guard !endable.contains(candidate.id) else { return false }
                switch candidate.phase {
                case .pending:
                    return true
                case .active, .finished, .dying:
                    let awaited = candidate.awaited.elements.map { groups[ObjectIdentifier($0)]?.missing ?? [] }
                    var needed = awaited.reduce(waits[candidate.id] ?? []) { $0.union($1) }
                    // A cancelled run no longer waits for idleness.
                    if !candidate.phase.isAtWork { needed.remove(.idleness) }
                    return endable.isSuperset(of: runs(of: needed))
                case .queued:
                    guard let lane = candidate.lane else { return false }
                    let remaining = (lane.active.sorted + lane.dying.sorted).count { !endable.contains($0.id) }
                    let queue = lane.queue.elements
                    let upToIt = queue[...(queue.firstIndex(of: candidate) ?? 0)]
                    return upToIt.allSatisfy { remaining < $0.policy.kind.limit }
                case .joined, .ended:
                    return false
                }
            }
            guard !more.isEmpty else { return endable }
            endable.formUnion(more.map(\.id))
        }
    }
}

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
        let saga: SagaID
        let policy: Relux.Policy
        let group: GroupID
        /// The run that it started or joined.
        let run: RunID

        /// Saga 3 is a watcher.
        var isBusy: Bool { saga != 3 && !policy.isBackground }
    }

    var table = RunTable()
    private(set) var now = Duration.zero
    private var random: SeededGenerator

    private(set) var lastRun: RunID = 0
    /// The groups that are not complete, and what is missing.
    private(set) var groups: [GroupID: Set<Member>] = [:]
    /// The triggers that have not ended.
    private(set) var triggers: [RunID: Trigger] = [:]
    /// How each trigger ended. One that ends twice is an error.
    private(set) var gone: [RunID: String] = [:]
    private(set) var started: Set<RunID> = []
    private(set) var halted: Set<RunID> = []
    private var deadlines: [RunID: Duration] = [:]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private var there: [RunID] { table.runs.keys.sorted() }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
}

// MARK: - Operations

extension RunTableModel {
    mutating func step() {
        now += .milliseconds(Int.random(in: 0...300, using: &random))
        switch Int.random(in: 0..<14, using: &random) {
        case 0...3: admit()
        case 4: reachDeadline()
        case 5...6: if let run = pick(there.filter { started.contains($0) }) { end(run) }
        case 7: if let target = pick(table.all) { note(table.cancel([target])) }
        case 8: if let group = pick(groups.keys.sorted()) { note(table.cancel(group: group)) }
        case 9: if Bool.random(using: &random), let group = pick(groups.keys.sorted()) { abandon(group) }
        case 10...11: if let group = pick(groups.keys.sorted()), let run = pick(waiters) { wait(run, for: group) }
        case 12: if let run = pick(waiters) { waitForIdleness(run) }
        default:
            switch Int.random(in: 0..<4, using: &random) {
            case 0: table.closeWindows { _ in true }
            case 1: gather()
            default: stopWaiting()
            }
        }
        if table.isIdle { for group in table.idlers.sorted() { becomeIdle(group) } }
    }

    mutating func endEverything() {
        note(table.cancel(table.all))
        while let run = there.first { end(run) }
        for group in table.idlers.sorted() { becomeIdle(group) }
        table.closeWindows { _ in true }
    }

    /// The policy of a trigger. Sagas 2 and 4 mix all policies, and some of their runs share a lane. The others have
    /// one policy each. Each uses two ids and none.
    private mutating func policy(of saga: SagaID) -> Relux.Policy {
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
        let group = table.openGroup(.closed).group
        groups[group] = []
        let performer = Bool.random(using: &random) ? pick(there.filter { table.isLive($0) }) : nil
        for _ in 0..<Int.random(in: 1...2, using: &random) { admit(into: group, below: performer) }
        let seal = table.seal(group)
        note(seal, sealing: group)
        // A run awaits what it performs, unless that would be in vain.
        if let performer, groups[group] != nil, table.runs[performer] != nil, !wait(performer, for: group) {
            abandon(group)
        }
    }

    private mutating func admit(into group: GroupID, below performer: RunID?) {
        lastRun = table.nextRun()
        let id = lastRun
        let saga = SagaID.random(in: 1...9, using: &random)
        let policy = policy(of: saga)
        let handle = RunHandle(
            MadeRecord.run(id, saga == 3 ? .watcher : .saga, trigger: nil), saga: saga, policy: policy, .closed
        )
        let parent = performer.flatMap { table.isLive($0) ? $0 : nil }
        let time = now
        let (placement, changes) = table.admit(
            RunTrigger(handle: handle, runner: nil, group: group, parent: parent), now: { time }
        )
        var run = id
        switch placement {
        case .start(.immediately): started.insert(id)
        case .start(.inTurn): #expect(table.runs[id]?.phase == .queued)
        case .start(.at(let deadline)): deadlines[id] = deadline
        case .join:
            run = table.joined[id] ?? 0
            let phase = table.runs[run]?.phase
            #expect(phase == .active || phase == .queued)
        case .drop: gone[id] = "dropped"
        }
        if gone[id] == nil {
            triggers[id] = Trigger(saga: saga, policy: policy, group: group, run: run)
            groups[group]?.insert(.trigger(id))
        }
        note(changes, sealing: nil, open: group)
    }

    private mutating func gather() {
        let members = there.filter { _ in Bool.random(using: &random) }
        guard !members.isEmpty else { return }
        let group = table.gather(members, .closed).group
        groups[group] = Set(members.map { .run($0) })
    }

    private mutating func reachDeadline() {
        guard let due = pick(deadlines.filter { $0.value <= now }.keys.sorted()) else { return }
        deadlines[due] = nil
        let wasPending = table.runs[due]?.phase == .pending
        let changes = table.deadlineReached(due, now: now)
        #expect((changes != nil) == wasPending)
        guard let changes else { return }
        #expect(changes.starts.contains { $0.handle.id == due })
        note(changes)
    }

    private mutating func end(_ run: RunID) {
        guard let ended = table.end(run, .finished) else {
            Issue.record("run \(run) had ended before")
            return
        }
        if case .finished = ended.outcome { #expect(!halted.contains(run)) } else { #expect(halted.contains(run)) }
        leaveAll(of: run, "ended")
        note(ended.changes)
    }

    /// Fulfils a group although its runs may continue.
    private mutating func abandon(_ group: GroupID) {
        let changes = table.abandon(group) { _ in }
        groups[group] = []
        note(changes)
    }

    // MARK: Waiting

    /// The runs that have a task.
    private var waiters: [RunID] { there.filter { started.contains($0) } }

    /// - Returns: Whether the wait was added.
    @discardableResult
    private mutating func wait(_ run: RunID, for group: GroupID) -> Bool {
        let isDeadlock = !endable(adding: [run: groups[group] ?? []]).contains(run)
        let blocker = table.wait(run, for: group)
        #expect((blocker != nil) == isDeadlock)
        return blocker == nil
    }

    private mutating func waitForIdleness(_ run: RunID) {
        guard !table.isIdle else { return }
        let group = table.gatherIdleness(for: run, .closed).group
        groups[group] = [.idleness]
        if !wait(run, for: group) { abandon(group) }
    }

    /// A wait for idleness ends.
    private mutating func becomeIdle(_ group: GroupID) {
        groups[group] = []
        note(table.end(RunTable.idleness, in: group))
    }

    private mutating func stopWaiting() {
        guard let run = pick(there) else { return }
        if let group = table.runs[run]?.waitsFor.keys.sorted().first { table.stopWaiting(run, for: group) }
    }
}

// MARK: - What the table reports

extension RunTableModel {
    private mutating func leave(_ trigger: RunID, _ how: String) {
        #expect(gone[trigger] == nil, "trigger \(trigger) ended twice: \(gone[trigger] ?? ""), then \(how)")
        gone[trigger] = how
        if let group = triggers.removeValue(forKey: trigger)?.group { groups[group]?.remove(.trigger(trigger)) }
    }

    /// A run is gone, and so are its triggers.
    private mutating func leaveAll(of run: RunID, _ how: String) {
        deadlines[run] = nil
        for trigger in triggers.keys.sorted() where triggers[trigger]?.run == run { leave(trigger, how) }
        for group in groups.keys { groups[group]?.remove(.run(run)) }
    }

    /// Applies the changes that the table reported, and checks them against the model.
    ///
    /// - Parameters:
    ///   - sealed: The group that was sealed.
    ///   - open: The group that is not sealed yet.
    private mutating func note(_ changes: RunTable.Changes, sealing sealed: GroupID? = nil, open: GroupID? = nil) {
        for halt in changes.halts {
            let run = halt.run.handle.id
            #expect(halted.insert(run).inserted, "run \(run) was halted twice")
            #expect(halt.hadStarted == started.contains(run))
            if !halt.hadStarted { leaveAll(of: run, "never started") }
        }
        for run in changes.starts.map(\.handle) {
            #expect(started.insert(run.id).inserted, "run \(run.id) started twice")
            #expect(!halted.contains(run.id))
            #expect(table.runs[run.id] == nil || table.isLive(run.id))
        }
        for (trigger, entry) in triggers where table.trigger(trigger) == nil {
            #expect(table.runs[entry.run]?.triggers.isEmpty == false, "nobody waits for run \(entry.run)")
            leave(trigger, "withdrawn")
        }
        noteVainWaits(changes)
        let complete = groups.filter { $0.value.isEmpty && $0.key != open }.keys.sorted()
        #expect(changes.completed.map(\.completion.group).sorted() == complete)
        for group in complete { groups[group] = nil }
    }

    /// Waits for idleness have become vain: with them, their runs could never end.
    private mutating func noteVainWaits(_ changes: RunTable.Changes) {
        var waits: [RunID: Set<Member>] = [:]
        for (completion, summary) in changes.completed {
            guard case .serialCycle(let run, _)? = summary.refusal else { continue }
            waits[run.id] = [.idleness]
            groups[completion.group] = []
        }
        #expect(Set(changes.stuckIdlers.map(\.id)) == Set(waits.keys))
        #expect(endable(adding: waits).isDisjoint(with: waits.keys))
    }
}

// MARK: - Invariants

extension RunTableModel {
    func check() {
        #expect(table.all == triggers.keys.sorted().union(with: there))
        #expect(triggers.count + gone.count == Int(lastRun))
        #expect(table.busyCount == triggers.values.count(where: \.isBusy))
        #expect(table.idlers == Set(groups.filter { $0.value.contains(.idleness) }.keys))
        #expect(table.idlersOfRuns == table.idlers)
        #expect(table.groups.keys.sorted() == groups.keys.sorted())
        for (run, entry) in table.runs { check(run, entry) }
        for saga in 1...9 as ClosedRange<SagaID> {
            let own = triggers.filter { $0.value.saga == saga }.keys.sorted()
            #expect(table.triggers(of: [saga]) == own)
        }
        let inLane = triggers.filter { $0.value.policy.lane != nil }.keys.sorted()
        #expect(table.triggers(in: Self.lane).map(\.id) == inLane)
        for lane in table.lanes.values { check(lane) }
    }

    private func check(_ run: RunID, _ entry: RunTable.Run) {
        let lane = entry.lane
        let isLaned = entry.handle.policy.kind.isRelated
        switch entry.phase {
        case .pending: #expect(lane?.pending == run && !started.contains(run))
        case .queued: #expect(lane?.queue.elements.contains(run) == true && !started.contains(run))
        case .active: #expect((lane?.active.contains(run) ?? false) == isLaned && started.contains(run))
        case .dying: #expect((lane?.dying.contains(run) ?? false) == isLaned && halted.contains(run))
        }
        let own = triggers.filter { $0.value.run == run }.keys.sorted()
        #expect(entry.triggers.elements.map(\.id) == own)
        #expect(!own.isEmpty || halted.contains(run))
        for trigger in entry.triggers.elements {
            guard let parent = trigger.parent else { continue }
            #expect(table.runs[parent]?.children.contains(trigger.id) == true)
            // Compared: to show a call, the macro would copy the table.
            if entry.phase == .active { #expect(table.isLive(parent) == true) }
        }
        for child in entry.children { #expect(table.trigger(child)?.parent == run) }
        for (group, count) in entry.waitsFor { #expect(table.groups[group]?.waiters[run] == count) }
    }

    private func check(_ lane: RunLane) {
        let count = lane.active.count + lane.dying.count
        switch lane.key.saga {
        case 1, 3: #expect(count <= 1, "two serial runs at a time")
        case 5: #expect(count <= 2, "too many runs at a time")
        case 6: #expect(count <= 1 && lane.queue.count <= 1, "too many conflated runs")
        case 7: #expect(lane.active.count <= 1, "a shared run that was not joined")
        case 8, 9: #expect(lane.active.count <= 2 && lane.queue.isEmpty, "too many active runs at a time")
        default: break
        }
        if let next = lane.queue.first, let entry = table.runs[next] {
            #expect(count >= entry.handle.policy.kind.limit, "nobody lets the queue go")
        }
    }

    func checkCycles() {
        #expect(endable() == Set(table.runs.keys), "some runs are part of a deadlock")
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
            let more = table.runs.keys.filter { candidate in
                guard !endable.contains(candidate), let entry = table.runs[candidate] else { return false }
                switch entry.phase {
                case .pending:
                    return true
                case .active, .dying:
                    var needed = Set(entry.waitsFor.keys.flatMap { groups[$0] ?? [] } + (waits[candidate] ?? []))
                    // A cancelled run no longer waits for idleness.
                    if entry.phase != .active { needed.remove(.idleness) }
                    return endable.isSuperset(of: runs(of: needed))
                case .queued:
                    guard let lane = entry.lane else { return false }
                    let remaining = lane.active.union(lane.dying).subtracting(endable).count
                    let queue = lane.queue.elements
                    let upToIt = queue[...(queue.firstIndex(of: candidate) ?? 0)]
                    return upToIt.allSatisfy { remaining < table.runs[$0]?.handle.policy.kind.limit ?? 0 }
                }
            }
            guard !more.isEmpty else { return endable }
            endable.formUnion(more)
        }
    }
}

extension [RunID] {
    /// Both, in order.
    fileprivate func union(with other: [RunID]) -> [RunID] { Set(self).union(other).sorted() }
}

import ReluxTesting
import Testing

@testable import Relux

/// Performs random operations and checks the invariants after each of them.
@Suite("Run table: random sequences of operations")
struct RunTableModelTests {
    /// What a store would know about its runs, maintained independently of the table.
    struct Model {
        let table = TestedRunTable()
        var now = Duration.zero
        var random: SeededGenerator
        var lastRun: RunID = 0
        var lastGroup: GroupID = 0

        /// The live runs, and the groups that wait for each of them.
        var groups: [GroupID: Set<RunID>] = [:]
        var sealed: Set<GroupID> = []
        var deadlines: [RunID: Duration] = [:]
        var started: Set<RunID> = []
        var halted: Set<RunID> = []
        /// The group of each run's own trigger, and the run that each join has joined.
        var homes: [RunID: GroupID] = [:]
        var targets: [RunID: RunID] = [:]
        /// How each run ended. A run that ends twice is an error.
        var gone: [RunID: String] = [:]

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
        }

        var live: [RunID] { table.runs.filter { $0.value.phase == .active }.keys.sorted() }
        var there: [RunID] { table.runs.keys.sorted() }

        mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
    }

    private static var seeds: Range<UInt64> {
        // A pure value has no races to find, and the thread sanitizer makes this ten times slower.
        #if RELUX_TSAN
            0..<4
        #else
            0..<40
        #endif
    }

    @Test("keeps all invariants", arguments: seeds)
    func promises(seed: UInt64) {
        var model = Model(seed: seed)

        for number in 0..<200 {
            model.step()
            model.check()
            if number.isMultiple(of: 10) { model.checkCycles() }
        }
        model.endEverything()

        #expect(model.table.runs.isEmpty)
        #expect(model.table.groups.isEmpty)
        #expect(model.table.busyCount == 0)
        #expect(model.table.lanes.values.allSatisfy { $0.isUnused })
        #expect(model.groups.isEmpty)
        #expect(model.gone.count == Int(model.lastRun))
    }
}

// MARK: - Operations

extension RunTableModelTests.Model {
    mutating func step() {
        now += .milliseconds(Int.random(in: 0...300, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3: admit()
        case 4: reachDeadline()
        case 5...6: end()
        case 7:
            if let run = pick(there) { note(Bool.random(using: &random) ? table.cancel([run]) : table.withdraw([run])) }
        case 8: if let group = pick(groups.keys.sorted()) { note(table.cancel(group: group)) }
        case 9...10: wait()
        default:
            switch Int.random(in: 0..<4, using: &random) {
            case 0: table.closeWindows()
            case 1: gather()
            default: stopWaiting()
            }
        }
    }

    /// Returns the policy of a trigger. Sagas 2 and 4 mix all policies, and some of their runs share a lane. Saga 3 is
    /// a watcher. The others have one policy each. Each uses two ids and none.
    private mutating func policy(of saga: SagaID) -> Relux.Policy {
        let id = Int.random(in: 0..<3, using: &random)
        switch saga {
        case 5: return id == 0 ? .concurrent(limit: 2) : .concurrent(limit: 2, id: id)
        case 6: return id == 0 ? .conflated : .conflated(id: id)
        case 7: return id == 0 ? .shared : .shared(id: id)
        case 2, 4:
            var policy = anyPolicy(id)
            if Bool.random(using: &random) { policy = policy.in(Relux.Lane("common")) }
            return Bool.random(using: &random) ? policy.background : policy
        default: return id == 0 ? .serial : .serial(id: id)
        }
    }

    private mutating func anyPolicy(_ id: Int) -> Relux.Policy {
        let time = Duration.milliseconds(Int.random(in: -100...500, using: &random))
        let limit = Int.random(in: 0...3, using: &random)
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return .concurrent
        case 1: return id == 0 ? .latest : .latest(id: id)
        case 2: return id == 0 ? .leading : .leading(id: id)
        case 3: return id == 0 ? .serial : .serial(id: id)
        case 4: return id == 0 ? .debounce(time, keepingActive: flag) : .debounce(time, keepingActive: flag, id: id)
        case 5: return id == 0 ? .shared : .shared(id: id)
        case 6: return id == 0 ? .conflated : .conflated(id: id)
        case 7: return id == 0 ? .concurrent(limit: limit) : .concurrent(limit: limit, id: id)
        default: return id == 0 ? .throttle(time, trailing: flag) : .throttle(time, trailing: flag, id: id)
        }
    }

    private mutating func admit() {
        lastGroup += 1
        let group = lastGroup
        groups[group] = []
        table.openGroup(group)
        let parent = Bool.random(using: &random) ? pick(live) : nil
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            lastRun += 1
            let run = lastRun
            let saga = SagaID.random(in: 1...7, using: &random)
            let (placement, changes) = table.admit(
                run, of: saga, policy: policy(of: saga), group: group,
                parent: parent.flatMap { table.isLive($0) ? $0 : nil }, isWatcher: saga == 3, now: now
            )
            switch placement {
            case .start: started.insert(run)
            case .queue: break
            case .delay(let deadline): deadlines[run] = deadline
            case .join: join(run)
            case .drop: leave(run, "dropped")
            }
            if placement != .drop { groups[group]?.insert(run) }
            homes[run] = group
            note(changes)
        }
        sealed.insert(group)
        note(table.sealGroup(group))
        // A run awaits what it performs.
        if let parent, groups[group] != nil { wait(parent, for: group) }
    }

    private mutating func join(_ run: RunID) {
        let target = table.target(of: run)
        targets[run] = target
        let phase = target.flatMap { table.runs[$0]?.phase }
        #expect(phase == .active || phase == .queued)
    }

    private mutating func gather() {
        lastGroup += 1
        let members = there.filter { _ in Bool.random(using: &random) }
        groups[lastGroup] = Set(members)
        sealed.insert(lastGroup)
        note(table.gather(members, as: lastGroup))
    }

    private mutating func reachDeadline() {
        guard let due = pick(deadlines.filter { $0.value <= now }.keys.sorted()) else { return }
        deadlines[due] = nil
        let wasPending = table.runs[due]?.phase == .pending
        let changes = table.deadlineReached(due, now: now)
        #expect(changes.starts.contains(due) == wasPending)
        note(changes)
    }

    private mutating func end() {
        // Only a run that has started has a task that can end.
        guard let run = pick(there.filter { started.contains($0) }) else { return }
        end(run)
    }

    private mutating func end(_ run: RunID) {
        let changes = table.end(run)
        leave(run, "ended")
        note(changes)
    }

    private mutating func wait() {
        guard let run = pick(there.filter { started.contains($0) }), let group = pick(groups.keys.sorted()) else {
            return
        }
        wait(run, for: group)
    }

    private mutating func wait(_ run: RunID, for group: GroupID) {
        guard table.runs[run] != nil, let members = groups[group] else { return }
        let isDeadlock = !endable(waiting: run, for: members).contains(run)
        #expect((table.wait(run, for: group) != nil) == isDeadlock)
    }

    private mutating func stopWaiting() {
        guard let run = pick(there), let group = table.runs[run]?.waitsFor.first else { return }
        table.stopWaiting(run, for: group)
    }

    mutating func endEverything() {
        note(table.cancel(there))
        while let run = there.first { end(run) }
    }
}

// MARK: - Invariants

extension RunTableModelTests.Model {
    private mutating func leave(_ run: RunID, _ how: String) {
        #expect(gone[run] == nil, "run \(run) ended twice: \(gone[run] ?? ""), then \(how)")
        gone[run] = how
        deadlines[run] = nil
        for group in groups.keys { groups[group]?.remove(run) }
        for join in targets.filter({ $0.value == run }).keys { leave(join, "ended with its run") }
        targets[run] = nil
    }

    /// Notes which joins and which triggers of shared runs were withdrawn.
    private mutating func noteWithdrawals() {
        for join in targets.keys.sorted() where table.runs[join] == nil { leave(join, "withdrawn") }
        for (run, entry) in table.runs where entry.group == 0 {
            #expect(halted.contains(run) || targets.values.contains(run), "nobody waits for run \(run)")
            if let home = homes[run] { groups[home]?.remove(run) }
        }
    }

    /// Applies the changes that the table reported, and checks them against the model.
    private mutating func note(_ changes: TestedRunTable.Changes) {
        for halt in changes.halted {
            #expect(halted.insert(halt.run).inserted, "run \(halt.run) was halted twice")
            #expect(halt.hadStarted == started.contains(halt.run))
            if !halt.hadStarted { leave(halt.run, "never started") }
        }
        for start in changes.starts {
            #expect(started.insert(start).inserted, "run \(start) started twice")
            #expect(!halted.contains(start))
        }
        noteWithdrawals()
        let complete = groups.filter { $0.value.isEmpty && sealed.contains($0.key) }.keys.sorted()
        #expect(changes.completed.sorted() == complete)
        for group in complete { groups[group] = nil }
    }

    func check() {
        #expect(table.busyCount == table.runs.values.count { $0.kind != .watcher && !$0.policy.isBackground })
        #expect(table.dyingCount == table.runs.values.count { if case .dying = $0.phase { true } else { false } })
        #expect(Set(table.runs.keys).isDisjoint(with: gone.keys))
        #expect(table.runs.count + gone.count == Int(lastRun))
        for (run, entry) in table.runs {
            checkPhase(of: run, entry)
            if entry.phase == .active, let parent = entry.parent { #expect(table.isLive(parent)) }
            for group in entry.waitsFor { #expect(table.groups[group]?.waiters.contains(run) == true) }
        }
        for (key, lane) in table.lanes {
            let count = lane.active.count + lane.dying.count
            switch key.saga {
            case 1, 3: #expect(count <= 1, "two serial runs at a time")
            case 5: #expect(count <= 2, "too many runs at a time")
            case 6: #expect(count <= 1 && lane.queue.count <= 1, "too many conflated runs")
            case 7: #expect(lane.active.count <= 1, "a shared run that was not joined")
            default: break
            }
            if let next = lane.queue.first, let entry = table.runs[next] {
                #expect(count >= entry.policy.kind.limit, "nobody lets the queue go")
            }
        }
    }

    func checkCycles() {
        #expect(endable() == Set(table.runs.keys), "some runs are part of a deadlock")
    }

    private func checkPhase(of run: RunID, _ entry: TestedRunTable.Run) {
        let lane = table.lanes[LaneKey(saga: entry.saga, entry.policy)]
        let isLaned = entry.policy.kind.isRelated
        switch entry.phase {
        case .pending: #expect(lane?.pending == run && !started.contains(run))
        case .queued: #expect(lane?.queue.elements.contains(run) == true && !started.contains(run))
        case .active: #expect((lane?.active.contains(run) ?? false) == isLaned && started.contains(run))
        case .joined:
            let target = targets[run].flatMap { table.runs[$0] }
            #expect(target != nil && !started.contains(run))
        case .dying: #expect((lane?.dying.contains(run) ?? false) == isLaned && halted.contains(run))
        case .absent: Issue.record("an absent run in the table")
        }
    }

    /// Returns the runs that can end, found forwards: from those that need nothing to those that need only these.
    ///
    /// - Parameters:
    ///   - run: A run that would wait for further runs.
    ///   - members: Those runs.
    private func endable(waiting run: RunID = 0, for members: Set<RunID> = []) -> Set<RunID> {
        var endable: Set<RunID> = []
        while true {
            let more = table.runs.keys.filter { candidate in
                guard !endable.contains(candidate), let entry = table.runs[candidate] else { return false }
                switch entry.phase {
                case .pending, .absent:
                    return true
                case .joined:
                    return targets[candidate].map { endable.contains($0) } ?? false
                case .active, .dying:
                    let needed = entry.waitsFor.flatMap { groups[$0] ?? [] } + (candidate == run ? Array(members) : [])
                    return endable.isSuperset(of: needed)
                case .queued:
                    guard let lane = table.lanes[LaneKey(saga: entry.saga, entry.policy)] else { return false }
                    let remaining = (lane.active + lane.dying).filter { !endable.contains($0) }.count
                    let queue = lane.queue.elements
                    let upToIt = queue[...(queue.firstIndex(of: candidate) ?? 0)]
                    return upToIt.allSatisfy { remaining < table.runs[$0]?.policy.kind.limit ?? 0 }
                }
            }
            guard !more.isEmpty else { return endable }
            endable.formUnion(more)
        }
    }
}

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
        case 7: if let run = pick(there) { note(table.cancel([run])) }
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

    /// Returns the policy of a trigger. Saga 1 is serial. Saga 2 mixes all policies. Each uses two ids and none. Saga 3
    /// is a watcher.
    private mutating func policy(of saga: SagaID) -> Relux.Policy {
        let id = Int.random(in: 0..<3, using: &random)
        let time = Duration.milliseconds(Int.random(in: -100...500, using: &random))
        if saga != 2 { return id == 0 ? .serial : .serial(id: id) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .concurrent
        case 1: return id == 0 ? .latest : .latest(id: id)
        case 2: return id == 0 ? .leading : .leading(id: id)
        case 3: return id == 0 ? .serial : .serial(id: id)
        case 4: return id == 0 ? .debounce(time) : .debounce(time, id: id)
        default: return id == 0 ? .throttle(time) : .throttle(time, id: id)
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
            let saga = SagaID.random(in: 1...3, using: &random)
            let (placement, changes) = table.admit(
                run, of: saga, policy: policy(of: saga), group: group,
                parent: parent.flatMap { table.isLive($0) ? $0 : nil }, isWatcher: saga == 3, now: now
            )
            switch placement {
            case .start: started.insert(run)
            case .queue: break
            case .delay(let deadline): deadlines[run] = deadline
            case .drop: leave(run, "dropped")
            }
            if placement != .drop { groups[group]?.insert(run) }
            note(changes)
        }
        sealed.insert(group)
        note(table.sealGroup(group))
        // A run awaits what it performs.
        if let parent, groups[group] != nil { wait(parent, for: group) }
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
        let isCircle = members.contains { reaches(run, from: $0) }
        #expect((table.wait(run, for: group) != nil) == isCircle)
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
        let complete = groups.filter { $0.value.isEmpty && sealed.contains($0.key) }.keys.sorted()
        #expect(changes.completed.sorted() == complete)
        for group in complete { groups[group] = nil }
    }

    func check() {
        #expect(table.busyCount == table.runs.values.count { $0.kind != .watcher })
        #expect(table.dyingCount == table.runs.values.count { if case .dying = $0.phase { true } else { false } })
        #expect(Set(table.runs.keys).isDisjoint(with: gone.keys))
        #expect(table.runs.count + gone.count == Int(lastRun))
        for (run, entry) in table.runs {
            checkPhase(of: run, entry)
            if entry.phase == .active, let parent = entry.parent { #expect(table.isLive(parent)) }
            for group in entry.waitsFor { #expect(table.groups[group]?.waiters.contains(run) == true) }
        }
        for (key, lane) in table.lanes where key.saga != 2 {
            #expect(lane.active.count + lane.dying.count <= 1, "two serial runs at a time")
            if lane.active.isEmpty && lane.dying.isEmpty { #expect(lane.queue.isEmpty, "nobody lets the queue go") }
        }
    }

    func checkCycles() {
        for run in table.runs.keys {
            #expect(!table.blockers(of: run).contains { reaches(run, from: $0) }, "run \(run) is part of a wait cycle")
        }
    }

    private func checkPhase(of run: RunID, _ entry: TestedRunTable.Table.Run) {
        let lane = table.lanes[LaneKey(saga: entry.saga, id: entry.policy.id)]
        let isLaned = entry.policy != .concurrent
        switch entry.phase {
        case .pending: #expect(lane?.pending == run && !started.contains(run))
        case .queued: #expect(lane?.queue.elements.contains(run) == true && !started.contains(run))
        case .active: #expect((lane?.active.contains(run) ?? false) == isLaned && started.contains(run))
        case .dying: #expect((lane?.dying.contains(run) ?? false) == isLaned && halted.contains(run))
        }
    }

    /// Returns whether a run can end only after another one, by a plain depth-first search.
    private func reaches(_ target: RunID, from start: RunID) -> Bool {
        var seen: Set<RunID> = []
        var open = [start]
        while let next = open.popLast() {
            if next == target { return true }
            guard seen.insert(next).inserted, let entry = table.runs[next] else { continue }
            switch entry.phase {
            case .pending: continue
            case .queued:
                open +=
                    table.runs.filter { _, other in
                        other.saga == entry.saga && other.policy.id == entry.policy.id
                            && other.policy != .concurrent && other.phase != .pending && other.phase != .queued
                    }.keys
            case .active, .dying: open += entry.waitsFor.flatMap { groups[$0] ?? [] }
            }
        }
        return false
    }
}

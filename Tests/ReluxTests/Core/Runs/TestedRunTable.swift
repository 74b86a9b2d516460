@testable import Relux

/// The number of a group in a test.
typealias GroupID = UInt64

/// A run table for tests, in which groups have numbers. The table itself can't be copied, but `#expect` copies its
/// operands.
final class TestedRunTable {
    typealias Table = RunTable

    /// The changes that a transition returns, as numbers.
    struct Changes: Equatable {
        var halted: [Halt] = []
        var starts: [RunID] = []
        var completed: [GroupID] = []
    }

    struct Halt: Equatable {
        let run: RunID
        let ending: RunEnding
        let hadStarted: Bool
    }

    private var table = Table()

    private var groupsByID: [GroupID: Completion] = [:]
    private var groupIDs: [ObjectIdentifier: GroupID] = [:]

    /// A snapshot of a run.
    struct Run {
        let phase: RunPhase
        let kind: RunKind
        let saga: SagaID
        let policy: Relux.Policy
        let group: GroupID
        let parent: RunID?
        let children: [RunID]
        let lane: LaneID
        let waitsFor: [GroupID]
    }

    /// A snapshot of a group.
    struct Group {
        let waiters: [RunID]
    }

    var runs: [RunID: Run] {
        Dictionary(
            uniqueKeysWithValues: table.runs.values.map { run in
                let snapshot = Run(
                    phase: run.entry.phase, kind: run.kind, saga: run.saga, policy: run.policy,
                    group: run.entry.group.map { id(of: $0) } ?? 0, parent: run.entry.parent,
                    children: run.entry.children.sorted, lane: run.entry.lane,
                    waitsFor: run.entry.waitsFor.map { id(of: $0) }
                )
                return (run.id, snapshot)
            }
        )
    }

    var groups: [GroupID: Group] {
        let open = groupsByID.filter(\.value.entry.isOpen)
        precondition(open.count == table.groupCount)
        return open.mapValues { Group(waiters: $0.entry.waiters) }
    }

    private func id(of group: Completion) -> GroupID { groupIDs[ObjectIdentifier(group)] ?? 0 }

    private func group(_ id: GroupID) -> Completion { groupsByID[id] ?? Completion(.closed) }

    private func make(_ id: GroupID) -> Completion {
        let group = Completion(.closed)
        groupsByID[id] = group
        groupIDs[ObjectIdentifier(group)] = id
        return group
    }

    private func run(_ id: RunID) -> RunHandle { table.runs[id] ?? Self.handle(of: id) }

    /// What a test sees of a lane.
    struct Lane {
        let active: [RunID]
        let dying: [RunID]
        let queue: RunQueue
        let pending: RunID?
        let isUnused: Bool
    }

    var lanes: [LaneKey: Lane] {
        var lanes: [LaneKey: Lane] = [:]
        table.lanes.forEach { lane in
            lanes[lane.key] = Lane(
                active: lane.active.sorted, dying: lane.dying.sorted, queue: lane.queue, pending: lane.pending,
                isUnused: lane.isUnused
            )
        }
        return lanes
    }

    var busyCount: Int { table.busyCount }

    /// How many runs there is room for.
    var capacity: Int { table.runs.capacity }

    var dyingCount: Int { table.dyingCount }

    /// The number of runs whose tasks wait for idleness.
    var idleWaitCount: Int { table.idleWaits.count }

    /// The number of instances that have runs.
    var scopeCount: Int { table.runsOfScopes.count }

    func runs(in scope: UInt64) -> [RunID] { table.runs(in: scope) }

    /// What the table knows about a run, even after its end.
    func handle(of run: RunID) -> RunHandle? { table.runs[run] }

    func isLive(_ run: RunID) -> Bool { table.isLive(run) }

    func members(of group: GroupID) -> [RunID] { table.members(of: self.group(group)) }

    func blockers(of run: RunID) -> [RunID] { table.blockers(of: run) }

    func runsAwaiting(_ run: RunID) -> Set<RunID> { table.runsAwaiting(run) }

    func runsOutlasting(_ run: RunID) -> Set<RunID> { table.runsOutlasting(run) }

    func openGroup(_ group: GroupID) {
        table.open(make(group))
    }

    func dissolve(_ group: GroupID) -> Bool { table.dissolve(self.group(group)) }

    func sealGroup(_ group: GroupID) -> Changes { changes(table.seal(self.group(group))) }

    func gather(_ members: some Sequence<RunID>, as group: GroupID) -> Changes {
        changes(table.gather(members, in: make(group)))
    }

    func admit(
        _ run: RunID, of saga: SagaID, policy: Relux.Policy, group: GroupID, parent: RunID?, isWatcher: Bool = false,
        in scope: UInt64 = 0, now: Duration
    ) -> (placement: RunPlacement, changes: Changes) {
        let handle = Self.handle(
            of: run, saga: saga, isWatcher ? .watcher : .saga, policy: policy, in: self.group(group), parent: parent,
            of: scope
        )
        let admission = table.admit(handle, now: now) { _, _ in true }
        return (admission.placement, changes(admission.changes))
    }

    private static func handle(
        of run: RunID, saga: SagaID = 0, _ kind: Relux.RunRecord.Kind = .saga, policy: Relux.Policy = .concurrent,
        in group: Completion? = nil, parent: RunID? = nil, of scope: UInt64 = 0
    ) -> RunHandle {
        let record = Relux.RunRecord(id: run, kind: kind, saga: Never.self, trigger: nil, callSite: Relux.CallSite())
        return RunHandle(record, saga: saga, policy: policy, in: group, parent: parent, of: scope, .closed)
    }

    func deadlineReached(_ run: RunID, now: Duration) -> Changes {
        changes(table.deadlineReached(self.run(run), now: now))
    }

    /// Ends a run as the registry does.
    func end(_ run: RunID) -> Changes {
        let handle = self.run(run)
        if table.isAlone(handle) {
            return Changes(completed: table.removeAlone(handle).map { [id(of: $0)] } ?? [])
        }
        guard let ended = table.end(self.run(run), .finished) else { return Changes() }
        return changes(ended.changes)
    }

    func cancel(_ targets: some Sequence<RunID>, sparing spared: Set<RunID> = []) -> Changes {
        changes(table.cancel(targets, sparing: spared))
    }

    func withdraw(_ targets: [RunID]) -> Changes { changes(table.withdraw(targets)) }

    /// The run that a join has joined.
    func target(of join: RunID) -> RunID? { table.joined[join] }

    func joins(of run: RunID) -> [RunID] { table.joins(of: run) }

    func waitForIdleness(_ run: RunID) -> Bool { table.waitForIdleness(run) }

    func cancel(group: GroupID) -> Changes { changes(table.cancel(group: self.group(group))) }

    func stopWaitingForIdleness(_ run: RunID) { table.stopWaitingForIdleness(run) }

    func wait(_ run: RunID, for group: GroupID) -> RunID? { table.wait(run, for: self.group(group)) }

    func stopWaiting(_ run: RunID, for group: GroupID) { table.stopWaiting(run, for: self.group(group)) }

    func closeWindows() { table.closeWindows() }

    private func changes(_ changes: borrowing Table.Changes) -> Changes {
        Changes(
            halted: changes.halts.elements.map { Halt(run: $0.run.id, ending: $0.ending, hadStarted: $0.hadStarted) },
            starts: changes.starts.map(\.id), completed: changes.completed.elements.map { id(of: $0) }
        )
    }
}

extension TestedRunTable.Changes {
    /// The runs that were superseded.
    var superseded: [RunID] { halted.filter { $0.ending == .superseded }.map(\.run) }

    /// The runs that were cancelled.
    var cancelled: [RunID] { halted.filter { $0.ending == .cancelled }.map(\.run) }
}

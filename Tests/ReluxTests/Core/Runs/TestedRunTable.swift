@testable import Relux

/// A run table for tests. The table itself can't be copied, but `#expect` copies its operands.
///
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

    var runs: [RunID: Table.Run] {
        Dictionary(uniqueKeysWithValues: table.runs.keys.compactMap { key in table.runs[key].map { (key, $0) } })
    }

    var groups: [GroupID: Table.Group] {
        Dictionary(uniqueKeysWithValues: table.groups.keys.compactMap { key in table.groups[key].map { (key, $0) } })
    }

    var lanes: [LaneKey: RunLane] {
        Dictionary(uniqueKeysWithValues: table.laneIDs.compactMap { key, id in table.lanes[id].map { (key, $0) } })
    }

    var busyCount: Int { table.busyCount }

    /// How many runs and groups there is room for.
    var capacities: [Int] { [table.runs.capacity, table.groups.capacity] }

    var dyingCount: Int { table.dyingCount }

    func isLive(_ run: RunID) -> Bool { table.isLive(run) }

    func members(of group: GroupID) -> [RunID] { table.members(of: group) }

    func blockers(of run: RunID) -> [RunID] { table.blockers(of: run) }

    func runsAwaiting(_ run: RunID) -> Set<RunID> { table.runsAwaiting(run) }

    func openGroup(_ group: GroupID) { table.openGroup(group, Completion(group: group, .closed)) }

    func sealGroup(_ group: GroupID) -> Changes { Changes(table.sealGroup(group)) }

    func gather(_ members: some Sequence<RunID>, as group: GroupID) -> Changes {
        Changes(table.gather(members, as: group, Completion(group: group, .closed)))
    }

    func admit(
        _ run: RunID, of saga: SagaID, policy: Relux.Policy, group: GroupID, parent: RunID?, isWatcher: Bool = false,
        now: Duration
    ) -> (placement: RunPlacement, changes: Changes) {
        let admission = table.admit(
            run, of: saga, isWatcher ? .watcher : .saga, policy: policy, group: group, parent: parent, now: now
        ) { _ in RunEntry(handle: Self.handle(of: run), runner: nil, turn: nil) }
        return (admission.placement, Changes(admission.changes))
    }

    private static func handle(of run: RunID) -> RunHandle {
        let record = Relux.RunRecord(id: run, kind: .saga, saga: Never.self, trigger: nil, callSite: Relux.CallSite())
        return RunHandle(record, .closed)
    }

    func deadlineReached(_ run: RunID, now: Duration) -> Changes {
        Changes(table.deadlineReached(run, now: now))
    }

    func end(_ run: RunID) -> Changes {
        guard let ended = table.end(run, .finished(())) else { return Changes() }
        return Changes(ended.changes)
    }

    func cancel(_ targets: some Sequence<RunID>, sparing spared: Set<RunID> = []) -> Changes {
        Changes(table.cancel(targets, sparing: spared))
    }

    func withdraw(_ targets: [RunID]) -> Changes { Changes(table.withdraw(targets)) }

    /// The run that a join has joined.
    func target(of join: RunID) -> RunID? { table.joined[join] }

    func joins(of run: RunID) -> [RunID] { table.joins(of: run) }

    func waitForIdleness(_ run: RunID) -> Bool { table.waitForIdleness(run) }

    func cancel(group: GroupID) -> Changes { Changes(table.cancel(group: group)) }

    func wait(_ run: RunID, for group: GroupID) -> RunID? { table.wait(run, for: group) }

    func stopWaiting(_ run: RunID, for group: GroupID) { table.stopWaiting(run, for: group) }

    func closeWindows() { table.closeWindows() }
}

extension TestedRunTable.Changes {
    init(_ changes: borrowing TestedRunTable.Table.Changes) {
        halted = changes.halts.map { .init(run: $0.work.record.id, ending: $0.ending, hadStarted: $0.hadStarted) }
        starts = changes.starts.map(\.work.record.id)
        completed = changes.completed.elements.map(\.awaiter.group)
    }

    /// The runs that were superseded.
    var superseded: [RunID] { halted.filter { $0.ending == .superseded }.map(\.run) }

    /// The runs that were cancelled.
    var cancelled: [RunID] { halted.filter { $0.ending == .cancelled }.map(\.run) }
}

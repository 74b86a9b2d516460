@testable import Relux

/// A table of runs, as tests look at it: the table itself can't be copied, which `#expect` does with what it is given.
final class TestedRunTable {
    private var table = RunTable()

    var runs: [RunTable.RunID: RunTable.Run] {
        Dictionary(uniqueKeysWithValues: table.runs.keys.compactMap { key in table.runs[key].map { (key, $0) } })
    }

    var groups: [RunTable.GroupID: RunTable.Group] {
        Dictionary(uniqueKeysWithValues: table.groups.keys.compactMap { key in table.groups[key].map { (key, $0) } })
    }

    var lanes: [RunTable.LaneKey: RunTable.Lane] { table.lanes }

    var busyCount: Int { table.busyCount }

    func isLive(_ run: RunTable.RunID) -> Bool { table.isLive(run) }

    func members(of group: RunTable.GroupID) -> [RunTable.RunID] { table.members(of: group) }

    func blockers(of run: RunTable.RunID) -> [RunTable.RunID] { table.blockers(of: run) }

    func runsAwaiting(_ run: RunTable.RunID) -> Set<RunTable.RunID> { table.runsAwaiting(run) }

    func openGroup(_ group: RunTable.GroupID) { table.openGroup(group) }

    func sealGroup(_ group: RunTable.GroupID) -> RunTable.Changes { table.sealGroup(group) }

    func gather(_ members: some Sequence<RunTable.RunID>, as group: RunTable.GroupID) -> RunTable.Changes {
        table.gather(members, as: group)
    }

    func admit(
        _ run: RunTable.RunID, of responder: RunTable.ResponderID, policy: Relux.Policy, group: RunTable.GroupID,
        parent: RunTable.RunID?, isWatcher: Bool = false, now: Duration
    ) -> (placement: RunTable.Placement, changes: RunTable.Changes) {
        table.admit(
            run, of: responder, policy: policy, group: group, parent: parent, isWatcher: isWatcher, now: now
        )
    }

    func deadlineReached(_ run: RunTable.RunID, now: Duration) -> RunTable.Changes {
        table.deadlineReached(run, now: now)
    }

    func end(_ run: RunTable.RunID) -> RunTable.Changes { table.end(run) }

    func cancel(_ targets: some Sequence<RunTable.RunID>, sparing spared: Set<RunTable.RunID> = []) -> RunTable.Changes
    {
        table.cancel(targets, sparing: spared)
    }

    func cancel(group: RunTable.GroupID) -> RunTable.Changes { table.cancel(group: group) }

    func wait(_ run: RunTable.RunID, for group: RunTable.GroupID) -> RunTable.RunID? { table.wait(run, for: group) }

    func stopWaiting(_ run: RunTable.RunID, for group: RunTable.GroupID) { table.stopWaiting(run, for: group) }

    func closeWindows() { table.closeWindows() }
}

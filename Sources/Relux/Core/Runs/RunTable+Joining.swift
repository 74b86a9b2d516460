/// Shared runs: triggers that join an existing run instead of starting one.
///
/// A join is a run without a task, in the group and below the parent of its own trigger. It ends in one of two ways:
/// with the run that it has joined, or because it is cancelled on its own. If nobody else waits for the run at that
/// moment, the run is cancelled with it. The trigger that started the run waits for it like the others: if it is
/// cancelled while there are joins, the run is *disowned*, and continues for them.
extension RunTable {
    /// The run that a shared trigger joins: the newest active one, otherwise the first in the queue.
    ///
    /// - Parameter canShare: Whether the result of a run of another saga can be that of the trigger.
    func runToJoin(in lane: RunLane?, _ saga: SagaID, _ canShare: (Work) -> Bool) -> RunID? {
        guard let lane else { return nil }
        return (lane.active.reversed() + lane.queue.elements).first { candidate in
            runs.at(candidate).map { $0.pointee.saga == saga || canShare($0.pointee.work) } ?? false
        }
    }

    mutating func join(_ run: RunID, to target: RunID) {
        joined.set(run, to: target)
        var others = joins[target] ?? TinySet()
        others.insert(run)
        joins.set(target, to: others)
    }

    /// The joins of a run, in order.
    func joins(of run: RunID) -> [RunID] {
        joins.isEmpty ? [] : joins.at(run)?.pointee.sorted ?? []
    }

    /// Whether one of those who joined a run receives its failure.
    func joinsReceiveFailure(of run: RunID) -> Bool {
        joins(of: run).contains { join in
            guard let entry = runs.at(join) else { return false }
            let (kind, group) = (entry.pointee.kind, entry.pointee.group)
            return groups.at(group)?.pointee.summary.receivesFailure(of: kind) == true
        }
    }

    /// Ends the joins of a run as the run has ended.
    mutating func endJoins(of run: RunID, _ result: RunResult, _ changes: inout Changes) {
        for join in joins(of: run) {
            guard let entry = runs.at(join) else { continue }
            note(result, of: entry.pointee.kind, in: entry.pointee.group)
            removeJoin(join)
            remove(join, &changes)
        }
    }

    /// Ends a join on its own, unless its run has been halted: it then ends with that run.
    ///
    /// - Returns: The run, if nobody else waits for it.
    mutating func endJoin(_ join: RunID, as ending: RunEnding, _ changes: inout Changes) -> RunID? {
        guard let target = joined[join], let entry = runs.at(join) else { return nil }
        if case .dying = runs.at(target)?.pointee.phase { return nil }
        note(RunResult(ending), of: entry.pointee.kind, in: entry.pointee.group)
        removeJoin(join)
        remove(join, &changes)
        let isAwaited = joins.contains(target) || runs.at(target)?.pointee.group != 0
        return isAwaited ? nil : target
    }

    /// Withdraws the trigger of a run for whose end others wait.
    mutating func disown(_ run: RunID, _ changes: inout Changes) {
        guard let entry = runs.at(run), entry.pointee.group != 0 else { return }
        let (kind, group, parent) = (entry.pointee.kind, entry.pointee.group, entry.pointee.parent)
        entry.pointee.group = 0
        entry.pointee.parent = nil
        if let parent { runs.at(parent)?.pointee.children.remove(run) }
        note(.cancelled, of: kind, in: group)
        leaveGroup(group, run, &changes)
    }

    /// Runs in the order in which they are withdrawn: a run that nobody else has joined then ends as usual.
    func joinsFirst(_ targets: [RunID]) -> [RunID] {
        guard targets.count > 1, !joined.isEmpty else { return targets }
        return targets.filter { joined.contains($0) } + targets.filter { !joined.contains($0) }
    }

    private mutating func removeJoin(_ join: RunID) {
        guard let target = joined.remove(join) else { return }
        joins.at(target)?.pointee.remove(join)
        if joins.at(target)?.pointee.isEmpty == true { joins.remove(target) }
    }
}

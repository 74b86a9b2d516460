/// Shared runs: triggers that join an existing run instead of starting one.
///
/// A join is a run without a task, in the group and below the parent of its own trigger. It ends in one of two ways:
/// with the run that it has joined, or because it is cancelled while others wait for that run. If nobody else does, the
/// run is cancelled, and the join ends with it. The trigger that started the run waits for it like the others: if it is
/// cancelled while there are joins, the run is *disowned*, and continues for them.
extension RunTable {
    /// The run that a shared trigger joins: the newest active one, otherwise the first in the queue.
    ///
    /// - Parameter canShare: Whether the result of the first run can be that of the second, which belongs to another
    ///   saga.
    func runToJoin(
        in lane: LaneID, _ trigger: RunHandle, _ canShare: (RunHandle, RunHandle) -> Bool
    ) -> RunID? {
        guard let lane = lanes.at(lane) else { return nil }
        func isSuitable(_ candidate: RunID) -> Bool {
            runs[candidate].map { $0.saga == trigger.saga || canShare($0, trigger) } ?? false
        }
        return lane.pointee.active.sorted.last(where: isSuitable)
            ?? lane.pointee.queue.elements.first(where: isSuitable)
    }

    mutating func join(_ run: RunID, to target: RunID) {
        joined.set(run, to: target)
        // In place: taking the set out would copy it with each join.
        if !joins.contains(target) { joins.set(target, to: TinySet()) }
        joins.at(target)?.pointee.insert(run)
    }

    /// The joins of a run, in order.
    func joins(of run: RunID) -> [RunID] {
        joins.isEmpty ? [] : joins.at(run)?.pointee.sorted ?? []
    }

    /// Whether one of those who joined a run receives its failure.
    func joinsReceiveFailure(of run: RunID) -> Bool {
        joins(of: run).contains { join in
            runs[join].map { receivesFailure(of: $0.kind, $0.entry.group) } ?? false
        }
    }

    /// Ends the joins of a run as the run has ended.
    mutating func endJoins(of run: RunID, _ result: RunResult, _ changes: inout Changes) {
        for join in joins(of: run) {
            guard let found = runs[join] else { continue }
            note(result, of: found.kind, in: found.entry.group)
            removeJoin(join)
            remove(found, &changes)
        }
    }

    /// Ends a join on its own, unless nobody else waits for its run, or that has been halted: it then ends with that
    /// run.
    ///
    /// - Returns: The run, if nobody else waits for it.
    mutating func endJoin(_ join: RunHandle, as ending: RunEnding, _ changes: inout Changes) -> RunID? {
        guard let target = joined[join.id], let found = runs[target] else { return nil }
        if case .dying = found.entry.phase { return nil }
        if found.entry.group == nil, joins.at(target)?.pointee.count == 1 { return target }
        note(RunResult(ending), of: join.kind, in: join.entry.group)
        removeJoin(join.id)
        remove(join, &changes)
        return nil
    }

    /// Withdraws the trigger of a run for whose end others wait.
    mutating func disown(_ run: RunHandle, _ changes: inout Changes) {
        guard let group = run.entry.group.take() else { return }
        if let parent = run.entry.parent.take() { runs[parent]?.entry.children.remove(run.id) }
        note(.cancelled, of: run.kind, in: group)
        leave(group, run.id, &changes)
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

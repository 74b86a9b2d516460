/// The wait-for graph.
///
/// An edge leads from a run or a trigger to what it can't end before:
///
/// - from a run to the members of each group that its task awaits
/// - from a run whose task waits for the store to become idle to all busy runs and triggers
/// - from a trigger that has joined a run to that run
/// - from a queued run to the runs that are active or ending in its lane
///
/// Edges of the last two kinds start at what has not started and therefore awaits nothing. A deadlock is therefore
/// closed by a new wait, or, if a run waits for idleness, by the admission of a trigger that waits for that run.
/// Checking both finds all of them.
///
/// A queued run needs only as many of the other runs to end as its limit asks for. A cycle is then necessary for a
/// deadlock, but not sufficient: ``stuck(from:)`` decides.
extension RunTable {
    /// Adds a wait of a run's task for a group, unless it could never end.
    ///
    /// - Returns: Nil, or the member of the group that can only end after the run itself. Then nothing was added.
    /// - Complexity: O(1) if the members wait for nothing, otherwise the number of runs that they wait for.
    mutating func wait(_ run: RunID, for group: GroupID) -> RunID? {
        guard runs[run] != nil, groups[group] != nil else { return nil }
        let members = members(of: group)
        let isInCycle = awaited(from: members).contains(run)
        runs[run]?.waitsFor[group, default: 0] += 1
        groups[group]?.waiters[run, default: 0] += 1
        guard isInCycle else { return nil }
        let stuck = stuck(from: run)
        guard stuck.contains(run), let blocker = members.first(where: { stuck.contains($0) }) else { return nil }
        stopWaiting(run, for: group)
        return blocker
    }

    /// Removes a wait of a run's task for a group.
    mutating func stopWaiting(_ run: RunID, for group: GroupID) {
        guard let count = runs[run]?.waitsFor[group] else { return }
        runs[run]?.waitsFor[group] = count > 1 ? count - 1 : nil
        groups[group]?.waiters[run] = count > 1 ? count - 1 : nil
    }

    /// Ends the waits for idleness that are vain since a trigger was admitted that can only end after their runs.
    mutating func endVainWaits(behind trigger: RunID) {
        guard !idlersOfRuns.isEmpty else { return }
        for run in stuck(from: trigger).sorted().compactMap({ runs[$0] }) where run.phase == .active {
            let record = run.handle.record
            for group in run.waitsFor.keys.sorted() where idlersOfRuns.contains(group) {
                updateSummary(of: group) { $0.refusal = .serialCycle(waiting: record, on: record) }
                dissolve(group)
                changes.stuckIdlers.append(record)
            }
        }
    }

    /// A run, and all runs that await it, directly or through others, with the triggers of all of them.
    ///
    /// - Parameter includesPerformers: Whether the runs that perform one of these count, too. A run that awaits its
    ///   `perform` by way of an unstructured task has no edge in the graph, so it is known only as the performer, for
    ///   as long as somebody awaits what it performs.
    func runsAwaiting(_ run: RunID, orPerformingIt includesPerformers: Bool = false) -> Set<RunID> {
        var found: Set<RunID> = [run]
        var open = [run]
        while let next = open.popLast(), let entry = runs[next] {
            let triggers = entry.triggers.elements
            found.formUnion(triggers.map(\.id))
            for group in triggers.map(\.group) + entry.drains {
                for waiter in groups[group].map({ Array($0.waiters.keys) }) ?? [] where found.insert(waiter).inserted {
                    open.append(waiter)
                }
            }
            guard includesPerformers else { continue }
            for trigger in triggers where groups[trigger.group] != nil {
                if let parent = trigger.parent, found.insert(parent).inserted { open.append(parent) }
            }
        }
        return found
    }

    /// What a run, a trigger, or ``idleness`` waits for. What is queued may not need all of it to end.
    func blockers(of id: RunID) -> [RunID] {
        if id == Self.idleness { return busy }
        guard let run = runs[id] else { return joined[id].map { [$0] } ?? [] }
        switch run.phase {
        case .pending:
            return []
        case .queued:
            // The runs ahead of it in the queue have not started either, and wait for the same runs.
            guard let lane = run.lane else { return [] }
            return lane.active.sorted() + lane.dying.sorted()
        case .active, .dying:
            // The cancellation of a halted run ends its wait for idleness.
            let groups = run.waitsFor.keys.filter { run.phase == .active || !idlersOfRuns.contains($0) }
            return groups.sorted().flatMap { members(of: $0) }
        }
    }

    /// The runs that keep the store from being idle, and the triggers that have joined them, in order.
    var busy: [RunID] {
        runs.flatMap { id, run in
            let triggers = run.triggers.elements.filter(\.handle.isBusy).map(\.id)
            // The trigger that started it may have been withdrawn.
            return triggers.isEmpty || triggers.contains(id) || !run.handle.isBusy ? triggers : [id] + triggers
        }.sorted()
    }

    /// Some runs and triggers, and all that they wait for, directly or through others.
    private func awaited(from start: [RunID]) -> Set<RunID> {
        var found = Set(start)
        var open = start
        while let next = open.popLast() {
            for blocker in blockers(of: next) where found.insert(blocker).inserted { open.append(blocker) }
        }
        return found
    }

    /// Those of what a run waits for, directly or through others, that can never end; including itself.
    ///
    /// The greatest set in which each needs another one of the set to end first. It is found by removing, again and
    /// again, what can end without the others.
    private func stuck(from start: RunID) -> Set<RunID> {
        var stuck = awaited(from: [start])
        while true {
            let ending = stuck.filter { !isStuck($0, among: stuck) }
            guard !ending.isEmpty else { return stuck }
            stuck.subtract(ending)
        }
    }

    /// Whether a run or a trigger can end only after one of the given ones.
    private func isStuck(_ id: RunID, among stuck: Set<RunID>) -> Bool {
        let stuckCount = blockers(of: id).count { stuck.contains($0) }
        guard let run = runs[id], run.phase == .queued, let lane = run.lane else { return stuckCount > 0 }
        // Runs that have not started wait for nothing else. They all start and end if those ahead leave enough room.
        let ahead = lane.queue.elements.prefix { $0 != id }
        let limits = ahead.compactMap { runs[$0]?.handle.policy.kind.limit } + [run.handle.policy.kind.limit]
        return stuckCount >= limits.min() ?? 1
    }
}

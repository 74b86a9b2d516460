/// How runs start: at once, in turn, after a delay, or not at all, as their policies say.
extension RunTable {
    /// What became of a run that was admitted, and what to do for others.
    struct Admission: ~Copyable, Sendable {
        let placement: RunPlacement
        let changes: Changes
    }

    /// Admits a run as its policy says.
    ///
    /// - Parameters:
    ///   - run: A new id, higher than all before.
    ///   - saga: The registration of the saga.
    ///   - scope: The instance that it belongs to; 0 for the root.
    ///   - policy: What the saga said about the trigger.
    ///   - group: An open group.
    ///   - parent: The run that performs it.
    ///   - now: The current time.
    ///   - canShare: Whether the result of another saga's run can be that of this trigger. Asked only if the policy is
    ///     shared.
    ///   - makeWork: Creates the run's value. Not called if the run is dropped.
    /// - Returns: What happens to the run, and to others. If the run supersedes its parent, it is no longer its child.
    /// - Complexity: O(1), apart from the runs that it supersedes.
    mutating func admit(
        _ run: RunID, of saga: SagaID, _ kind: RunKind = .saga, in scope: UInt64 = 0, policy: Relux.Policy,
        group: GroupID, parent: RunID?, now: Duration, canShare: (Work) -> Bool = { _ in true },
        makeWork: (RunPlacement) -> Work
    ) -> Admission {
        var changes = Changes()
        guard policy.isRelated else {
            let work = makeWork(.start)
            insert(run, work, of: saga, kind, in: scope, policy, group: group, lane: 0, parent: parent, .active)
            return Admission(placement: .start, changes: changes)
        }
        removeUnusedLanes(now: now)
        let laneID = lane(of: LaneKey(saga: saga, policy, scope: scope))
        enteredLane = laneID
        defer { enteredLane = 0 }
        var placement = RunPlacement.start
        var windowEnd = lanes.at(laneID)?.pointee.windowEnd
        holdsStarts = true
        switch policy.kind {
        case .concurrent:
            break
        case .latest:
            supersedeAll(in: laneID, sparing: siblings(in: group, of: parent), &changes)
            if parent != nil { orphanMembers(of: group) }
        case .leading:
            if let lane = lanes.at(laneID), !lane.pointee.active.isEmpty || !lane.pointee.queue.isEmpty {
                placement = .drop
            }
        case .shared:
            if let target = runToJoin(in: lanes[laneID], saga, canShare) {
                releaseStarts(&changes)
                insert(
                    run, makeWork(.join), of: saga, kind, in: scope, policy, group: group, lane: 0, parent: parent,
                    .joined)
                join(run, to: target)
                return Admission(placement: .join, changes: changes)
            }
        case .serial, .limited:
            if let lane = lanes.at(laneID),
                !lane.pointee.queue.isEmpty || !lane.pointee.hasRoom(below: policy.limit)
            {
                placement = .queue
            }
        case .conflated:
            supersedeWaiting(in: laneID, &changes)
            if let lane = lanes.at(laneID)?.pointee, !lane.queue.isEmpty || !lane.hasRoom(below: 1) {
                placement = .queue
            }
        case .debounce(let delay, _):
            supersedePending(in: laneID, &changes)
            placement = .delay(until: StoreClock.deadline(after: delay, from: now))
        case .throttle(let interval, let trailing):
            if let end = windowEnd, end > now {
                placement = trailing ? .delay(until: end) : .drop
            } else {
                windowEnd = StoreClock.deadline(after: interval, from: now)
            }
            if placement != .drop { supersedePending(in: laneID, &changes) }
        }
        if placement == .drop {
            note(.dropped, of: kind, in: group)
            releaseStarts(&changes)
            return Admission(placement: .drop, changes: changes)
        }

        let phase: RunPhase =
            switch placement {
            case .queue: .queued
            case .delay: .pending
            case .start, .join, .drop: .active
            }
        insert(
            run, makeWork(placement), of: saga, kind, in: scope, policy, group: group, lane: laneID, parent: parent,
            phase)
        if let lane = lanes.at(laneID) {
            lane.pointee.windowEnd = windowEnd
            switch phase {
            case .queued: lane.pointee.queue.append(run)
            case .pending: lane.pointee.pending = run
            case .active, .dying, .joined: lane.pointee.active.append(run)
            }
        }
        releaseStarts(&changes)
        return Admission(placement: placement, changes: changes)
    }

    /// The other runs of a performed trigger. They continue, even if the run that performs it is superseded.
    private func siblings(in group: GroupID, of parent: RunID?) -> Set<RunID> {
        parent == nil ? [] : Set(members(of: group))
    }

    private mutating func insert(
        _ run: RunID, _ work: consuming Work, of saga: SagaID, _ kind: RunKind, in scope: UInt64,
        _ policy: Relux.Policy, group: GroupID, lane: LaneID, parent: RunID?, _ phase: RunPhase
    ) {
        var living = parent
        if let parent {
            if isLive(parent) {
                runs.at(parent)?.pointee.children.insert(run)
            } else {
                living = nil
                groups.at(group)?.pointee.isOrphaned = true
            }
        }
        runs.set(
            run,
            to: Run(
                work: work, saga: saga, scope: scope, policy: policy, group: group, parent: living, lane: lane,
                phase: phase,
                kind: kind
            )
        )
        if runs.at(run)?.pointee.isBusy == true { busyCount += 1 }
        groups.at(group)?.pointee.members.insert(run)
        note(run, in: scope)
    }

    /// Starts a pending run whose deadline has come.
    ///
    /// - Returns: What to do; nothing if the run is no longer pending.
    mutating func deadlineReached(_ run: RunID, now: Duration) -> Changes {
        var changes = Changes()
        guard let entry = runs[run], entry.phase == .pending else { return changes }
        enteredLane = entry.lane
        defer { enteredLane = 0 }
        lanes.at(entry.lane)?.pointee.pending = nil
        holdsStarts = true
        switch entry.policy.kind {
        case .debounce(_, keepingActive: true):
            break
        case .debounce:
            supersedeAll(in: entry.lane, sparing: Set(members(of: entry.group)).union([run]), &changes)
            orphanMembers(of: entry.group)
        case .throttle(let interval, _):
            lanes.at(entry.lane)?.pointee.windowEnd = StoreClock.deadline(after: interval, from: now)
        case .concurrent, .limited, .latest, .leading, .serial, .shared, .conflated:
            break
        }
        runs.at(run)?.pointee.phase = .active
        lanes.at(entry.lane)?.pointee.active.append(run)
        changes.starts.append(Start(run: run, work: entry.work))
        releaseStarts(&changes)
        return changes
    }

    /// Separates the members of a group from a parent that was halted.
    private mutating func orphanMembers(of group: GroupID) {
        for run in members(of: group) {
            guard let parent = runs.at(run)?.pointee.parent, !isLive(parent) else { continue }
            runs.at(parent)?.pointee.children.remove(run)
            runs.at(run)?.pointee.parent = nil
            groups.at(group)?.pointee.isOrphaned = true
        }
    }

    private mutating func supersedeAll(in lane: LaneID, sparing spared: Set<RunID> = [], _ changes: inout Changes) {
        // Taken out for the moment: an array that is being iterated would be copied when a halted run leaves it.
        guard let active = lanes.at(lane)?.pointee.active else { return }
        lanes.at(lane)?.pointee.active = []
        for run in active { halt(run, as: .superseded, sparing: spared, &changes) }
        if !spared.isEmpty { lanes.at(lane)?.pointee.active = active.filter { isLive($0) } }
        supersedeWaiting(in: lane, sparing: spared, &changes)
    }

    private mutating func supersedeWaiting(
        in lane: LaneID, sparing spared: Set<RunID> = [], _ changes: inout Changes
    ) {
        guard let queue = lanes.at(lane)?.pointee.queue else { return }
        for run in queue.elements { halt(run, as: .superseded, sparing: spared, &changes) }
        supersedePending(in: lane, &changes)
    }

    private mutating func supersedePending(in lane: LaneID, _ changes: inout Changes) {
        if let pending = lanes.at(lane)?.pointee.pending { halt(pending, as: .superseded, &changes) }
    }

    // MARK: Lanes

    /// The lane with a key, created if there is none.
    private mutating func lane(of key: LaneKey) -> LaneID {
        if let existing = laneIDs[key] { return existing }
        lastLane += 1
        laneIDs[key] = lastLane
        lanes.set(lastLane, to: RunLane(key: key))
        return lastLane
    }

    /// Starts the queued runs whose turn has come, first in, first out.
    mutating func startQueued(in id: LaneID, _ changes: inout Changes) {
        guard !holdsStarts else { return heldLanes.append(id) }
        while let next = lanes.at(id)?.pointee.queue.first, let found = runs.at(next),
            lanes.at(id)?.pointee.hasRoom(below: found.pointee.policy.limit) == true
        {
            found.pointee.phase = .active
            _ = lanes.at(id)?.pointee.queue.popFirst()
            lanes.at(id)?.pointee.active.append(next)
            changes.starts.append(Start(run: next, work: found.pointee.work))
        }
    }

    /// Starts the queued runs whose turn has come in a transition that halted others.
    ///
    /// Not before, because a run that is still to be halted must not start.
    mutating func releaseStarts(_ changes: inout Changes) {
        holdsStarts = false
        while let lane = heldLanes.popLast() { startQueued(in: lane, &changes) }
    }

    mutating func removeLane(_ id: LaneID) {
        if let removed = lanes.remove(id) { laneIDs[removed.key] = nil }
    }

    /// Removes lanes of which only a past window is left, once their number has doubled. Amortised O(1).
    private mutating func removeUnusedLanes(now: Duration) {
        guard lanes.count > laneLimit else { return }
        for id in lanes.keys(where: { $0.isUnused && $0.windowEnd.map { $0 <= now } ?? true }) { removeLane(id) }
        laneLimit = max(64, lanes.count * 2)
    }

    /// Lets the next trigger of each throttle in some lanes run at once.
    mutating func closeWindows(in isConcerned: (LaneKey) -> Bool = { _ in true }) {
        for id in lanes.keys(where: { isConcerned($0.key) }) { lanes.at(id)?.pointee.windowEnd = nil }
        for id in lanes.keys(where: { $0.isUnused }) { removeLane(id) }
    }
}

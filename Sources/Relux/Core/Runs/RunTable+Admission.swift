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
    ///   - run: A new run, whose id is higher than all before, with the group and the parent that it shall have.
    ///   - now: The current time.
    ///   - canShare: Whether the result of the first run can be that of the second, which belongs to another saga.
    ///     Asked only if the policy is shared.
    /// - Returns: What happens to the run, and to others. If the run supersedes its parent, it is no longer its child.
    /// - Complexity: O(1), apart from the runs that it supersedes.
    mutating func admit(_ run: RunHandle, now: Duration, canShare: (RunHandle, RunHandle) -> Bool) -> Admission {
        guard run.isRelated else {
            admitAlone(run)
            return Admission(placement: .start, changes: Changes())
        }
        return admitToLane(run, now: now, canShare: canShare)
    }

    /// Admits a run whose policy relates it to no other.
    mutating func admitAlone(_ run: RunHandle) { insert(run, .active) }

    private mutating func admitToLane(
        _ run: RunHandle, now: Duration, canShare: (RunHandle, RunHandle) -> Bool
    ) -> Admission {
        var changes = Changes()
        removeUnusedLanes(now: now)
        let laneID = lane(for: run)
        enteredLane = laneID
        defer { enteredLane = 0 }
        var placement = RunPlacement.start
        var windowEnd: Duration?
        if let lane = lanes.at(laneID) { windowEnd = lane.pointee.windowEnd }
        holdsStarts = true
        let kind = run.policy.kind
        switch kind {
        case .concurrent:
            break
        case .latest:
            supersedeAll(in: laneID, sparing: siblings(of: run), &changes)
            if run.entry.parent != nil { orphanMembers(of: run.entry.group) }
        case .leading:
            if let lane = lanes.at(laneID), !lane.pointee.active.isEmpty || !lane.pointee.queue.isEmpty {
                placement = .drop
            }
        case .shared:
            if let target = runToJoin(in: laneID, run, canShare) {
                releaseStarts(&changes)
                insert(run, .joined)
                join(run.id, to: target)
                return Admission(placement: .join, changes: changes)
            }
        case .serial, .limited:
            if let lane = lanes.at(laneID),
                !lane.pointee.queue.isEmpty || !lane.pointee.hasRoom(below: kind.limit)
            {
                placement = .queue
            }
        case .conflated:
            supersedeWaiting(in: laneID, &changes)
            if let lane = lanes.at(laneID), !lane.pointee.queue.isEmpty || !lane.pointee.hasRoom(below: 1) {
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
            note(.dropped, of: run.kind, in: run.entry.group)
            releaseStarts(&changes)
            return Admission(placement: .drop, changes: changes)
        }

        let phase: RunPhase =
            switch placement {
            case .queue: .queued
            case .delay: .pending
            case .start, .join, .drop: .active
            }
        run.entry.lane = laneID
        insert(run, phase)
        if let lane = lanes.at(laneID) {
            lane.pointee.windowEnd = windowEnd
            switch phase {
            case .queued: lane.pointee.queue.append(run.id)
            case .pending: lane.pointee.pending = run.id
            case .active, .dying, .joined, .absent: lane.pointee.active.insert(run.id)
            }
        }
        releaseStarts(&changes)
        return Admission(placement: placement, changes: changes)
    }

    /// The other runs of a performed trigger. They continue, even if the run that performs it is superseded.
    private func siblings(of run: RunHandle) -> Set<RunID> {
        run.entry.parent == nil ? [] : Set(members(of: run.entry.group))
    }

    private mutating func insert(_ run: RunHandle, _ phase: RunPhase) {
        if let parent = run.entry.parent {
            if let found = runs[parent], found.isLive {
                found.entry.children.insert(run.id)
            } else {
                run.entry.parent = nil
                run.entry.group?.entry.isOrphaned = true
            }
        }
        run.entry.phase = phase
        runs.set(run.id, to: run)
        if run.isBusy { busyCount += 1 }
        run.entry.group?.entry.members.insert(run.id)
        note(run.id, in: run.scopeSerial)
    }

    /// Starts a pending run whose deadline has come.
    ///
    /// - Returns: What to do; nothing if the run is no longer pending.
    mutating func deadlineReached(_ run: RunHandle, now: Duration) -> Changes {
        var changes = Changes()
        guard run.entry.phase == .pending else { return changes }
        let lane = run.entry.lane
        enteredLane = lane
        defer { enteredLane = 0 }
        lanes.at(lane)?.pointee.pending = nil
        holdsStarts = true
        switch run.policy.kind {
        case .debounce(_, keepingActive: true):
            break
        case .debounce:
            let siblings = Set(members(of: run.entry.group)).union([run.id])
            supersedeAll(in: lane, upTo: run.id, sparing: siblings, &changes)
            orphanMembers(of: run.entry.group)
        case .throttle(let interval, _):
            lanes.at(lane)?.pointee.windowEnd = StoreClock.deadline(after: interval, from: now)
        case .concurrent, .limited, .latest, .leading, .serial, .shared, .conflated:
            break
        }
        run.entry.phase = .active
        lanes.at(lane)?.pointee.active.insert(run.id)
        changes.starts.append(run)
        releaseStarts(&changes)
        return changes
    }

    /// Separates the members of a group from a parent that was halted.
    private mutating func orphanMembers(of group: Completion?) {
        for run in members(of: group) {
            guard let found = runs[run], let parent = found.entry.parent, !isLive(parent) else { continue }
            runs[parent]?.entry.children.remove(run)
            found.entry.parent = nil
            group?.entry.isOrphaned = true
        }
    }

    /// - Parameter last: Waiting runs with higher ids stay in the queue.
    private mutating func supersedeAll(
        in lane: LaneID, upTo last: RunID = .max, sparing spared: Set<RunID> = [], _ changes: inout Changes
    ) {
        guard let active = lanes.at(lane)?.pointee.active else { return }
        active.forEach { halt($0, as: .superseded, sparing: spared, &changes) }
        supersedeWaiting(in: lane, upTo: last, sparing: spared, &changes)
    }

    private mutating func supersedeWaiting(
        in lane: LaneID, upTo last: RunID = .max, sparing spared: Set<RunID> = [], _ changes: inout Changes
    ) {
        if let found = lanes.at(lane), !found.pointee.queue.isEmpty {
            for run in found.pointee.queue.elements where run <= last {
                halt(run, as: .superseded, sparing: spared, &changes)
            }
        }
        supersedePending(in: lane, &changes)
    }

    private mutating func supersedePending(in lane: LaneID, _ changes: inout Changes) {
        if let found = lanes.at(lane), let pending = found.pointee.pending { halt(pending, as: .superseded, &changes) }
    }

    // MARK: Lanes

    /// The lane that a run's policy names, created if there is none.
    private mutating func lane(for run: RunHandle) -> LaneID {
        // Without a key, most of which would be copies of nothing.
        if run.policy.isPlain, let existing = plainLaneIDs[run.saga] { return existing }
        let key = LaneKey(saga: run.saga, run.policy, scope: run.scopeSerial)
        if !key.isPlain, let existing = laneIDs[key] { return existing }
        lastLane += 1
        if key.isPlain { plainLaneIDs.set(key.saga, to: lastLane) } else { laneIDs[key] = lastLane }
        lanes.set(lastLane, to: RunLane(key: key))
        return lastLane
    }

    /// Starts the queued runs whose turn has come, first in, first out.
    mutating func startQueued(in id: LaneID, _ changes: inout Changes) {
        guard !holdsStarts else { return heldLanes.append(id) }
        while let next = lanes.at(id)?.pointee.queue.first, let found = runs[next],
            lanes.at(id)?.pointee.hasRoom(below: found.policy.kind.limit) == true
        {
            found.entry.phase = .active
            _ = lanes.at(id)?.pointee.queue.popFirst()
            lanes.at(id)?.pointee.active.insert(next)
            changes.starts.append(found)
        }
    }

    /// Starts the queued runs whose turn has come in a transition that halted others.
    ///
    /// Not before, because a run that is still to be halted must not start.
    mutating func releaseStarts(_ changes: inout Changes) {
        holdsStarts = false
        while let lane = heldLanes.popLast() { startQueued(in: lane, &changes) }
    }

    // inline(never): this would otherwise be copied to each of its calls.
    @inline(never)
    mutating func removeLane(_ id: LaneID) {
        guard let key = lanes.remove(id)?.key else { return }
        if key.isPlain { plainLaneIDs.remove(key.saga) } else { laneIDs[key] = nil }
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

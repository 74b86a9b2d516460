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
    ///   - policy: What the saga said about the trigger.
    ///   - group: An open group.
    ///   - parent: The run that performs it.
    ///   - now: The current time.
    ///   - makeWork: Creates the run's value. Not called if the run is dropped.
    /// - Returns: What happens to the run, and to others. If the run supersedes its parent, it is no longer its child.
    /// - Complexity: O(1), apart from the runs that it supersedes.
    mutating func admit(
        _ run: RunID, of saga: SagaID, _ kind: RunKind = .saga, policy: Relux.Policy, group: GroupID, parent: RunID?,
        now: Duration, makeWork: (RunPlacement) -> Work
    ) -> Admission {
        var changes = Changes()
        if policy.kind == .concurrent {
            let work = makeWork(.start)
            insert(run, work, of: saga, kind, policy, in: group, lane: 0, parent: parent, .active)
            return Admission(placement: .start, changes: changes)
        }
        removeUnusedLanes(now: now)
        let laneID = lane(of: LaneKey(saga: saga, id: policy.id))
        enteredLane = laneID
        defer { enteredLane = 0 }
        let lane = lanes[laneID]
        var placement = RunPlacement.start
        var windowEnd = lane?.windowEnd
        switch policy.kind {
        case .concurrent:
            break
        case .latest:
            // The other runs of the same trigger continue, even if the run that performs it is superseded.
            supersedeAll(in: lane, sparing: parent == nil ? [] : Set(members(of: group)), &changes)
            if parent != nil { orphanMembers(of: group) }
        case .leading:
            if let lane, !lane.active.isEmpty || !lane.queue.isEmpty {
                note(.dropped, of: kind, in: group)
                return Admission(placement: .drop, changes: changes)
            }
        case .serial:
            if let lane, !lane.active.isEmpty || !lane.dying.isEmpty || !lane.queue.isEmpty { placement = .queue }
        case .debounce(let delay):
            supersedePending(in: lane, &changes)
            placement = .delay(until: StoreClock.deadline(after: delay, from: now))
        case .throttle(let interval):
            supersedePending(in: lane, &changes)
            if let end = windowEnd, end > now {
                placement = .delay(until: end)
            } else {
                windowEnd = StoreClock.deadline(after: interval, from: now)
            }
        }

        let phase: RunPhase =
            switch placement {
            case .queue: .queued
            case .delay: .pending
            case .start, .drop: .active
            }
        insert(run, makeWork(placement), of: saga, kind, policy, in: group, lane: laneID, parent: parent, phase)
        if let lane = lanes.at(laneID) {
            lane.pointee.windowEnd = windowEnd
            switch phase {
            case .queued: lane.pointee.queue.append(run)
            case .pending: lane.pointee.pending = run
            case .active, .dying: lane.pointee.active.append(run)
            }
        }
        return Admission(placement: placement, changes: changes)
    }

    private mutating func insert(
        _ run: RunID, _ work: consuming Work, of saga: SagaID, _ kind: RunKind, _ policy: Relux.Policy,
        in group: GroupID, lane: LaneID, parent: RunID?, _ phase: RunPhase
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
                work: work, saga: saga, policy: policy, group: group, parent: living, lane: lane, phase: phase,
                kind: kind
            )
        )
        if kind != .watcher { busyCount += 1 }
        groups.at(group)?.pointee.members.insert(run)
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
        switch entry.policy.kind {
        case .debounce:
            supersedeAll(in: lanes[entry.lane], sparing: Set(members(of: entry.group)).union([run]), &changes)
            orphanMembers(of: entry.group)
        case .throttle(let interval):
            lanes.at(entry.lane)?.pointee.windowEnd = StoreClock.deadline(after: interval, from: now)
        case .concurrent, .latest, .leading, .serial:
            break
        }
        runs.at(run)?.pointee.phase = .active
        lanes.at(entry.lane)?.pointee.active.append(run)
        changes.starts.append(Start(run: run, work: entry.work))
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

    private mutating func supersedeAll(in lane: Lane?, sparing spared: Set<RunID> = [], _ changes: inout Changes) {
        guard let lane else { return }
        for run in lane.active { halt(run, as: .superseded, sparing: spared, &changes) }
        for run in lane.queue.elements { halt(run, as: .superseded, sparing: spared, &changes) }
        supersedePending(in: lane, &changes)
    }

    private mutating func supersedePending(in lane: Lane?, _ changes: inout Changes) {
        if let pending = lane?.pending { halt(pending, as: .superseded, &changes) }
    }

    // MARK: Lanes

    /// The lane with a key, created if there is none.
    private mutating func lane(of key: LaneKey) -> LaneID {
        if let existing = laneIDs[key] { return existing }
        lastLane += 1
        laneIDs[key] = lastLane
        lanes.set(lastLane, to: Lane(key: key))
        return lastLane
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

    /// Lets the next trigger of each throttle run at once.
    mutating func closeWindows() {
        for id in lanes.keys { lanes.at(id)?.pointee.windowEnd = nil }
        for id in lanes.keys(where: { $0.isUnused }) { removeLane(id) }
    }
}

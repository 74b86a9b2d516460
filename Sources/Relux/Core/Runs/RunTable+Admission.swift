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
            insert(run, work, of: saga, kind, policy, in: group, parent: parent, .active)
            return Admission(placement: .start, changes: changes)
        }
        let key = LaneKey(saga: saga, id: policy.id)
        let lane = lanes[key]
        var placement = RunPlacement.start
        var windowEnd = lane?.windowEnd
        switch policy.kind {
        case .concurrent:
            break
        case .latest:
            supersedeAll(in: lane, &changes)
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
        insert(run, makeWork(placement), of: saga, kind, policy, in: group, parent: parent, phase)
        lanes[key, default: Lane()].windowEnd = windowEnd
        switch phase {
        case .queued: lanes[key]?.queue.append(run)
        case .pending: lanes[key]?.pending = run
        case .active, .dying: lanes[key]?.active.append(run)
        }
        removeUnusedLanes(now: now)
        return Admission(placement: placement, changes: changes)
    }

    private mutating func insert(
        _ run: RunID, _ work: consuming Work, of saga: SagaID, _ kind: RunKind, _ policy: Relux.Policy,
        in group: GroupID, parent: RunID?, _ phase: RunPhase
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
            to: Run(work: work, saga: saga, policy: policy, group: group, parent: living, phase: phase, kind: kind)
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
        let key = LaneKey(saga: entry.saga, id: entry.policy.id)
        lanes[key]?.pending = nil
        switch entry.policy.kind {
        case .debounce:
            supersedeAll(in: lanes[key], sparing: [run], &changes)
            if let parent = entry.parent, runs.at(parent)?.pointee.phase != .active { orphan(run, of: parent) }
        case .throttle(let interval):
            lanes[key]?.windowEnd = StoreClock.deadline(after: interval, from: now)
        case .concurrent, .latest, .leading, .serial:
            break
        }
        runs.at(run)?.pointee.phase = .active
        lanes[key, default: Lane()].active.append(run)
        changes.starts.append(Start(run: run, work: entry.work))
        return changes
    }

    private mutating func orphan(_ run: RunID, of parent: RunID) {
        runs.at(parent)?.pointee.children.remove(run)
        runs.at(run)?.pointee.parent = nil
        if let group = runs.at(run)?.pointee.group { groups.at(group)?.pointee.isOrphaned = true }
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

    /// Removes lanes of which only a past window is left, once their number has doubled. Amortised O(1).
    private mutating func removeUnusedLanes(now: Duration) {
        guard lanes.count > laneLimit else { return }
        lanes = lanes.filter { _, lane in !lane.isUnused || (lane.windowEnd.map { $0 > now } ?? false) }
        laneLimit = max(64, lanes.count * 2)
    }

    /// Lets the next trigger of each throttle run at once.
    mutating func closeWindows() {
        for key in lanes.keys { lanes[key]?.windowEnd = nil }
        lanes = lanes.filter { !$0.value.isUnused }
    }
}

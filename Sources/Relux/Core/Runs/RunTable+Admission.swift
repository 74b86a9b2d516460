/// How runs start: at once, in turn, after a delay, or not at all, as their policies say.
extension RunTable {
    /// Admits a trigger as its policy says.
    ///
    /// - Parameters:
    ///   - trigger: A new one, whose number is higher than all before, in an open group.
    ///   - now: The current time.
    /// - Returns: What becomes of it, and what to do for others. If its run supersedes the parent, it is no longer its
    ///   child.
    /// - Complexity: O(1), apart from the runs that it supersedes, and those that `latest(limit:)` keeps. While a run
    ///   waits for the store to become idle, also the number of runs that the trigger waits for, directly or through
    ///   others.
    mutating func admit(_ trigger: RunTrigger, now: Duration) -> (placement: RunPlacement, changes: Changes) {
        guard trigger.handle.policy.kind.isRelated else {
            insert(trigger, .active, in: 0)
            return (.start(.immediately), Changes())
        }
        removeUnusedLanes(now: now)
        let lane = lane(for: trigger.handle)
        let placement = place(trigger, in: lane, now: now)
        switch placement {
        case .start(.immediately):
            insert(trigger, .active, in: lane)
            lanes[lane]?.active.insert(trigger.id)
        case .start(.inTurn(let turn)):
            insert(trigger, .queued, turn: turn, in: lane)
            lanes[lane]?.queue.append(trigger.id, as: trigger.id)
        case .start(.at):
            insert(trigger, .pending, in: lane)
            lanes[lane]?.pending = trigger.id
        case .join:
            break
        case .drop:
            note(.dropped, of: trigger)
        }
        noteStuckIdlers(behind: trigger.id)
        return (placement, endTransition())
    }

    /// Decides what becomes of a trigger, supersedes others, and lets it join a run.
    private mutating func place(_ trigger: RunTrigger, in lane: LaneID, now: Duration) -> RunPlacement {
        let kind = trigger.handle.policy.kind
        switch kind {
        case .concurrent:
            break
        case .latest(let limit):
            supersedeOldest(in: lane, keeping: limit - 1, sparing: siblings(of: trigger))
            if trigger.parent != nil { orphanMembers(of: trigger.group) }
        case .leading(let limit):
            if let lane = lanes[lane], lane.active.count + lane.queue.count >= limit { return .drop }
        case .shared:
            if let target = runToJoin(in: lane, trigger) {
                join(trigger, to: target)
                return .join
            }
        case .serial, .limited, .conflated:
            if case .conflated = kind { supersedeWaiting(in: lane) }
            if let lane = lanes[lane], !lane.queue.isEmpty || !lane.hasRoom(below: kind.limit) {
                return .start(.inTurn(Signal()))
            }
        case .debounce(let delay, _):
            supersedePending(in: lane)
            return .start(.at(StoreClock.deadline(after: delay, from: now)))
        case .throttle(let interval, let isTrailing):
            if let end = lanes[lane]?.windowEnd, end > now {
                guard isTrailing else { return .drop }
                supersedePending(in: lane)
                return .start(.at(end))
            }
            lanes[lane]?.windowEnd = StoreClock.deadline(after: interval, from: now)
            supersedePending(in: lane)
        }
        return .start(.immediately)
    }

    /// The other triggers of a performed action. Their runs continue, even if the run that performs it is superseded.
    private func siblings(of trigger: RunTrigger) -> Set<RunID> {
        trigger.parent == nil ? [] : groups[trigger.group]?.members ?? []
    }

    private mutating func insert(_ trigger: RunTrigger, _ phase: RunPhase, turn: Signal? = nil, in lane: LaneID) {
        var trigger = trigger
        note(&trigger)
        var run = Run(handle: trigger.handle, runner: trigger.runner, phase: phase, turn: turn, lane: lane)
        run.triggers.append(trigger, as: trigger.id)
        runs[trigger.id] = run
    }

    /// Starts a pending run whose deadline has come.
    ///
    /// - Returns: What to do; nil if the run is no longer pending.
    mutating func deadlineReached(_ id: RunID, now: Duration) -> Changes? {
        guard let run = runs[id], run.phase == .pending else { return nil }
        lanes[run.lane]?.pending = nil
        switch run.handle.policy.kind {
        case .debounce(_, keepingActive: false):
            if let group = run.triggers[id]?.group {
                let spared = groups[group]?.members.union([id]) ?? [id]
                for active in lanes[run.lane]?.active.sorted() ?? [] {
                    halt(active, as: .superseded, sparing: spared)
                }
                supersedeWaiting(in: run.lane, upTo: id, sparing: spared)
                orphanMembers(of: group)
            }
        case .throttle(let interval, _):
            lanes[run.lane]?.windowEnd = StoreClock.deadline(after: interval, from: now)
        case .concurrent, .limited, .latest, .leading, .serial, .shared, .conflated, .debounce:
            break
        }
        runs[id]?.phase = .active
        lanes[run.lane]?.active.insert(id)
        changes.starts.append((run.handle, nil))
        return endTransition()
    }

    /// Separates the members of a group from a parent that was halted.
    private mutating func orphanMembers(of group: GroupID) {
        for id in members(of: group) {
            guard var trigger = trigger(id), let parent = trigger.parent, !isLive(parent) else { continue }
            runs[parent]?.children.remove(id)
            trigger.parent = nil
            _ = runs[joined[id] ?? id]?.triggers.replace(id, with: trigger)
            groups[group]?.isOrphaned = true
        }
    }

    /// Supersedes the oldest runs of a lane, whatever their policies.
    ///
    /// - Parameters:
    ///   - count: How many may be left.
    ///   - spared: Triggers whose runs continue. They count nevertheless.
    private mutating func supersedeOldest(in lane: LaneID, keeping count: Int, sparing spared: Set<RunID>) {
        // No copy of the lane is held while runs are halted, which would make each change of the lane copy its sets.
        let runs = lanes[lane]?.unhalted.sorted() ?? []
        guard runs.count > count else { return }
        for run in runs.filter({ !spared.contains($0) }).prefix(runs.count - count) {
            halt(run, as: .superseded, sparing: spared)
        }
    }

    /// - Parameter last: Waiting runs with higher numbers stay in the queue.
    private mutating func supersedeWaiting(
        in lane: LaneID, upTo last: RunID = .max, sparing spared: Set<RunID> = []
    ) {
        for run in lanes[lane]?.queue.elements ?? [] where run <= last {
            halt(run, as: .superseded, sparing: spared)
        }
        supersedePending(in: lane)
    }

    private mutating func supersedePending(in lane: LaneID) {
        if let pending = lanes[lane]?.pending { halt(pending, as: .superseded) }
    }

    // MARK: Shared runs

    /// The run that a shared trigger joins: the newest active one, otherwise the first in the queue.
    private func runToJoin(in lane: LaneID, _ trigger: RunTrigger) -> RunID? {
        guard let lane = lanes[lane] else { return nil }
        func isSuitable(_ candidate: RunID) -> Bool {
            guard let run = runs[candidate] else { return false }
            return run.handle.saga == trigger.handle.saga
                || run.runner?.canShareResult(with: trigger.runner) == true
        }
        return lane.active.filter(isSuitable).max() ?? lane.queue.elements.first(where: isSuitable)
    }

    private mutating func join(_ trigger: RunTrigger, to run: RunID) {
        var trigger = trigger
        note(&trigger)
        joined[trigger.id] = run
        runs[run]?.triggers.append(trigger, as: trigger.id)
    }

    // MARK: Lanes

    /// The lane that a run's policy names, created if there is none.
    private mutating func lane(for run: RunHandle) -> LaneID {
        let key = LaneKey(saga: run.saga, run.policy, scope: run.scopeSerial)
        if let existing = laneIDs[key] { return existing }
        lastLane += 1
        laneIDs[key] = lastLane
        lanes[lastLane] = RunLane(key: key)
        return lastLane
    }

    /// Starts the queued runs whose turn has come, first in, first out, and removes lanes of which nothing is left.
    ///
    /// At the end of a transition, because a run that is still to be halted must not start.
    mutating func startQueued() {
        while let lane = leftLanes.popLast() {
            while let next = lanes[lane]?.queue.first, let run = runs[next],
                lanes[lane]?.hasRoom(below: run.handle.policy.kind.limit) == true
            {
                _ = lanes[lane]?.queue.popFirst()
                lanes[lane]?.active.insert(next)
                runs[next]?.phase = .active
                changes.starts.append((run.handle, run.turn))
            }
            if let left = lanes[lane], left.isUnused, left.windowEnd == nil { removeLane(lane) }
        }
    }

    private mutating func removeLane(_ id: LaneID) {
        if let key = lanes.removeValue(forKey: id)?.key { laneIDs[key] = nil }
    }

    /// Removes lanes of which only a past window is left, once their number has doubled. Amortised O(1).
    private mutating func removeUnusedLanes(now: Duration) {
        guard lanes.count > laneLimit else { return }
        for (id, lane) in lanes where lane.isUnused && lane.windowEnd.map({ $0 <= now }) ?? true { removeLane(id) }
        laneLimit = max(64, lanes.count * 2)
    }

    /// Lets the next trigger of each throttle in some lanes run at once.
    mutating func closeWindows(in isConcerned: (LaneKey) -> Bool) {
        for (id, lane) in lanes where isConcerned(lane.key) {
            lanes[id]?.windowEnd = nil
            if lane.isUnused { removeLane(id) }
        }
    }
}

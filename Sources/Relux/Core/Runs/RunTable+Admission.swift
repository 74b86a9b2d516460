/// How runs start: at once, in turn, after a delay, or not at all, as their policies say.
extension RunTable {
    /// Admits a trigger as its policy says.
    ///
    /// - Parameters:
    ///   - trigger: A new one, whose number is higher than all before, in an open group.
    ///   - now: The current time, which is asked for only if it matters.
    /// - Returns: What becomes of it, and what to do for others. If its run supersedes the parent, it is no longer its
    ///   child.
    /// - Complexity: O(1), apart from the runs that it supersedes, and those that `latest(limit:)` keeps. While a run
    ///   waits for the store to become idle, also the number of runs that the trigger waits for, directly or through
    ///   others.
    mutating func admit(_ trigger: RunTrigger, now: () -> Duration) -> (placement: RunPlacement, changes: Changes) {
        guard trigger.handle.policy.kind.isRelated else {
            insert(trigger, .active, in: nil)
            return (.start(.immediately), Changes())
        }
        removeUnusedLanes(now: now)
        let lane = lane(for: trigger.handle)
        let placement = place(trigger, in: lane, now: now)
        switch placement {
        case .start(.immediately):
            insert(trigger, .active, in: lane)
            lane.active.insert(trigger.id)
        case .start(.inTurn(let turn)):
            insert(trigger, .queued, turn: turn, in: lane)
            lane.queue.append(trigger.id, as: trigger.id)
        case .start(.at):
            insert(trigger, .pending, in: lane)
            lane.pending = trigger.id
        case .join:
            break
        case .drop:
            note(.dropped, of: trigger)
        }
        endVainWaits(behind: trigger.id)
        return (placement, endTransition())
    }

    /// Decides what becomes of a trigger, supersedes others, and lets it join a run.
    private mutating func place(_ trigger: RunTrigger, in lane: RunLane, now: () -> Duration) -> RunPlacement {
        let kind = trigger.handle.policy.kind
        switch kind {
        case .concurrent:
            break
        case .latest(let limit):
            supersedeOldest(in: lane, keeping: limit - 1, sparing: siblings(of: trigger))
            if trigger.parent != nil { orphanMembers(of: trigger.group) }
        case .leading(let limit):
            if lane.active.count + lane.queue.count >= limit { return .drop }
        case .shared:
            if let target = runToJoin(in: lane, trigger) {
                join(trigger, to: target)
                return .join
            }
        case .serial, .limited, .conflated:
            if case .conflated = kind { supersedeWaiting(in: lane) }
            if !lane.queue.isEmpty || !lane.hasRoom(below: kind.limit) { return .start(.inTurn(Signal())) }
        case .debounce(let delay, _):
            supersedePending(in: lane)
            return .start(.at(StoreClock.deadline(after: delay, from: now())))
        case .throttle(let interval, let isTrailing):
            let now = now()
            if let end = lane.windowEnd, end > now {
                guard isTrailing else { return .drop }
                supersedePending(in: lane)
                return .start(.at(end))
            }
            lane.windowEnd = StoreClock.deadline(after: interval, from: now)
            supersedePending(in: lane)
        }
        return .start(.immediately)
    }

    /// The other triggers of a performed action. Their runs continue, even if the run that performs it is superseded.
    private func siblings(of trigger: RunTrigger) -> Set<RunID> {
        trigger.parent == nil ? [] : groups[trigger.group]?.members ?? []
    }

    private mutating func insert(_ trigger: RunTrigger, _ phase: RunPhase, turn: Signal? = nil, in lane: RunLane?) {
        note(trigger)
        runs[trigger.id] = Run(for: trigger, phase, turn: turn, in: lane)
    }

    /// Starts a pending run whose deadline has come.
    ///
    /// - Returns: What to do; nil if the run is no longer pending.
    mutating func deadlineReached(_ id: RunID, now: Duration) -> Changes? {
        guard let run = runs[id], run.phase == .pending, let lane = run.lane else { return nil }
        lane.pending = nil
        switch run.handle.policy.kind {
        case .debounce(_, keepingActive: false):
            if let group = run.triggers[id]?.group {
                let spared = groups[group]?.members.union([id]) ?? [id]
                for active in lane.active.sorted() {
                    halt(active, as: .superseded, sparing: spared)
                }
                supersedeWaiting(in: lane, upTo: id, sparing: spared)
                orphanMembers(of: group)
            }
        case .throttle(let interval, _):
            lane.windowEnd = StoreClock.deadline(after: interval, from: now)
        case .concurrent, .limited, .latest, .leading, .serial, .shared, .conflated, .debounce:
            break
        }
        run.phase = .active
        lane.active.insert(id)
        changes.starts.append(run)
        return endTransition()
    }

    /// Separates the members of a group from a parent that was halted.
    private mutating func orphanMembers(of group: GroupID) {
        for id in members(of: group) {
            guard let trigger = trigger(id), let parent = trigger.parent, !isLive(parent) else { continue }
            runs[parent]?.children.remove(id)
            trigger.parent = nil
            groups[group]?.isOrphaned = true
        }
    }

    /// Supersedes the oldest runs of a lane, whatever their policies.
    ///
    /// - Parameters:
    ///   - count: How many may be left.
    ///   - spared: Triggers whose runs continue. They count nevertheless.
    private mutating func supersedeOldest(in lane: RunLane, keeping count: Int, sparing spared: Set<RunID>) {
        let runs = lane.unhalted.sorted()
        guard runs.count > count else { return }
        for run in runs.filter({ !spared.contains($0) }).prefix(runs.count - count) {
            halt(run, as: .superseded, sparing: spared)
        }
    }

    /// - Parameter last: Waiting runs with higher numbers stay in the queue.
    private mutating func supersedeWaiting(
        in lane: RunLane, upTo last: RunID = .max, sparing spared: Set<RunID> = []
    ) {
        for run in lane.queue.elements where run <= last {
            halt(run, as: .superseded, sparing: spared)
        }
        supersedePending(in: lane)
    }

    private mutating func supersedePending(in lane: RunLane) {
        if let pending = lane.pending { halt(pending, as: .superseded) }
    }

    // MARK: Shared runs

    /// The run that a shared trigger joins: the newest active one, otherwise the first in the queue.
    private func runToJoin(in lane: RunLane, _ trigger: RunTrigger) -> RunID? {
        func isSuitable(_ candidate: RunID) -> Bool {
            guard let run = runs[candidate] else { return false }
            return run.handle.saga == trigger.handle.saga
                || run.runner?.canShareResult(with: trigger.runner) == true
        }
        return lane.active.filter(isSuitable).max() ?? lane.queue.elements.first(where: isSuitable)
    }

    private mutating func join(_ trigger: RunTrigger, to run: RunID) {
        note(trigger)
        joined[trigger.id] = run
        runs[run]?.triggers.append(trigger, as: trigger.id)
    }

    // MARK: Lanes

    /// The lane that a run's policy names, created if there is none.
    private mutating func lane(for run: RunHandle) -> RunLane {
        let key = LaneKey(of: run)
        let lane = lanes[key] ?? RunLane(key: key)
        lanes[key] = lane
        return lane
    }

    /// Starts the queued runs whose turn has come, first in, first out, and removes lanes of which nothing is left.
    ///
    /// At the end of a transition, because a run that is still to be halted must not start.
    mutating func startQueued() {
        while let lane = leftLanes.popLast() {
            while let next = lane.queue.first, let run = runs[next],
                lane.hasRoom(below: run.handle.policy.kind.limit)
            {
                _ = lane.queue.popFirst()
                lane.active.insert(next)
                run.phase = .active
                changes.starts.append(run)
            }
            if lane.isUnused, lane.windowEnd == nil { lanes[lane.key] = nil }
        }
    }

    /// Removes lanes of which only a past window is left, once their number has doubled. Amortised O(1).
    private mutating func removeUnusedLanes(now: () -> Duration) {
        guard lanes.count > laneLimit else { return }
        let now = now()
        lanes = lanes.filter { !$1.isUnused || $1.windowEnd.map { $0 > now } ?? false }
        laneLimit = max(64, lanes.count * 2)
    }

    /// Lets the next trigger of each throttle in some lanes run at once.
    mutating func closeWindows(in isConcerned: (LaneKey) -> Bool) {
        for (key, lane) in lanes where isConcerned(key) {
            lane.windowEnd = nil
            if lane.isUnused { lanes[key] = nil }
        }
    }
}

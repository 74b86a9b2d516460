/// How runs start: at once, in turn, after a delay, or not at all, as their policies say.
extension RunTable {
    /// Admits a trigger as its policy says.
    ///
    /// - Parameters:
    ///   - run: A new one, whose number is higher than all before, in an open group.
    ///   - now: The current time, which is asked for only if it matters.
    /// - Returns: What becomes of it, and what to do for others. If it supersedes the performer of its group, it is no
    ///   longer performed by that.
    /// - Complexity: O(1), apart from the runs that it supersedes, and those that `latest(limit:)` keeps. While a run
    ///   waits for the store to become idle, also the number of runs that the trigger waits for, directly or through
    ///   others.
    mutating func admit(_ run: Run, now: () -> Duration) -> (placement: RunPlacement, changes: Changes) {
        if let group = run.group { orphan(group) }
        guard run.policy.kind.isRelated else {
            insert(run, .active)
            return (.start(.immediately), Changes())
        }
        let lane = lane(for: run, now: now)
        let placement = place(run, in: lane, now: now)
        switch placement {
        case .start(.immediately):
            insert(run, .active, in: lane)
            lane.active.insert(run)
        case .start(.inTurn(let turn)):
            run.turn = turn
            insert(run, .queued, in: lane)
            lane.queue.insert(run, as: run.id)
        case .start(.at(_, let turn)):
            run.turn = turn
            insert(run, .pending, in: lane)
            lane.pending = run
        case .join:
            break
        case .drop:
            note(.dropped, of: run)
            run.group = nil
            run.runner = nil
            run.phase = .ended
        }
        endVainWaits(behind: run)
        return (placement, endTransition())
    }

    /// Decides what becomes of a trigger, supersedes others, and lets it join a run.
    private mutating func place(_ run: Run, in lane: RunLane, now: () -> Duration) -> RunPlacement {
        let kind = run.policy.kind
        switch kind {
        case .concurrent:
            break
        case .latest(let limit):
            supersedeOldest(in: lane, keeping: limit - 1, beside: run.performer == nil ? nil : run.group)
            if let group = run.group { orphan(group) }
        case .leading(let limit):
            if lane.active.count + lane.queue.count >= limit { return .drop }
        case .shared:
            if let target = runToJoin(in: lane, run) {
                insert(run, .joined(target))
                target.joined.insert(run, as: run.id)
                return .join
            }
        case .serial, .limited, .conflated:
            if case .conflated = kind { supersedeWaiting(in: lane) }
            if !lane.queue.isEmpty || !lane.hasRoom(below: kind.limit) { return .start(.inTurn(Signal())) }
        case .debounce(let delay, _):
            supersedePending(in: lane)
            return .start(.at(StoreClock.deadline(after: delay, from: now()), Signal()))
        case .throttle(let interval, let isTrailing):
            let now = now()
            if let end = lane.windowEnd, end > now {
                guard isTrailing else { return .drop }
                supersedePending(in: lane)
                return .start(.at(end, Signal()))
            }
            openWindow(of: lane, until: StoreClock.deadline(after: interval, from: now), for: run)
            supersedePending(in: lane)
        }
        return .start(.immediately)
    }

    /// Starts those of some runs that are still pending, because their deadlines have come or nobody wants to wait.
    mutating func startPending(_ pending: [Run], now: Duration) -> Changes {
        for run in pending { startPending(run, now: now) }
        return endTransition()
    }

    private mutating func startPending(_ run: Run, now: Duration) {
        guard run.phase == .pending, let lane = run.lane else { return }
        switch run.policy.kind {
        case .debounce(_, keepingActive: false):
            let group = run.group
            lane.pending = nil
            for active in lane.active.sorted { halt(active, as: .superseded) { $0.group != nil && $0.group === group } }
            supersedeWaiting(in: lane, upTo: run.id, beside: group)
            if let group { orphan(group) }
        case .throttle(let interval, _):
            openWindow(of: lane, until: StoreClock.deadline(after: interval, from: now), for: run)
        case .concurrent, .limited, .latest, .leading, .serial, .shared, .conflated, .debounce:
            break
        }
        start(run, in: lane)
    }

    private func openWindow(of lane: RunLane, until end: Duration, for run: Run) {
        (lane.windowEnd, lane.owner) = (end, run.runner)
    }

    /// Separates a group from a performer that was halted.
    private func orphan(_ group: Group) {
        guard let performer = group.performer, !performer.phase.isAtWork else { return }
        group.setPerformer(nil)
        group.isOrphaned = true
    }

    /// Supersedes the oldest runs of a lane, whatever their policies.
    ///
    /// - Parameters:
    ///   - count: How many may be left.
    ///   - group: The other triggers of a performed action. Their runs continue, even if the run that performs it is
    ///     superseded. They count nevertheless.
    private mutating func supersedeOldest(in lane: RunLane, keeping count: Int, beside group: Group?) {
        guard lane.active.count + lane.queue.count + (lane.pending == nil ? 0 : 1) > count else { return }
        let runs = lane.unhalted
        func isSpared(_ run: Run) -> Bool { group != nil && run.group === group }
        for run in runs.filter({ !isSpared($0) }).prefix(runs.count - count) {
            halt(run, as: .superseded, sparing: isSpared)
        }
    }

    /// - Parameter last: Waiting runs with higher numbers stay in the queue.
    private mutating func supersedeWaiting(in lane: RunLane, upTo last: RunID = .max, beside group: Group? = nil) {
        for run in lane.queue.elements where run.id <= last {
            halt(run, as: .superseded) { group != nil && $0.group === group }
        }
        supersedePending(in: lane)
    }

    private mutating func supersedePending(in lane: RunLane) {
        if let pending = lane.pending { halt(pending, as: .superseded) }
    }

    /// The run that a shared trigger joins: the newest active one, otherwise the first in the queue.
    private func runToJoin(in lane: RunLane, _ run: Run) -> Run? {
        func isSuitable(_ candidate: Run) -> Bool {
            guard let runner = candidate.runner else { return false }
            return runner === run.runner || runner.canShareResult(with: run.runner)
        }
        return lane.active.sorted.last(where: isSuitable) ?? lane.queue.elements.first(where: isSuitable)
    }
}

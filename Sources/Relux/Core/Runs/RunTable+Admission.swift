/// How runs start: at once, in turn, after a delay, or not at all, as their policies say.
extension RunTable {
    /// Admits a trigger as its policy says.
    ///
    /// - Parameters:
    ///   - run: A new one, whose number is higher than all before, in an open group.
    ///   - now: The current time, which is asked for only if it matters.
    /// - Returns: The work that is left to do for others. The phase of the run says what has become of it; a dropped
    ///   one has ended. If it supersedes the performer of its group, it is no longer performed by that.
    /// - Complexity: O(1), apart from the runs that it supersedes, and those that `latest(limit:)` keeps. While a run
    ///   waits for the store to become idle, also the number of runs that the trigger waits for, directly or through
    ///   others.
    mutating func admit(_ run: Run, now: () -> Duration) -> Changes {
        guard run.policy.kind.isRelated else {
            insert(run, .active)
            return Changes()
        }
        let lane = lane(for: run, now: now)
        let phase = place(run, in: lane, now: now)
        if phase == .ended {
            note(.dropped, of: run)
            run.group = nil
            remove(run)
        } else {
            insert(run, phase, in: lane)
        }
        endVainWaits(behind: run)
        return endTransition()
    }

    /// Decides what becomes of a trigger, supersedes others, and lets it join a run.
    ///
    /// - Returns: Its phase, which is ended if it is dropped.
    private mutating func place(_ run: Run, in lane: RunLane, now: () -> Duration) -> RunPhase {
        let kind = run.policy.kind
        switch kind {
        case .concurrent:
            break
        case .latest(let limit):
            supersedeOldest(in: lane, keeping: limit - 1, beside: run.siblings)
            if let group = run.group { orphan(group) }
        case .leading(let limit):
            if lane.active.count + lane.queue.count >= limit { return .ended }
        case .shared:
            if let target = runToJoin(in: lane, run) {
                target.joined.insert(run, as: run.id)
                return .joined(target)
            }
        case .serial, .limited, .conflated:
            if case .conflated = kind { supersede(lane.unhalted.filter { !$0.isActive }) }
            if !lane.queue.isEmpty || !lane.hasRoom(below: kind.limit) { return .queued }
        case .debounce(let delay, _):
            supersedePending(in: lane)
            run.deadline = StoreClock.deadline(after: delay, from: now())
            return .pending
        case .throttle(let interval, let isTrailing):
            let now = now()
            if let end = lane.windowEnd, end > now {
                guard isTrailing else { return .ended }
                supersedePending(in: lane)
                run.deadline = end
                return .pending
            }
            (lane.windowEnd, lane.opener) = (StoreClock.deadline(after: interval, from: now), run.runner?.id)
            supersedePending(in: lane)
        }
        return .active
    }

    /// Starts those of some runs that are still pending, because their deadlines have come or nobody wants to wait.
    mutating func startPending(_ pending: [Run], now: Duration) -> Changes {
        for run in pending {
            guard run.phase == .pending, let lane = run.lane else { continue }
            switch run.policy.kind {
            case .debounce(_, keepingActive: false):
                supersede(lane.unhalted.filter { $0.isActive || $0.id < run.id }, beside: run.siblings)
            case .throttle(let interval, _):
                (lane.windowEnd, lane.opener) = (StoreClock.deadline(after: interval, from: now), run.runner?.id)
            case .concurrent, .limited, .latest, .leading, .serial, .shared, .conflated, .debounce:
                break
            }
            activate(run)
        }
        return endTransition()
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
        let others = runs.filter { group == nil || $0.group !== group }
        supersede(others.prefix(runs.count - count), beside: group)
    }

    private mutating func supersedePending(in lane: RunLane) {
        if let pending = lane.pending { halt(pending, as: .superseded) }
    }

    private mutating func supersede(_ runs: some Sequence<Run>, beside group: Group? = nil) {
        for run in runs { halt(run, as: .superseded, beside: group) }
    }

    /// The run that a shared trigger joins: the newest active one, otherwise the first in the queue.
    private func runToJoin(in lane: RunLane, _ run: Run) -> Run? {
        func isSuitable(_ candidate: Run) -> Bool { candidate.runner?.canShareResult(with: run.runner) ?? false }
        return lane.active.sorted.last(where: isSuitable) ?? lane.queue.elements.first(where: isSuitable)
    }
}

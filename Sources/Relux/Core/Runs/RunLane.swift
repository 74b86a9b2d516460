/// The runs of a lane: of one saga, or of the sagas that name the lane, with one policy id. Only the table of runs
/// changes it.
final class RunLane {
    var active = RunSet()
    var dying = RunSet()
    /// The runs that wait for their turn, first in, first out, by their numbers.
    var queue = ArrivalList<Run>()
    var pending: Run?
    /// When the window of a throttle closes.
    var windowEnd: Duration?
    /// Where the lane is found.
    let key: LaneKey
    /// The saga to which it belongs; of a lane with a name, the one that has opened its window last.
    weak var owner: SagaRunner?

    init(_ key: LaneKey) { self.key = key }

    /// The runs that were not halted, in order.
    var unhalted: [Run] {
        (active.sorted + queue.elements + (pending.map { [$0] } ?? [])).sorted { $0.id < $1.id }
    }

    var isUnused: Bool { active.isEmpty && dying.isEmpty && queue.isEmpty && pending == nil }

    /// Whether a run that lets this number of runs be active, itself included, may start before the queue.
    func hasRoom(below limit: Int) -> Bool { active.count + dying.count < limit }

    func remove(_ run: Run) {
        switch run.phase {
        case .pending: pending = nil
        case .queued: queue.remove(run.id)
        case .active: active.remove(run)
        case .dying: dying.remove(run)
        case .finished, .joined, .ended: break
        }
    }
}

/// Identifies a lane among those of its saga, or among those that have names.
struct LaneKey: Hashable, Sendable {
    let name: Relux.Lane?
    let id: AnySendableHashable?
    /// The instance to which the lane belongs; 0 for the root.
    let scope: UInt64

    init(of run: Run) { (name, id, scope) = (run.policy.lane, run.policy.id, run.scopeSerial) }
}

/// The lanes of one saga, or those that have names.
struct LaneTable {
    /// The lane without an id.
    private var plain: RunLane?
    private var others: [LaneKey: RunLane] = [:]
    /// The number of lanes at which the unused ones are removed.
    private var limit = 64

    /// Those that exist.
    var all: [RunLane] { (plain.map { [$0] } ?? []) + others.values }

    /// The lane of a run, created if there is none.
    ///
    /// - Complexity: O(1), amortised.
    mutating func lane(for run: Run, now: () -> Duration) -> RunLane {
        if run.policy.isPlain {
            let lane = plain ?? RunLane(LaneKey(of: run))
            plain = lane
            return lane
        }
        removeUnused(now: now)
        let key = LaneKey(of: run)
        let lane = others[key] ?? RunLane(key)
        others[key] = lane
        return lane
    }

    /// Removes a lane of which nothing is left.
    mutating func removeIfUnused(_ lane: RunLane) {
        if lane.isUnused, lane.windowEnd == nil, lane !== plain { others[lane.key] = nil }
    }

    /// Lets the next trigger of each throttle run at once.
    mutating func closeWindows(where isConcerned: (RunLane) -> Bool) {
        for lane in all where isConcerned(lane) {
            lane.windowEnd = nil
            removeIfUnused(lane)
        }
    }

    /// Removes lanes of which only a past window is left, once their number has doubled.
    private mutating func removeUnused(now: () -> Duration) {
        guard others.count > limit else { return }
        let now = now()
        others = others.filter { !$1.isUnused || $1.windowEnd.map { $0 > now } ?? false }
        limit = max(64, others.count * 2)
    }
}

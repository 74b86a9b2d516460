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
    /// The number of the saga that has opened the window last.
    var opener: UInt64?
    /// Where the table finds the lane; nil if its saga has it.
    let key: LaneKey?

    init(_ key: LaneKey? = nil) { self.key = key }

    /// The runs that were not halted, in order.
    var unhalted: [Run] {
        (active.sorted + queue.elements + (pending.map { [$0] } ?? [])).sorted { $0.id < $1.id }
    }

    var isUnused: Bool { active.isEmpty && dying.isEmpty && queue.isEmpty && pending == nil }

    /// Whether a run that lets this number of runs be active, itself included, may start before the queue.
    func hasRoom(below limit: Int) -> Bool { active.count + dying.count < limit }

    /// Adds a run as its phase says.
    func insert(_ run: Run) {
        switch run.phase {
        case .pending: pending = run
        case .queued: queue.insert(run, as: run.id)
        case .active: active.insert(run)
        case .dying: dying.insert(run)
        case .finished, .joined, .ended: break
        }
    }

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

/// Identifies a lane whose policies have an id or name the lane.
struct LaneKey: Hashable, Sendable {
    let name: Relux.Lane?
    /// The saga to which a lane without a name belongs; otherwise 0.
    let saga: UInt64
    let id: AnySendableHashable?
    /// The instance to which the lane belongs; 0 for the root.
    let scope: UInt64

    init(of run: Run) {
        (name, id, scope) = (run.policy.lane, run.policy.id, run.scopeSerial)
        saga = name == nil ? run.runner?.id ?? 0 : 0
    }
}
